"""Rules of release 0.1.0 tell perspectives: what is told of them is the same."""

import pytest

from brettwerk.v1 import rules_pb2
from services.games.interface import AnyGame, Kind
from services.games.registry import games
from services.rules.answers import answer
from services.session.live.former_rules import in_pieces
from tests.services.games.kit.pieces import joined
from tests.services.games.kit.play import plies_of
from tests.services.rules.asking import packed


@pytest.mark.parametrize("game_id", games())
def test_perspectives_become_the_pieces_that_rules_of_this_release_answer(game_id: str) -> None:
    game: AnyGame = games()[game_id]
    for ply, seats in plies_of(game)[:12]:
        done = rules_pb2.SeatAction(seat=ply.seat, action=packed(game, Kind.ACTION, ply.action))
        before = packed(game, Kind.POSITION, ply.before)
        asked = rules_pb2.ApplyActionRequest(game=game_id, position=before, action=done, step_seed=ply.seed)
        former = answer("apply_action", asked)
        asked.audiences = 127
        now = answer("apply_action", asked)
        assert isinstance(former, rules_pb2.ApplyActionResponse)
        assert isinstance(now, rules_pb2.ApplyActionResponse)
        step = in_pieces(former.step)
        assert step.audiences == now.step.audiences
        assert not step.perspectives
        for seat in (*range(seats), None):
            assert joined(step, seat) == joined(now.step, seat)


def test_a_step_of_this_release_stays_as_it_is() -> None:
    step = rules_pb2.Step(audiences=3, view=[rules_pb2.Piece(audiences=3, data=b"x")])
    assert in_pieces(rules_pb2.Step.FromString(step.SerializeToString())) == step
