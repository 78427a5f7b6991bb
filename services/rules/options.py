"""Options of a game in a session: whose each is, and which values competitive sessions demand.

The facts say which options belong to one seat (the government of Black), and which of them are the same thing for each: whose
each part of a change is, and what moves along with a player. Values are compared and moved as fields of the game's options
message, so that no game needs code for it.

Whether a session is competitive is one switch for the session and for the game (WEC-MODE-1). The facts say which options have a
fixed value there. An option that a client leaves out gets that value; another one is refused. Options that a session has already
are never looked at for that, so that records of earlier releases stay as they were played.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.options import OptionFacts
from brettwerk_games.rules.presets import preset_options
from services.rules.any_codec import AnyCodec
from services.runtime.refusal import Refused


@dataclass(frozen=True, slots=True)
class Parts:
    """A change of options in its parts: each is the old options with that part of the change, None where it changes nothing."""

    own: Any
    common: Any
    is_anothers: bool
    """Whether something changes that belongs to another seat."""


def split_change(game: AnyCodec, before: Any, wanted: Any, seat: int) -> Parts:
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


def dealt_options(game: AnyCodec, options: Any, order: Sequence[int]) -> Any:
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


def competitive_options(game: AnyCodec, options: AnyMessage | None, seats: int, where: str = "options") -> AnyMessage | None:
    """Return the options of a competitive session, given those that are asked for; None for the presets.

    Raises Refused: MALFORMED for what are no options, COMPETITIVE for those of a game that is open where it must not be.
    """
    fixed = [option for option in game.game.facts.options if option.competitive is not None]
    if not fixed:
        return options
    if options is None:
        data = preset_options(game.game, seats, {option.key: option.competitive or 0 for option in fixed})
        return AnyMessage(type_url=game.url(Kind.OPTIONS), value=data)
    game.unpack(Kind.OPTIONS, options, where)
    message = parsed_options(game, options.value)
    for option in fixed:
        _fix(message, option)
    return AnyMessage(type_url=game.url(Kind.OPTIONS), value=message.SerializeToString(deterministic=True))


def made_competitive(game: AnyCodec, options: Any) -> Any:
    """Return the options with which a competitive session follows one that had these, maybe of an earlier release."""
    message = options_message(game, options)
    for option in game.game.facts.options:
        if option.competitive is not None:
            setattr(message, option.key, _wanted(option))
    return options_in(game, message)


def _wanted(option: OptionFacts) -> Any:
    return bool(option.competitive) if option.kind == "switch" else option.competitive


def _fix(message: Message, option: OptionFacts) -> None:
    wanted, field = _wanted(option), message.DESCRIPTOR.fields_by_name[option.key]
    # A field without presence that has its type's default was left out.
    is_given = message.HasField(option.key) if field.has_presence else getattr(message, option.key) != field.default_value
    if is_given and getattr(message, option.key) != wanted:
        text = f"a competitive session has {option.key} = {option.competitive}: leave it out"
        raise Refused(errors_pb2.REASON_COMPETITIVE, text, rule=option.rule, details={"option": option.key})
    setattr(message, option.key, wanted)
