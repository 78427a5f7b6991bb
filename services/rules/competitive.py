"""The demands of competitive sessions on the options of a game: one switch for the session and for the game (WEC-MODE-1).

The facts say which options have a fixed value there. An option that a client leaves out gets that value; another one is refused.
Options that a session has already are never looked at here, so that records of earlier releases stay as they were played.
"""

from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.options import OptionFacts
from brettwerk_games.rules.presets import preset_options
from services.rules.any_codec import AnyCodec
from services.rules.seat_options import options_in, options_message, parsed_options
from services.runtime.refusal import Refused


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
