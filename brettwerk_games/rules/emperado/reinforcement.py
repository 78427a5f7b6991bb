"""The armies that a seat receives at the start of its turn, cards apart (EMP-REINF)."""

from typing import NamedTuple

from brettwerk_games.rules.emperado.position import GHOST, Position

BASIC = 3
"""The armies that are always paid (EMP-REINF-2)."""
STEP = 3
"""Countries above the threshold that pay one army more (EMP-REINF-5)."""


class Income(NamedTuple):
    """The armies that a seat receives without its cards."""

    basic: int
    continents: int
    countries: int


def income(position: Position, seat: int) -> Income:
    """Return what a seat would receive if its turn began in this position (EMP-REINF-1).

    >>> income(position, 0)
    Income(basic=3, continents=0, countries=0)
    """
    return Income(BASIC, continent_bonus(position, seat), country_bonus(position, seat))


def continent_bonus(position: Position, seat: int) -> int:
    """Return what a seat's continents pay.

    A continent pays once it has been held for a round (EMP-REINF-4). Since nobody gains countries outside of the own turn,
    that is the same as owning it now, save in the first round, where no seat has had a turn before.

    >>> continent_bonus(position, 0)
    0
    """
    return continent_bonuses(position)[seat]


def continent_bonuses(position: Position) -> list[int]:
    """Return by seat what its continents pay.

    >>> continent_bonuses(position._replace(owners=(0,) * 60, round=2))
    [31, 0, 0]
    """
    paid, owners = [0] * len(position.parties), position.owners
    if position.round > 1:
        for countries, size, first, bonus in position.world.holdings:
            owner = owners[first]
            if owner != GHOST and countries(owners).count(owner) == size:
                paid[owner] += bonus
    return paid


def country_bonus(position: Position, seat: int) -> int:
    """Return what the number of a seat's countries pays (EMP-REINF-5), with the handicap (EMP-REINF-6).

    >>> position.owners.count(0), country_bonus(position, 0), country_bonus(position._replace(owners=(0,) * 60), 0)
    (19, 0, 14)
    """
    counted = position.owners.count(seat) + handicap(position, seat)
    threshold = position.world.count // len(position.parties)
    return 0 if counted < threshold else 1 + (counted - threshold) // STEP


def handicap(position: Position, seat: int) -> int:
    """Return the countries that count for a seat besides its own: for computers when positive, people when negative.

    >>> handicap(position._replace(options=position.options._replace(country_handicap=-2)), 0)
    2
    """
    value = position.options.country_handicap
    return abs(value) if position.options.computers[seat] == (value > 0) else 0
