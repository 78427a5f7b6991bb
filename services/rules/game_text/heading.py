"""The heading of a game's text, and options in it."""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import record_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.options import OptionFacts
from brettwerk_games.rules.presets import preset_options
from services.rules.any_codec import AnyCodec
from services.rules.options import parsed_options
from services.runtime.refusal import listed, malformed

GAME, RULES, START, SETUP = "Game", "Rules", "Start", "Setup"
_TAG = re.compile(r'\[(\w{1,64}) "((?:[^"\\]|\\["\\])*)"\]')
_PAIR = re.compile(r'(\w{1,64})=(?:"((?:[^"\\]|\\["\\])*)"|(\S+))')
_SWITCH = ("off", "on")


@dataclass(slots=True)
class Heading:
    """The tags of a heading with the numbers of their lines."""

    tags: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, line: str, number: int) -> None:
        """Add a line. Raises Refused (MALFORMED) for what is no tag, and for one that there is already."""
        found = _TAG.fullmatch(line)
        if found is None:
            raise malformed("text", 'a line of the heading is a name and a value: [Game "wec"]')
        if found[1] in self.tags:
            raise malformed("text", f"the heading has {found[1]} twice")
        self.tags[found[1]] = _unquoted(found[2])
        self.lines[found[1]] = number

    def line_of(self, name: str) -> int:
        """Return the number of a tag's line, 0 where there is none."""
        return self.lines.get(name, 0)


def written(game: AnyCodec, seats: int, loaded: record_pb2.Loaded, rules_version: str) -> list[str]:
    """Return the heading of a line of play."""
    known = game.game.facts
    lines = [_tag(GAME, known.id), _tag(RULES, rules_version)]
    if loaded.HasField("options"):
        lines += [_tag(key, value) for key, value in written_options(game, seats, loaded.options).items()]
    if loaded.HasField("start_position"):
        lines.append(_tag(START, base64.b64encode(loaded.start_position.value).decode()))
    if known.chance:
        lines.append(_tag(SETUP, loaded.variation[0].seed.hex()))
    return lines


def written_options(game: AnyCodec, seats: int, options: AnyMessage) -> dict[str, str]:
    """Return the options that differ from the defaults, in words. Raises Refused (MALFORMED)."""
    codec = game.game.codec
    chosen = codec.encode(Kind.OPTIONS, game.unpack(Kind.OPTIONS, options, "options"))
    # In the same form: a game may leave out what is as preset.
    usual = codec.encode(Kind.OPTIONS, codec.decode(Kind.OPTIONS, preset_options(game.game, seats)))
    message, preset = parsed_options(game, chosen), parsed_options(game, usual)
    return {
        option.key: _in_words(option, getattr(message, option.key))
        for option in game.game.facts.options
        if getattr(message, option.key) != getattr(preset, option.key)
    }


def options_of(game: AnyCodec, seats: int, words: Mapping[str, str]) -> AnyMessage:
    """Return the default options, except for those given in words. Raises Refused (MALFORMED) for an unknown one."""
    facts = {option.key: option for option in game.game.facts.options}
    chosen: dict[str, int | str] = {}
    for key, value in words.items():
        if key not in facts:
            raise malformed("text", f"{game.game.facts.id} has no option {key}; there are: {listed(facts)}")
        chosen[key] = _from_words(facts[key], value)
    value = game.game.codec.decode(Kind.OPTIONS, preset_options(game.game, seats, chosen))
    known: Any = game.game
    return game.pack(Kind.OPTIONS, known.open_to_all(value))


def start_of(game: AnyCodec, text: str) -> AnyMessage:
    """Return a start position. Raises Refused (MALFORMED)."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise malformed("text", "the start position is not in base64") from None
    return AnyMessage(type_url=game.url(Kind.POSITION), value=data)


def seed_of(text: str) -> bytes:
    """Return the seed of a set-up. Raises Refused (MALFORMED)."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise malformed("text", f"the seed of a set-up has {2 * SEED_BYTES} hexadecimal digits")
    return seed


def pairs(words: Mapping[str, str]) -> str:
    """Return options as written in braces."""
    return " ".join(f'{key}="{_quoted(value)}"' for key, value in words.items())


def words_of(text: str) -> dict[str, str]:
    """Return the options written in braces. Raises Refused (MALFORMED)."""
    if _PAIR.sub("", text).strip():
        raise malformed("text", "options are written as name=value")
    return {key: plain or _unquoted(quoted) for key, quoted, plain in _PAIR.findall(text)}


def _in_words(option: OptionFacts, value: Any) -> str:
    if option.kind == "switch":
        return _SWITCH[bool(value)]
    return option.choices[value - 1] if option.kind == "choice" else str(value)


def _from_words(option: OptionFacts, value: str) -> int | str:
    known: Sequence[str] = option.choices if option.kind == "choice" else _SWITCH
    if option.kind == "line":
        if len(value.encode()) <= option.max:
            return value
    elif option.kind == "number":
        if value.isascii() and value.isdigit() and len(value) <= 9 and option.min <= int(value) <= option.max:
            return int(value)
    elif value in known:
        return known.index(value) + (option.kind == "choice")
    there = f"{option.min} to {option.max}" if option.kind == "number" else listed(known)
    raise malformed("text", f"{option.key} cannot be {value[:40]}; there are: {there}")


def _tag(name: str, value: str) -> str:
    return f'[{name} "{_quoted(value)}"]'


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)
