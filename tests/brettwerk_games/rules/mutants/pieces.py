"""Games whose views or lists are other bytes when they are encoded together."""

from collections.abc import Sequence
from typing import Any

from brettwerk_games.rules.einstein.codec import EinsteinCodec
from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.interface import Kind
from tests.brettwerk_games.rules.blind_duel.game import BlindDuel, Codec, View
from tests.brettwerk_games.rules.mutants.register import breaks, breaks_codec, duel, einstein


@breaks_codec("pieces_tell_what_the_game_tells", Einstein, EinsteinCodec)
def encode_views__forgets_who_looks(self: Any, views: Sequence[Any], position: bytes) -> Sequence[Sequence[bytes]]:
    return [parts[:1] for parts in einstein.codec.encode_views(views, position)]


@breaks_codec("pieces_tell_what_the_game_tells", Einstein, EinsteinCodec)
def encode_views__mixes_up_the_order(self: Any, views: Sequence[Any], position: bytes) -> Sequence[Sequence[bytes]]:
    return [parts[::-1] for parts in einstein.codec.encode_views(views, position)]


@breaks_codec("pieces_tell_what_the_game_tells", BlindDuel, Codec)
def encode_choices__lists_nothing(self: Any, view: Any, actions: Sequence[Any], field: int) -> bytes:
    return b""


@breaks("pieces_tell_what_the_game_tells", BlindDuel)
def choices__are_those_of_the_next_action(self: Any, view: View, actions: Sequence[Any]) -> Any:
    return ((duel.choice(view, action), duel.write(view, action)) for action in (*actions[1:], *actions[:1]))


@breaks_codec("pieces_of_look_alikes_are_the_same", BlindDuel, Codec)
def encode_views__carries_the_first_card(self: Any, views: Sequence[Any], position: bytes) -> Sequence[Sequence[bytes]]:
    return [(duel.codec.encode(Kind.VIEW, view), position[:1]) for view in views]
