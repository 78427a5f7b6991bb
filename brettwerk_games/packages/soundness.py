"""Whether an installed game can be loaded, described and begun: what a server does with it before anybody plays it."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

import brettwerk_games.rules
from brettwerk_games.languages.folders import LANGUAGES
from brettwerk_games.packages import contract
from brettwerk_games.packages.discovery import installed
from brettwerk_games.packages.faults import Fault
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import Facts, LevelFacts
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.options import OptionFacts
from brettwerk_games.rules.presets import preset_options

MAX_SEATS, MAX_OPTIONS, MAX_LEVELS, MAX_ID = 6, 100, 16, 32
"""The bounds of a game's description (`Game` in games.proto)."""
_MAX_NUMBER = 2**31 - 1


def require_sound(name: str) -> None:
    """Load an installed game and begin it once for each number of seats.

    Raises Fault for what is known to be wrong, and whatever its package raises.
    """
    if (Path(brettwerk_games.rules.__path__[0]) / name / "facts.json").is_file():
        raise Fault("Brettwerk itself has a game of this id")
    _, left_out = contract.contracts()
    if name in left_out:
        raise Fault(left_out[name].partition(" is left out: ")[2])
    game: AnyGame = installed()[name].load()
    _require_facts(name, game.facts)
    for language in LANGUAGES.codes():
        if not game.facts.catalogue(language)["game.name"] or not game.facts.rules_page(language):
            raise Fault(f"it has no name or no rules page in the language {language}")
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        _begin(game, seats)


def _require_facts(name: str, facts: Facts) -> None:
    """Make sure that facts are of their types and within the bounds of the contract. Raises Fault."""
    if facts.id != name:
        raise Fault(f"its entry point is named {name}, and the game that it brings is called {facts.id}")
    given = {name: value for name, value in asdict(facts).items() if name in Facts.__dataclass_fields__}
    try:
        read = asdict(TypeAdapter(Facts).validate_python(given))
    except ValidationError as error:
        first = error.errors()[0]
        raise Fault(f"its facts.json is wrong at {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if wrong := next((name for name, value in given.items() if read[name] != value), ""):
        raise Fault(f"its facts.json is wrong at {wrong}: a value is of another type")
    for bound, is_kept in {
        f"an id of at most {MAX_ID} characters": len(facts.id) <= MAX_ID,
        f"1 to {MAX_SEATS} seats, and no fewer than min_seats": 1 <= facts.min_seats <= len(facts.seats) <= MAX_SEATS,
        f"at most {MAX_OPTIONS} options": len(facts.options) <= MAX_OPTIONS,
        f"1 to {MAX_LEVELS} levels": 1 <= len(facts.levels) <= MAX_LEVELS,
        "max_actions above 0": 0 < facts.max_actions <= _MAX_NUMBER,
        "numbers that fit": all(map(_level_fits, facts.levels)) and all(map(_option_fits, facts.options)),
    }.items():
        if not is_kept:
            raise Fault(f"its facts.json must have {bound}")


def _level_fits(level: LevelFacts) -> bool:
    return all(0 <= number <= _MAX_NUMBER for number in (level.think_ms, level.least_ms, level.max_depth, level.run_games))


def _option_fits(option: OptionFacts) -> bool:
    numbers = (option.preset, option.min, option.max, option.step)
    return all(-_MAX_NUMBER <= number <= _MAX_NUMBER for number in numbers) and (option.kind != "line" or option.max >= 0)


def _begin(game: AnyGame, seats: int) -> None:
    options: Any = game.codec.decode(Kind.OPTIONS, preset_options(game, seats))
    position = game.new(options, seats, None, bytes(SEED_BYTES)).position
    game.codec.decode(Kind.POSITION, game.codec.encode(Kind.POSITION, position))
    for seat in (None, *range(seats)):
        view = game.view(position, seat)
        game.codec.decode(Kind.VIEW, game.codec.encode(Kind.VIEW, view))
        game.scene(view)
        for action in game.actions(view)[:1] if seat is not None else ():
            game.codec.encode(Kind.ACTION, action)
