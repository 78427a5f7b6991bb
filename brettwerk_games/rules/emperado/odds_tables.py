"""The tables of odds that players are shown: one throw, and attacks to the end, all counted out (EMP-ATTACK-9)."""

from functools import cache

from brettwerk_games.rules.emperado.battle import MAX_DICE
from brettwerk_games.rules.emperado.chances import throw_chances
from brettwerk_games.rules.emperado.odds import odds
from brettwerk_games.rules.optional import OddsTable

ARMIES = 20
"""The most attacking and defending armies of a table."""
_DICE = tuple(range(1, MAX_DICE + 1))


@cache
def odds_tables() -> tuple[OddsTable, ...]:
    """Return how many pairs a throw wins on average, the chance to win all of them, and an attack's chance and losses.

    Attackers are counted without the army that stays behind, so rows are armies that can fall.
    """
    sizes = tuple(range(1, ARMIES + 1))
    battles = [[odds(attacking + 1, defending) for defending in sizes] for attacking in sizes]
    return (
        OddsTable("throw_won", _DICE, _DICE, tuple(tuple(_mean(a, d) for d in _DICE) for a in _DICE), chances=False),
        OddsTable("throw_all", _DICE, _DICE, tuple(tuple(throw_chances(a, d)[-1] for d in _DICE) for a in _DICE), chances=True),
        OddsTable("capture", sizes, sizes, tuple(tuple(one.win for one in row) for row in battles), chances=True),
        OddsTable("own_losses", sizes, sizes, tuple(tuple(one.attackers_lost for one in row) for row in battles), chances=False),
        OddsTable(
            "their_losses", sizes, sizes, tuple(tuple(one.defenders_lost for one in row) for row in battles), chances=False
        ),
    )


def _mean(attackers: int, defenders: int) -> float:
    return sum(pairs * chance for pairs, chance in enumerate(throw_chances(attackers, defenders)))
