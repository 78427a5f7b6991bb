"""The tables of odds that players are shown: one throw, and attacks to the end, all counted out (EMP-ATTACK-9, EMP-ATTACK-15)."""

from collections.abc import Iterator
from functools import cache

from brettwerk_games.rules.emperado.battle import MAX_DICE
from brettwerk_games.rules.emperado.chances import throw_chances
from brettwerk_games.rules.emperado.odds import odds
from brettwerk_games.rules.emperado.options import Luck
from brettwerk_games.rules.optional import OddsTable

ARMIES = 20
"""The most attacking and defending armies of a table."""
_DICE = tuple(range(1, MAX_DICE + 1))


@cache
def odds_tables() -> tuple[OddsTable, ...]:
    """Return how many pairs a throw wins on average, the chance to win all of them, and an attack's chance and losses.

    Attackers are counted without the army that stays behind, so rows are armies that can fall. All but the average, which is the
    same, come once more for each way in which luck counts less.
    """
    average = tuple(tuple(_mean(a, d) for d in _DICE) for a in _DICE)
    return (OddsTable("throw_won", _DICE, _DICE, average, chances=False), *(table for luck in Luck for table in _tables(luck)))


def _tables(luck: Luck) -> Iterator[OddsTable]:
    sizes = tuple(range(1, ARMIES + 1))
    battles = [[odds(attacking + 1, defending, luck) for defending in sizes] for attacking in sizes]
    of = "" if luck == Luck.FULL else f"_{luck.name.lower()}"
    all_won = tuple(tuple(throw_chances(a, d, luck)[-1] for d in _DICE) for a in _DICE)
    yield OddsTable(f"throw_all{of}", _DICE, _DICE, all_won, chances=True)
    for name, number in (("capture", 0), ("own_losses", 1), ("their_losses", 2)):
        values = tuple(tuple(one[number] for one in row) for row in battles)
        yield OddsTable(f"{name}{of}", sizes, sizes, values, chances=number == 0)


def _mean(attackers: int, defenders: int) -> float:
    return sum(pairs * chance for pairs, chance in enumerate(throw_chances(attackers, defenders)))
