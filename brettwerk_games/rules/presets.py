"""The options that a game is played with when nobody has said otherwise: the presets of its facts as its options message."""

from collections.abc import Mapping
from types import MappingProxyType

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import Message

from brettwerk_games.rules.interface import AnyGame, Kind


def preset_options(
    game: AnyGame, seats: int, chosen: Mapping[str, int | str] = MappingProxyType({}), rules_version: str = ""
) -> bytes:
    """Return the canonical bytes of the options message that holds every preset; an option of each seat once for each.

    `chosen` are other values, by option; `rules_version` is the revision whose presets they are, empty for the one that there is.
    """
    if not game.facts.options:
        return b""
    descriptor = descriptor_pool.Default().FindMessageTypeByName(game.codec.type_name(Kind.OPTIONS))
    message: Message = message_factory.GetMessageClass(descriptor)()
    for option in game.facts.options:
        value = chosen.get(option.key, option.preset_by(rules_version))
        preset = bool(value) if option.kind == "switch" else value
        if descriptor.fields_by_name[option.key].is_repeated:
            getattr(message, option.key).extend([preset] * seats)
        else:
            setattr(message, option.key, preset)
    return message.SerializeToString(deterministic=True)
