"""Influences on a game from outside: system actions, an expired clock, a rematch."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Draw, Flag, Kind, Resign, Step
from brettwerk_games.rules.refusals import GameRefusal
from services.rules.answers import answer
from services.runtime.refusal import Refused
from tests.brettwerk_games.rules.kit.play import games_of, moments_of
from tests.services.rules.asking import SEED, act, new, packed, refusal_of, seen, system_step, value_of


def test_expiry_names_an_action_of_the_list(game: AnyGame) -> None:
    for moment in moments_of(game):
        for seat in game.to_act(moment.position):
            view = packed(game, Kind.VIEW, game.view(moment.position, seat))
            named = answer("name_expiry", pb.NameExpiryRequest(game=game.facts.id, view=view))
            assert isinstance(named, pb.NameExpiryResponse)
            assert named.action == packed(game, Kind.ACTION, game.expire(game.view(moment.position, seat)))


def test_a_rematch_has_options_that_stay_when_it_is_followed_by_another(game: AnyGame) -> None:
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        chosen = None
        for _ in range(3):
            step = new(game.facts.id, seats, options=chosen)
            named = _named(game.facts.id, chosen, step.position)
            if not named.HasField("options"):
                break
            chosen = named.options
        else:
            raise AssertionError("the options never settle")


def test_the_rules_name_a_rematchs_options_only_where_they_change_them() -> None:
    firsts = {name: new(name, game.facts.min_seats).position for name, game in registry.games().items()}
    assert {name for name in firsts if _named(name, None, firsts[name]).HasField("options")} == {"plateau"}


def _named(game: str, options: AnyMessage | None, first: AnyMessage) -> pb.NameRematchResponse:
    named = answer("name_rematch", pb.NameRematchRequest(game=game, options=options, first_position=first))
    assert isinstance(named, pb.NameRematchResponse)
    return named


def test_system_actions_are_those_of_the_game(game: AnyGame) -> None:
    position = games_of(game)[0].first.position
    message = packed(game, Kind.POSITION, position)
    for system_action, fields in ((Resign(1), {"resign": 1}), (Flag(0), {"flag": 0}), (Draw(), {"draw": True})):
        rule, step = _decide(game, position, system_action)
        if step is None:
            with pytest.raises(Refused) as caught:
                system_step(game.facts.id, message, **fields)
            assert (caught.value.refusal.rule, caught.value.reason) == (rule, errors_pb2.REASON_ILLEGAL)
            continue
        made = system_step(game.facts.id, message, **fields)
        assert made.position == packed(game, Kind.POSITION, step.position)
        assert made.HasField("outcome") == (game.outcome(step.position) is not None)
        assert not made.notation


def _decide(game: AnyGame, position: object, system_action: Resign | Flag | Draw) -> tuple[str, Step[Any, Any] | None]:
    try:
        return "", game.system_action(position, system_action, SEED)
    except GameRefusal as refusal:
        return refusal.rule, None


def test_new_options_are_set_where_the_game_knows_them() -> None:
    shown = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.EinsteinOptions", value=bytes([24, 1]))
    step = system_step("einstein", new("einstein").position, options=shown)
    assert value_of("einstein", Kind.POSITION, step.position).show_roll


@pytest.mark.parametrize(
    ("system_action", "field"),
    [
        ({"resign": 2}, "system_action.resign"),
        ({"flag": 5}, "system_action.flag"),
        ({"draw": False}, "system_action.draw"),
        ({}, "system_action.kind"),
    ],
)
def test_a_system_action_that_says_nothing_is_malformed(system_action: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as caught:
        system_step("einstein", new("einstein").position, **system_action)
    assert (caught.value.reason, caught.value.refusal.field) == (errors_pb2.REASON_MALFORMED, field)


def test_a_request_without_action_or_system_action_is_malformed() -> None:
    request = pb.ApplyActionRequest(game="einstein", position=new("einstein").position, step_seed=SEED)
    assert refusal_of("apply_action", request).field == "kind"


def test_a_seat_that_there_is_not_is_malformed() -> None:
    step = new("einstein")
    with pytest.raises(Refused) as caught:
        act("einstein", step.position, 2, seen(step, 0).actions[0].action)
    assert (caught.value.reason, caught.value.refusal.field) == (errors_pb2.REASON_MALFORMED, "action.seat")
