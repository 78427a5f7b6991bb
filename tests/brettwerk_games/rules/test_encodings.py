"""Encoded values of random games, kept when they were first made: their bytes never change.

`encodings.json` has them in hex by game and kind. Records and saved games hold such bytes, and hashes of them. Views and events,
which nobody hashes, have got fields besides: those that count seats from 0. In those of Empire Plateau, steps are free since 1.1
only for armies that have somewhere to go.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import Message

from brettwerk_games.rules.interface import AnyGame, Codec, Kind, Resign
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.registry import games
from services.runtime import seats

KEPT: dict[str, dict[str, list[str]]] = json.loads((Path(__file__).parent / "encodings.json").read_text(encoding="utf-8"))

SHOWN = (Kind.VIEW, Kind.EVENT)
"""Kinds that clients see, and that have both fields of each seat."""


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("game_id", KEPT)
def test_bytes_that_were_written_once_are_written_again(game_id: str, kind: Kind) -> None:
    codec = games()[game_id].codec
    for kept in map(bytes.fromhex, KEPT[game_id][kind.value]):
        written = codec.encode(kind, codec.decode(kind, kept))
        if kind in SHOWN:
            message = parsed(codec, kind, written)
            seats.make_former(message)
            written = message.SerializeToString(deterministic=True)
        assert written == kept


@pytest.mark.parametrize("kind", SHOWN)
@pytest.mark.parametrize("game_id", KEPT)
def test_bytes_written_before_read_as_those_written_now(game_id: str, kind: Kind) -> None:
    codec = games()[game_id].codec
    for kept in map(bytes.fromhex, KEPT[game_id][kind.value]):
        value = codec.decode(kind, kept)
        written = codec.encode(kind, value)
        assert codec.decode(kind, written) == value
        message = parsed(codec, kind, kept)
        seats.complete(message)
        assert message.SerializeToString(deterministic=True) == written


@pytest.mark.parametrize("game_id", KEPT)
def test_a_winner_may_be_told_either_way_but_not_in_two_ways(game_id: str) -> None:
    game = games()[game_id]
    over = game.system_action(begun(game), Resign(1), bytes(32)).position
    for kind, value in ((Kind.POSITION, over), (Kind.VIEW, game.view(over, 0))):
        message = parsed(game.codec, kind, game.codec.encode(kind, value))
        holder: Any = getattr(message, "position", message)
        assert (holder.winner, holder.HasField("winner_seat")) == (1, kind is Kind.VIEW)
        holder.winner, holder.winner_seat = 0, 0
        assert game.codec.decode(kind, message.SerializeToString()) == value
        holder.winner = 2
        with pytest.raises(Malformed) as refused:
            game.codec.decode(kind, message.SerializeToString())
        assert refused.value.field.endswith("winner_seat")
        holder.winner, holder.winner_seat = 0, 6
        with pytest.raises(Malformed) as refused:
            game.codec.decode(kind, message.SerializeToString())
        assert refused.value.field.endswith("winner_seat")


def begun(game: AnyGame) -> Any:
    """Return the position with which a game of as few as possible begins."""
    seats = game.facts.min_seats
    return game.new(game.codec.decode(Kind.OPTIONS, preset_options(game, seats)), seats, None, bytes(32)).position


def parsed(codec: Codec, kind: Kind, data: bytes) -> Message:
    """Return the message of a value's bytes."""
    descriptor = descriptor_pool.Default().FindMessageTypeByName(codec.type_name(kind))
    message: Message = message_factory.GetMessageClass(descriptor).FromString(data)
    return message
