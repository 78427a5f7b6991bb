"""Options of any game, made from its facts: what a client that knows no game would send."""

import random
from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Any

from google.protobuf import descriptor_pool, message_factory

from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.options import OptionFacts
from tests.amounts import examples

COMBINATIONS = examples(200, 50)
"""Most combinations of options that are tried; with more, every value is tried alone and the rest by lot."""


def values(option: OptionFacts) -> tuple[int | str, ...]:
    """Return the values to try of an option: all of a choice or switch, the ends and the neighbours of a number."""
    match option.kind:
        case "switch":
            return (0, 1)
        case "choice":
            return tuple(range(1, len(option.choices) + 1))
        case "number":
            near = (option.min, option.min + option.step, option.preset, option.max - option.step, option.max)
            return tuple(sorted({number for number in near if option.min <= number <= option.max}))
        case "line":
            return (option.preset_line,)


def wrong_values(option: OptionFacts) -> tuple[int | str, ...]:
    """Return values that the option must refuse."""
    match option.kind:
        case "switch":
            return ()
        case "choice":
            return (len(option.choices) + 1,)
        case "number":
            between = (option.min + 1,) if option.step > 1 else ()
            return (*((option.min - 1,) if option.min > 0 else ()), option.max + 1, *between)
        case "line":
            return ("x" * (option.max + 1),)


def build(game: AnyGame, seats: int, chosen: Mapping[str, int | str]) -> bytes:
    """Return the bytes of an options message with the presets and what is chosen instead."""
    if not game.facts.options:
        return b""
    name = game.codec.type_name(Kind.OPTIONS)
    message: Any = message_factory.GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))()
    for option in game.facts.options:
        preset: int | str = option.preset_line if option.kind == "line" else option.preset
        value = chosen.get(option.key, preset)
        field = message.DESCRIPTOR.fields_by_name[option.key]
        if field.is_repeated:
            getattr(message, option.key).extend([value] * seats)
        else:
            setattr(message, option.key, bool(value) if option.kind == "switch" else value)
    return bytes(message.SerializeToString(deterministic=True))


def presets(game: AnyGame, seats: int) -> Any:
    """Return the options as they are at first."""
    return game.codec.decode(Kind.OPTIONS, build(game, seats, {}))


def draw(game: AnyGame, rng: random.Random) -> dict[str, int | str]:
    """Return a few options set to values drawn by lot."""
    return {option.key: rng.choice(values(option)) for option in game.facts.options if rng.random() < 0.4}


def varied(game: AnyGame, seats: int, rng: random.Random) -> Any:
    """Return options of which a few are drawn by lot."""
    return game.codec.decode(Kind.OPTIONS, build(game, seats, draw(game, rng)))


def combinations(game: AnyGame, rng: random.Random) -> list[dict[str, int | str]]:
    """Return all combinations of options, or, when they are too many, every value alone and others by lot."""
    options = game.facts.options
    if prod(len(values(option)) for option in options) <= COMBINATIONS:
        keys = [option.key for option in options]
        return [dict(zip(keys, chosen, strict=True)) for chosen in product(*map(values, options))]
    alone: list[dict[str, int | str]] = [{option.key: value} for option in options for value in values(option)]
    return alone + [draw(game, rng) for _ in range(COMBINATIONS // 2)]
