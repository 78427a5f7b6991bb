import contextlib

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from services.games import registry
from services.games.interface import AnyGame, Kind
from services.rules import anys
from services.rules.anys import MAX_SMALL_BYTES, Carrier
from services.runtime.refusal import Refused
from tests.services.games.kit.play import games_of, plies_of
from tests.services.rules.asking import packed


def test_values_come_out_as_they_went_in(game: AnyGame) -> None:
    carrier = Carrier(game)
    for ply, _ in plies_of(game):
        for kind, value in (
            (Kind.POSITION, ply.before),
            (Kind.VIEW, game.view(ply.before, ply.seat)),
            (Kind.ACTION, ply.action),
            *((Kind.EVENT, event) for event in ply.step.events),
        ):
            message = carrier.pack(kind, value)
            assert message == packed(game, kind, value)
            assert carrier.unpack(kind, message, "x") == value
            assert Carrier(game).unpack(kind, message, "x") == value


@pytest.mark.parametrize("prefix", ["", "/", "type.googleapis.com/", "example.org/types/"])
def test_what_stands_before_the_name_of_a_type_does_not_matter(duel: AnyGame, prefix: str) -> None:
    position = games_of(duel)[0].first.position
    message = packed(duel, Kind.POSITION, position)
    message.type_url = prefix + duel.codec.type_name(Kind.POSITION)
    assert Carrier(duel).unpack(Kind.POSITION, message, "position") == position


def test_another_type_is_refused_and_both_are_named(duel: AnyGame) -> None:
    message = packed(duel, Kind.VIEW, duel.view(games_of(duel)[0].first.position, 0))
    with pytest.raises(Refused) as caught:
        Carrier(duel).unpack(Kind.POSITION, message, "position")
    refusal = caught.value.refusal
    assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "position")
    assert duel.codec.type_name(Kind.VIEW) in refusal.message
    assert duel.codec.type_name(Kind.POSITION) in refusal.message


def test_a_missing_value_is_refused(duel: AnyGame) -> None:
    with pytest.raises(Refused, match="missing"):
        Carrier(duel).unpack(Kind.ACTION, AnyMessage(), "action")


@pytest.mark.parametrize("kind", [Kind.OPTIONS, Kind.ACTION])
def test_a_value_that_is_small_in_every_game_carries_nothing_large_along(duel: AnyGame, kind: Kind) -> None:
    message = AnyMessage(type_url=f"type.googleapis.com/{duel.codec.type_name(kind)}", value=bytes(MAX_SMALL_BYTES + 1))
    with pytest.raises(Refused) as caught:
        Carrier(duel).unpack(kind, message, "x")
    assert caught.value.refusal.field == "x.value"


@given(data=st.binary(max_size=64), kind=st.sampled_from(Kind))
def test_whatever_bytes_are_sent_they_are_a_value_or_refused(data: bytes, kind: Kind) -> None:
    game = registry.games()["einstein"]
    message = AnyMessage(type_url=f"type.googleapis.com/{game.codec.type_name(kind)}", value=data)
    with contextlib.suppress(Refused):
        value = Carrier(game).unpack(kind, message, "it")
        assert Carrier(game).unpack(kind, Carrier(game).pack(kind, value), "it") == value
        return
    with pytest.raises(Refused) as caught:
        Carrier(game).unpack(kind, message, "it")
    assert caught.value.reason == errors_pb2.REASON_MALFORMED
    assert caught.value.refusal.field.startswith("it")


def test_remembered_positions_are_bounded(monkeypatch: pytest.MonkeyPatch, duel: AnyGame) -> None:
    carrier = Carrier(duel)
    positions = [position for played in games_of(duel) for position in played.positions]
    packed_positions = {carrier.pack(Kind.POSITION, position).value for position in positions}
    most = sum(map(len, packed_positions)) // 2
    monkeypatch.setattr(anys, "REMEMBERED_BYTES", most)
    bounded = Carrier(duel)
    for position in positions:
        message = bounded.pack(Kind.POSITION, position)
        assert bounded.unpack(Kind.POSITION, message, "position") is not None
        assert sum(map(len, bounded._positions)) == bounded._positions_bytes <= most
    assert bounded._positions
