"""How a battle of very many armies will go: the sum of many throws, which is nearly normally distributed.

Let the lead be the attacking armies less what the defenders would cost, at the price of 1.71 armies for each. With all dice
thrown it rises and falls by as much on average, so it is a martingale: what the winner has left is on average the lead that there
was (the optional stopping theorem). And since armies only become fewer, a battle is won exactly when the lead is positive after
as many throws as there are armies for. So chance and losses follow from how the lead is distributed after that many throws: by an
Edgeworth series (Feller: An Introduction to Probability Theory and Its Applications, volume 2, chapter XVI). Only the last few
throws are made with fewer dice. These change a few constants only, alike in all long battles with as much luck (EMP-ATTACK-15):
with less of it, also by what remains of all armies when three fall in each throw.

The work is the same for armies of any number.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from brettwerk_games.rules.emperado.actions import MAX_THROWS
from brettwerk_games.rules.emperado.battle import MAX_DICE
from brettwerk_games.rules.emperado.chances import Odds, throw_chances
from brettwerk_games.rules.emperado.options import Luck

END = 40
"""How many armies before its end a battle costs what it does in the long run, to ten digits."""


class _Ending(NamedTuple):
    """How a close battle ends, when not all dice can be thrown any more.

    `last` is how many armies are left in both countries then, on average: a number to fit the rest with where luck is little.
    `won_from` is the lead from which on it is won, below 0 since defenders have too few dice before attackers do. `ours` and
    `theirs` are the armies that attacker and defender save, in the attacker's, times the density of the lead at `won_from`.
    """

    last: float
    won_from: float
    ours: float
    theirs: float


_ENDINGS = {
    Luck.FULL: 3 * (_Ending(5, -1.35, 1.45, 1.45),),
    Luck.HALF: (
        _Ending(4, -1.193, 0.106, -0.052),
        _Ending(4, -1.131, -0.180, -0.403),
        _Ending(4, -1.262, 0.171, 0.106),
    ),
    Luck.LITTLE: (
        _Ending(0, -1.058, -0.126, -0.539),
        _Ending(-3, -0.895, -1.008, -1.573),
        _Ending(-1.5, -1.286, -0.474, -0.750),
    ),
}
"""By luck (EMP-ATTACK-15), and by how many armies are over when each throw has cost three. Fitted to walks to the end."""


class _Throw(NamedTuple):
    """The pairs that a throw with all dice wins: mean, variance, skewness and excess kurtosis."""

    mean: float
    variance: float
    skewness: float
    kurtosis: float

    @property
    def price(self) -> float:
        """How many armies a defender costs: 1.71."""
        return (MAX_DICE - self.mean) / self.mean


def long_battle(attacking: int, defending: int, luck: Luck = Luck.FULL, max_throws: int = MAX_THROWS) -> Odds:
    """Return the odds of a battle to the end, or of so many throws; the army that stays behind is not counted.

    Where attacking times defending armies are 20,000 or more, the chance is good to 0.0003 and the losses to 0.003 armies. Where
    the throws may not suffice for a decision, which takes 30,000 armies, they are good to 0.01 and to 0.05 armies.
    """
    thrown = _throw(luck)
    price = thrown.price
    won_early, lost_early = _ends(luck)
    ending = _ENDINGS[luck][(attacking + defending) % MAX_DICE]
    throws = min((attacking + defending - ending.last) / MAX_DICE, max_throws)
    rest = attacking + defending - ending.last - MAX_DICE * throws
    lead = attacking - price * defending
    deviation = (1 + price) * math.sqrt(thrown.variance * throws)
    # Where throws end before armies do, it stays undecided between two leads.
    high, low = ((ending.won_from + some - lead) / deviation for some in (rest, -price * rest))
    win, above = _beyond(high, throws, thrown)
    not_lost, above_low = _beyond(low, throws, thrown) if rest else (win, above)
    undecided, lost = not_lost - win, 1 - not_lost
    left = (lead + won_early) * win + deviation * above
    defended = ((lost_early - lead) * lost + deviation * above_low) / price
    if rest:
        killed = thrown.mean * throws * undecided + deviation * (above_low - above) / (1 + price)
        left += (attacking - MAX_DICE * throws) * undecided + killed
        defended += defending * undecided - killed
    else:
        dense = _density(high) / deviation
        left, defended = left + ending.ours * dense, defended + ending.theirs * dense / price
    return Odds(_within(win, 1), _within(attacking - left, attacking), _within(defending - defended, defending))


@cache
def _throw(luck: Luck) -> _Throw:
    chances = throw_chances(MAX_DICE, MAX_DICE, luck)
    mean = sum(won * chance for won, chance in enumerate(chances))
    second, third, fourth = (sum((won - mean) ** power * chance for won, chance in enumerate(chances)) for power in (2, 3, 4))
    return _Throw(mean, second, third / second**1.5, fourth / second**2 - 3)


@cache
def _ends(luck: Luck) -> tuple[float, float]:
    """Return what its end spares the winner, in armies of the attacker: the attacker who wins, and the defender who does."""
    price = _throw(luck).price
    cost = _exhausting(lambda left: throw_chances(MAX_DICE, min(MAX_DICE, left), luck))
    kills = _exhausting(lambda left: throw_chances(min(MAX_DICE, left), MAX_DICE, luck)[::-1])
    return price * END - cost, END - price * kills


def _exhausting(chances: Callable[[int], tuple[float, ...]]) -> float:
    """Return what it costs a side of any number to exhaust END armies, when `chances` tells how many of these a throw kills."""
    cost = [0.0]
    for left in range(1, END + 1):
        none, *some = chances(left)
        pairs = len(some)
        rest = sum(chance * (pairs - kills + cost[left - kills]) for kills, chance in enumerate(some, 1))
        cost.append((none * pairs + rest) / (1 - none))
    return cost[END]


def _beyond(z: float, throws: float, thrown: _Throw) -> tuple[float, float]:
    """Return the chance that the lead is more than `z` deviations from its mean, and the sum over these of chance times `z`."""
    density = _density(z)
    tail = math.erfc(z / math.sqrt(2)) / 2
    if not density:
        return tail, 0.0
    first, second, third = (
        thrown.skewness / math.sqrt(throws) / 6,
        thrown.kurtosis / throws / 24,
        thrown.skewness**2 / throws / 72,
    )
    chance = tail + density * (first * (z**2 - 1) + second * (z**3 - 3 * z) + third * (z**5 - 10 * z**3 + 15 * z))
    # The integral of the chance from z on, in parts.
    integral = density - z * tail + density * (first * z + second * (z**2 - 1) + third * (z**4 - 6 * z**2 + 3))
    return chance, z * chance + integral


def _density(z: float) -> float:
    """Return the density of the normal distribution; 0 where it is too small to tell."""
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi) if abs(z) < math.sqrt(1400) else 0.0


def _within(value: float, most: float) -> float:
    return min(max(value, 0.0), float(most))
