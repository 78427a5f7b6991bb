"""The chances of one throw, counted out (EMP-ATTACK-9), and what is told of a whole attack."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

from brettwerk_games.rules.emperado.actions import Throw
from brettwerk_games.rules.emperado.battle import losses
from brettwerk_games.rules.emperado.luck import share
from brettwerk_games.rules.emperado.options import Luck

FACES = range(1, 7)


class Odds(NamedTuple):
    """The chance to capture the country, 0 to 1, and the armies that each side is to expect to lose."""

    win: float
    attackers_lost: float
    defenders_lost: float


@cache
def throw_chances(attackers: int, defenders: int, luck: Luck = Luck.FULL) -> tuple[float, ...]:
    """Return the chances that some dice against others win 0, 1, 2 ... pairs: all throws counted (EMP-ATTACK-9).

    `luck` says how far dice decide (EMP-ATTACK-15).
    """
    won: Counter[int] = Counter()
    for pairs, ways in _ways(attackers, defenders).items():
        whole, part, of = share(luck, attackers, defenders, pairs)
        won[whole] += ways * (of - part)
        won[whole + 1] += ways * part
    total = sum(won.values())
    return tuple(won[pairs] / total for pairs in range(min(attackers, defenders) + 1))


@cache
def _ways(attackers: int, defenders: int) -> Counter[int]:
    """Return in how many ways dice fall so that they win 0, 1, 2 ... pairs."""
    won: Counter[int] = Counter()
    for ours, ways in _throws(attackers).items():
        for theirs, other_ways in _throws(defenders).items():
            won[losses(Throw(ours, theirs))[1]] += ways * other_ways
    return won


@cache
def _throws(dice: int) -> Counter[tuple[int, ...]]:
    """Return in how many ways dice fall, by how they lie when sorted from high to low."""
    lying = combinations_with_replacement(reversed(FACES), dice)
    return Counter({throw: len(set(permutations(throw))) for throw in lying})
