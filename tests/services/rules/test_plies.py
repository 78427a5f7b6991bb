"""Many plies in one question: what ApplyAction answers to each."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from brettwerk_games.rules.interface import AnyGame, Kind
from services.rules.answers import answer
from services.rules.plies import play_on
from services.runtime import limits
from services.runtime.refusal import Refused
from tests.brettwerk_games.rules.kit.play import PLIES, play
from tests.services.rules.asking import packed


def variation_of(game: AnyGame) -> tuple[AnyMessage, list[record_pb2.Ply]]:
    """Return the position at the beginning of a random game, and its plies, the last of them a system action."""
    done = [ply for ply in play(game, "plies in one question", PLIES).plies if game.to_act(ply.step.position)][:20]
    plies = [record_pb2.Ply(actor=ply.seat + 1, action=packed(game, Kind.ACTION, ply.action), seed=ply.seed) for ply in done]
    plies.append(record_pb2.Ply(system_action=games_pb2.SystemAction(resign=0), seed=bytes(32)))
    return packed(game, Kind.POSITION, done[0].before), plies


def asked(game: AnyGame, position: AnyMessage, plies: list[record_pb2.Ply], **fields: Any) -> list[pb.Step]:
    response = pb.PlayOnResponse()
    for _ in play_on(pb.PlayOnRequest(game=game.facts.id, position=position, plies=plies, **fields), response):
        pass
    limits.check(response)
    return list(response.steps)


def one_by_one(game: AnyGame, position: AnyMessage, plies: list[record_pb2.Ply], shown: int) -> list[pb.Step]:
    steps: list[pb.Step] = []
    for number, ply in enumerate(plies):
        audiences = 127 if number >= len(plies) - shown else 0
        request = pb.ApplyActionRequest(game=game.facts.id, position=position, step_seed=ply.seed, audiences=audiences)
        if ply.actor:
            request.action.CopyFrom(pb.SeatAction(seat=ply.actor - 1, action=ply.action))
        else:
            request.system_action.CopyFrom(ply.system_action)
        response = answer("apply_action", request)
        assert isinstance(response, pb.ApplyActionResponse)
        steps.append(response.step)
        position = response.step.position
    return steps


@pytest.mark.parametrize(("shown", "positions"), [(0, 0), (0, 64), (1, 0), (5, 9), (21, 0)])
def test_steps_are_those_of_one_ply_after_the_other(game: AnyGame, shown: int, positions: int) -> None:
    position, plies = variation_of(game)
    plain = one_by_one(game, position, plies, shown)
    for step in plain[: len(plies) - max(shown, positions, 1)] if max(shown, positions, 1) < len(plies) else ():
        step.ClearField("position")
    assert asked(game, position, plies, audiences=127, shown=shown, positions=positions) == plain
    for step in plain:
        step.ClearField("actions")
    assert asked(game, position, plies, audiences=127, unlisted=63, shown=shown, positions=positions) == plain


def test_it_ends_with_a_position_before_what_the_rules_refuse(game: AnyGame) -> None:
    position, plies = variation_of(game)
    after_the_end = record_pb2.Ply(actor=1, action=plies[0].action, seed=bytes(32))
    middle = len(plies) // 2
    no_seed = record_pb2.Ply(actor=plies[middle].actor, action=plies[middle].action)
    nothing = record_pb2.Ply(seed=bytes(32))
    for wrong, at in ((after_the_end, len(plies)), (no_seed, middle), (nothing, middle), (nothing, 0)):
        steps = asked(game, position, [*plies[:at], wrong, *plies[at:]])
        assert len(steps) == at
        last = one_by_one(game, position, plies[:at], 0)[-1:]
        assert [step.position for step in steps[-1:]] == [step.position for step in last]


def test_another_revision_of_the_rules_is_not_played(game: AnyGame) -> None:
    position, plies = variation_of(game)
    with pytest.raises(Refused) as caught:
        asked(game, position, plies, rules_version="999")
    assert caught.value.reason == errors_pb2.REASON_UNAVAILABLE
