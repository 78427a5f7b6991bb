"""Options that belong to one seat (the government of Black): whose each part of a change is, and what moves along with a player.

The facts say which options belong to a seat, and which of them are the same thing for each. Values are compared and moved as
fields of the game's options message, so that no game needs code for it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import Message

from brettwerk_games.rules.interface import Kind
from services.rules.any_codec import AnyCodec


@dataclass(frozen=True, slots=True)
class Parts:
    """A change of options in its parts: each is the old options with that part of the change, None where it changes nothing."""

    own: Any
    common: Any
    is_anothers: bool
    """Whether something changes that belongs to another seat."""


def split(game: AnyCodec, before: Any, wanted: Any, seat: int) -> Parts:
    """Return what of the change from `before` to `wanted`, two options of the game, belongs to `seat` and what concerns all."""
    old, new = options_message(game, before), options_message(game, wanted)
    changed = [option for option in game.game.facts.options if getattr(old, option.key) != getattr(new, option.key)]
    own = [option.key for option in changed if option.seat == seat]
    common = [option.key for option in changed if option.seat is None]
    return Parts(
        options_in(game, _taken(old, new, own)) if own else None,
        options_in(game, _taken(old, new, common)) if common else None,
        any(option.seat not in (None, seat) for option in changed),
    )


def deal(game: AnyCodec, options: Any, order: Sequence[int]) -> Any:
    """Return the options of seats that were dealt: what belongs to seat n is what belonged to seat `order`[n]."""
    owned = {(option.each, option.seat): option.key for option in game.game.facts.options if option.seat is not None}
    before = options_message(game, options)
    after = _copy(before)
    for (each, seat), key in owned.items():
        if seat < len(order):
            setattr(after, key, getattr(before, owned[each, order[seat]]))
    return options_in(game, after)


def _taken(old: Message, new: Message, keys: Iterable[str]) -> Message:
    """Return the old message with some fields of the new one."""
    taken = _copy(old)
    for key in keys:
        taken.ClearField(key)
        if taken.DESCRIPTOR.fields_by_name[key].is_repeated:
            getattr(taken, key).extend(getattr(new, key))
        else:
            setattr(taken, key, getattr(new, key))
    return taken


def options_message(game: AnyCodec, options: Any) -> Any:
    """Return options of a game as their message, which can be changed."""
    return parsed_options(game, game.game.codec.encode(Kind.OPTIONS, options))


def parsed_options(game: AnyCodec, data: bytes) -> Any:
    """Return the message of encoded options of a game, which can be changed."""
    descriptor = descriptor_pool.Default().FindMessageTypeByName(game.game.codec.type_name(Kind.OPTIONS))
    return message_factory.GetMessageClass(descriptor).FromString(data)


def options_in(game: AnyCodec, message: Message) -> Any:
    """Return the options that a message holds. Raises Malformed for those that a game cannot have."""
    return game.game.codec.decode(Kind.OPTIONS, message.SerializeToString(deterministic=True))


def _copy(message: Message) -> Message:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy
