"""Positions for tests, written down by the names of countries."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado import GAME
from brettwerk_games.rules.emperado.actions import Action, Attack, Done, Event, Fought, Throw
from brettwerk_games.rules.emperado.battle import throw
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import GHOST, Party, Position, fault
from brettwerk_games.rules.emperado.world import CONTINENTS, COUNTRIES, WORLD
from brettwerk_games.rules.interface import Reoption, Step
from brettwerk_games.rules.refusals import Illegal

EMPERADO = GAME
SEED = bytes(range(32))
A, B, C, D, E, F = range(6)
_OWNERS = {"A": A, "B": B, "C": C, "D": D, "E": E, "F": F, "-": GHOST}
_ENTRY = re.compile(r"(?P<name>\w+) (?P<owner>[A-F-])(?P<armies>\d+)")
OF = {country.notation: number for number, country in enumerate(COUNTRIES)}
"""The number of each country by its name."""
PERU, BOLIVIEN, BRASILIEN, ARGENTINIEN = OF["Peru"], OF["Bolivien"], OF["Brasilien"], OF["Argentinien"]
KOLUMBIEN, NEUSEELAND, ALASKA, ALBERTA, ONTARIO = OF["Kolumbien"], OF["Neuseeland"], OF["Alaska"], OF["Alberta"], OF["Ontario"]


def dealt(seats: int, seed: bytes = SEED, options: Options | None = None) -> Position:
    """Return a new game."""
    return EMPERADO.new(options or Options(), seats, None, seed).position


def continent(name: str) -> tuple[int, ...]:
    """Return the countries of a continent by its English name."""
    return next(continent.countries for continent in CONTINENTS if continent.name_en == name)


def world(
    standing: str = "",
    *,
    seats: int = 3,
    rest: str = "B",
    armies: int = 3,
    lands: Mapping[int, Iterable[int]] | None = None,
    cards: Mapping[int, tuple[int, int, int]] | None = None,
    fresh: Iterable[int] = (),
    options: Options | None = None,
    **fields: Any,
) -> Position:
    """Return a position in the middle of A's turn: `Peru A8, Bolivien B1`, `lands` by seat, all others `rest`'s with `armies`.

    Seats that own nothing are out. `cards` are hands by seat, `fresh` the seats with a "+", `fields` those of Position.
    """
    owners, numbers = [_OWNERS[rest]] * WORLD, [armies] * WORLD
    for seat, countries in (lands or {}).items():
        for country in countries:
            owners[country] = seat
    for entry in filter(None, standing.split(", ")):
        found = _ENTRY.fullmatch(entry)
        assert found, entry
        owners[OF[found["name"]]], numbers[OF[found["name"]]] = _OWNERS[found["owner"]], int(found["armies"])
    hands = cards or {}
    parties = tuple(
        Party(*hands.get(seat, (0, 0, 0)), fresh=seat in fresh, out=0 if seat in owners else 1) for seat in range(seats)
    )
    position = Position(options or Options(), tuple(owners), tuple(numbers), parties, **{"round": 2, "card_bonus": 4, **fields})
    assert fault(position) is None, fault(position)
    return position


def apply(position: Position, action: Action, seed: bytes = SEED) -> Step[Position, Event]:
    """Return the step of the seat to act."""
    return EMPERADO.apply(position, position.to_move, action, seed)


def after(position: Position, *actions: Action) -> Position:
    """Return the position after actions of the seats to act."""
    for action in actions:
        position = apply(position, action).position
    return position


def rule_against(position: Position, action: Action) -> str:
    """Return the rule that refuses the action to the seat to act."""
    try:
        apply(position, action)
    except Illegal as refusal:
        return refusal.rule
    raise AssertionError(f"{action} was accepted")


def seeds() -> Iterator[bytes]:
    """Yield seeds, always the same."""
    return (number.to_bytes(32, "big") for number in count())


def seed_of_throw(attackers: int, defenders: int, wanted: Throw) -> bytes:
    """Return a seed with which countries of so many armies throw this first."""
    return next(seed for seed in seeds() if throw(attackers, defenders, Dice(seed, "dice")) == wanted)


def fought(position: Position, attack: Attack, seed: bytes = SEED) -> Fought:
    """Return how an attack of the seat to act goes."""
    event = apply(position, attack, seed).events[0]
    assert isinstance(event, Fought)
    return event


def seed_of_capture(position: Position, attack: Attack) -> bytes:
    """Return a seed with which an attack captures and loses no army."""
    return next(seed for seed in seeds() if (event := fought(position, attack, seed)).entered and not event.attackers_lost)


def captured(position: Position, attack: Attack) -> Position:
    """Return the position after an attack that captures and loses no army."""
    return apply(position, attack, seed_of_capture(position, attack)).position


def reoptioned(position: Position, **changed: Any) -> Position:
    """Return the position after a change of options."""
    options = position.options._replace(**changed)
    return EMPERADO.system_action(position, Reoption(options), SEED).position


def placed(position: Position) -> Position:
    """Return the position in which nothing is left to place, as if all had gone to the first own country."""
    own = position.owners.index(position.to_move)
    armies = tuple(n + position.to_place * (country == own) for country, n in enumerate(position.armies))
    return position._replace(armies=armies, to_place=0, exchanging=False)


def pass_turn(position: Position, seed: bytes = SEED) -> Position:
    """Return the position after a turn in which nothing was done but to place."""
    return apply(placed(position), Done(), seed).position
