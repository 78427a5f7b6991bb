"""The armies that a seat receives at the start of its turn, cards apart (EMP-REINF)."""

from typing import NamedTuple

from services.games.emperado.position import Position
from services.games.emperado.world import CONTINENTS, WORLD

BASIC = 3
"""What is always paid (EMP-REINF-2)."""
STEP = 3
"""Countries above the threshold that pay one army more (EMP-REINF-5)."""


class Income(NamedTuple):
    """What a seat receives without its cards."""

    basic: int
    continents: int
    countries: int


def income(position: Position, seat: int) -> Income:
    """Return what a seat would receive if its turn began in this position (EMP-REINF-1)."""
    return Income(BASIC, continent_bonus(position, seat), country_bonus(position, seat))


def continent_bonus(position: Position, seat: int) -> int:
    """Return what a seat's continents pay.

    A continent pays once it has been held for a round (EMP-REINF-4). Since nobody gains countries outside of the own turn,
    that is the same as owning it now, save in the first round, where no seat has had a turn before.
    """
    if position.round == 1:
        return 0
    return sum(CONTINENTS[number].bonus for number in continents_of(position, seat))


def continents_of(position: Position, seat: int) -> tuple[int, ...]:
    """Return the continents that a seat owns wholly."""
    owners = position.owners
    return tuple(
        number for number, continent in enumerate(CONTINENTS) if all(owners[country] == seat for country in continent.countries)
    )


def country_bonus(position: Position, seat: int) -> int:
    """Return what the number of a seat's countries pays (EMP-REINF-5), with the handicap (EMP-REINF-6)."""
    counted = position.owners.count(seat) + handicap(position, seat)
    threshold = WORLD // len(position.parties)
    return 0 if counted < threshold else 1 + (counted - threshold) // STEP


def handicap(position: Position, seat: int) -> int:
    """Return the countries that count for a seat besides its own: for computers when positive, people when negative."""
    value = position.options.country_handicap
    return abs(value) if position.options.computers[seat] == (value > 0) else 0
