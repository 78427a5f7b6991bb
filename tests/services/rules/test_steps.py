from collections.abc import Sequence
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import record_pb2, sessions_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind
from services.rules import any_codec
from services.rules.answers import answer
from services.rules.heavy import play_variation
from services.runtime import limits
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel, Codec
from tests.brettwerk_games.rules.kit.pieces import joined, received
from tests.brettwerk_games.rules.kit.play import plies_of
from tests.services.rules.asking import SEED, new, packed


def asked_for(audiences: int, game: str = "einstein", **fields: Any) -> pb.Step:
    request = pb.NewPositionRequest(game=game, seats=2, step_seed=SEED, audiences=audiences, **fields)
    response = answer("new_position", request)
    assert isinstance(response, pb.NewPositionResponse)
    return response.step


def test_an_answer_for_no_audience_has_no_pieces() -> None:
    nobody, everybody = asked_for(0), new("einstein")
    assert not nobody.audiences
    assert not (nobody.view or nobody.happening or nobody.actions)
    assert everybody.view and everybody.actions
    assert nobody.position == everybody.position
    assert list(nobody.to_act) == list(everybody.to_act)


def test_audiences_that_there_are_not_are_left_out() -> None:
    assert asked_for(0b0111100).audiences == 0
    assert asked_for(0b1111111).audiences == 0b1000011
    assert asked_for(0b0000010).audiences == 0b0000010


def test_lists_are_for_seats_that_are_to_act() -> None:
    step = asked_for(127)
    assert [piece.audiences for piece in step.actions] == [1 << step.to_act[0]]
    assert not asked_for(127 & ~(1 << step.to_act[0])).actions


def test_a_list_is_not_made_for_a_seat_that_needs_none() -> None:
    step = asked_for(127)
    acting = 1 << step.to_act[0]
    smaller = asked_for(127, unlisted=acting)
    assert not smaller.actions
    smaller.actions.extend(step.actions)
    assert smaller == step
    assert asked_for(127, unlisted=63 & ~acting) == step


def test_a_list_says_that_there_is_more() -> None:
    """There are 720 arrangements of stones."""
    chosen = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.EinsteinOptions", value=bytes([16, 3]))
    step = asked_for(127, options=chosen)
    update = sessions_pb2.Update.FromString(joined(step, step.to_act[0]))
    assert (len(update.actions), update.more_actions) == (256, True)


def test_every_answer_with_a_step_has_pieces(game: AnyGame) -> None:
    ply, seats = plies_of(game)[-1]
    before, after = (packed(game, Kind.POSITION, position) for position in (ply.before, ply.step.position))
    done = pb.SeatAction(seat=ply.seat, action=packed(game, Kind.ACTION, ply.action))
    applying = pb.ApplyActionRequest(game=game.facts.id, position=before, action=done, step_seed=ply.seed, audiences=127)
    applied = answer("apply_action", applying)
    applying.unlisted = 63
    unlisted = answer("apply_action", applying)
    looked = answer("view_position", pb.ViewPositionRequest(game=game.facts.id, position=after, audiences=127))
    assert isinstance(applied, pb.ApplyActionResponse)
    assert isinstance(looked, pb.ViewPositionResponse)
    assert isinstance(unlisted, pb.ApplyActionResponse)
    assert not unlisted.step.actions
    unlisted.step.actions.extend(applied.step.actions)
    assert unlisted == applied
    limits.check(applied)
    assert not looked.step.happening
    for seat in (*range(seats), None):
        update = received(game, ply.step, seat, ply)
        assert joined(applied.step, seat) == update.SerializeToString(deterministic=True)
        update.happening.Clear()
        assert joined(looked.step, seat) == update.SerializeToString(deterministic=True)


def test_a_variation_is_shown_to_the_audience_that_it_is_asked_for() -> None:
    variation = record_pb2.Loaded(variation=[record_pb2.Ply(seed=SEED)])
    step = play_variation(pb.PlayVariationRequest(game="einstein", seats=2, audiences=2), variation, lambda: True).step
    assert step.audiences == 2
    assert joined(step, 1) == joined(asked_for(2), 1)
    acting = step.to_act[0]
    for unlisted in (0, 1 << acting):
        request = pb.PlayVariationRequest(game="einstein", seats=2, audiences=127, unlisted=unlisted)
        assert bool(play_variation(request, variation, lambda: True).step.actions) is not bool(unlisted)


class Wide(Codec):
    """A codec whose views are large, and nearly the same for all."""

    def encode_views(self, views: Sequence[Any], position: bytes) -> Sequence[Sequence[bytes]]:
        public = bytes(5000)
        return [(bytes([view.turn]), public, b"" if view.seat is None else bytes([view.seat + 1])) for view in views]


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    game: AnyGame = BlindDuel()
    monkeypatch.setattr(type(game), "codec", Wide())
    monkeypatch.setattr(registry, "games", lambda: {"blind_duel": game})
    any_codec._any_codec.cache_clear()
    return game


def test_the_common_part_of_large_views_is_sent_once(wide: AnyGame) -> None:
    step = asked_for(127, "blind_duel")
    assert sum(len(piece.data) for piece in step.view) < 5500
    assert [piece.audiences for piece in step.view if len(piece.data) == 5000] == [0b1000011]
    alone = [asked_for(1 << audience, "blind_duel") for audience in (0, 1, 6)]
    assert [len(one.view) for one in alone] == [1, 1, 1]
    for seat, one in zip((0, 1, None), alone, strict=True):
        assert joined(step, seat) == joined(one, seat)
        value = sessions_pb2.Update.FromString(joined(step, seat)).view.value
        assert value == bytes([0]) + bytes(5000) + (b"" if seat is None else bytes([seat + 1]))
