"""Games whose bytes are wrong."""

import random
from typing import Any

from brettwerk_games.rules.einstein.codec import EinsteinCodec
from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel, Codec
from tests.brettwerk_games.rules.mutants.register import breaks_codec, duel, einstein


@breaks_codec("kinds_are_typed", BlindDuel, Codec)
def type_name__is_the_same(self: Any, kind: Kind) -> str:
    return "tests.BlindDuel"


@breaks_codec("bytes_come_back", Einstein, EinsteinCodec)
def encode__forgets_the_roll(self: Any, kind: Kind, value: Any) -> bytes:
    return einstein.codec.encode(kind, value._replace(roll=0) if kind is Kind.POSITION else value)


@breaks_codec("bytes_come_back", Einstein, EinsteinCodec)
def encode__is_not_canonical(self: Any, kind: Kind, value: Any) -> bytes:
    return einstein.codec.encode(kind, value) + bytes([0xF8, 0x01, random.randrange(100)])


@breaks_codec("logs_replay", BlindDuel, Codec)
def encode__forgets_the_draws(self: Any, kind: Kind, value: Any) -> bytes:
    return duel.codec.encode(kind, value._replace(drawn=(0, 0)) if kind is Kind.POSITION else value)  # type: ignore[no-any-return]


@breaks_codec("garbage_is_malformed", BlindDuel, Codec)
def decode__crashes_on_garbage(self: Any, kind: Kind, data: bytes) -> Any:
    return duel.codec._decode(kind, data)


@breaks_codec("garbage_is_malformed", Einstein, EinsteinCodec)
def decode__takes_any_roll(self: Any, kind: Kind, data: bytes) -> Any:
    value = einstein.codec.decode(kind, data)
    return value._replace(roll=value.roll or 7) if kind is Kind.POSITION else value


@breaks_codec("wrong_options_are_refused", Einstein, EinsteinCodec)
def decode__takes_any_option(self: Any, kind: Kind, data: bytes) -> Any:
    try:
        return einstein.codec.decode(kind, data)
    except Malformed:
        return einstein.codec.decode(kind, b"")
