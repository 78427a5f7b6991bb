"""How an attack will go, to the end or for a number of throws: chances and expected losses (EMP-ATTACK-9).

A battle is a walk over (attacking armies, defending armies), the army that stays behind not counted. The chance to be
somewhere is the sum over the throws that lead there (Osborne: Markov Chains for the Risk Board Game Revisited, 2003; here with
up to three dice on both sides). The walk is followed forward once for each size of battle, and remembered.
"""

from functools import cache, lru_cache

from brettwerk_games.rules.emperado.battle import MAX_DICE, max_throws
from brettwerk_games.rules.emperado.chances import Odds, throw_chances
from brettwerk_games.rules.emperado.long_battles import long_battle
from brettwerk_games.rules.emperado.options import Luck

EXACT = 20_000
"""Attacking times defending armies up to which the walk is followed; more throws are as good as normally distributed."""
NEGLIGIBLE = 1e-14
"""Chances of one cell that are not followed any further."""
SURE = 100
"""Armies above four times the defenders, or above the attackers, that make no difference any more: less than 1e-9."""
REMEMBERED = 20_000
"""Sizes of battles that are remembered."""


def odds(attackers: int, defenders: int, luck: Luck = Luck.FULL) -> Odds:
    """Return the odds of an attack to the end of a country with `attackers` armies on one with `defenders`.

    Exact up to 141 against 141, or any number against a few dozen; beyond that see long_battles.py, which takes no time
    worth speaking of. An attack to the end has MAX_THROWS throws at most.
    """
    attacking = attackers - 1
    if attacking < 1 or defenders < 1:
        return Odds(0.0 if defenders else 1.0, 0.0, 0.0)
    a, d = min(attacking, 4 * defenders + SURE), min(defenders, attacking + SURE)
    if a * d <= EXACT:
        return _walk(a, d, luck)
    return long_battle(attacking, defenders, luck)


@lru_cache(maxsize=REMEMBERED)
def _walk(attacking: int, defending: int, luck: Luck = Luck.FULL) -> Odds:
    """Return the odds by following the walk from `attacking` and `defending` armies to its end.

    chance[a][d] is the chance to come by (a, d). Every throw costs armies, so a cell is complete once all cells with more
    armies have been followed: row by row from above, and in a row from the right.
    """
    chance = [[0.0] * (defending + 1) for _ in range(attacking + 1)]
    chance[attacking][defending] = 1.0
    full = throw_chances(MAX_DICE, MAX_DICE, luck)
    for a in range(attacking, 0, -1):
        here = chance[a]
        if a >= MAX_DICE:
            row1, row2, row3 = chance[a - 1], chance[a - 2], chance[a - 3]
            for d in range(defending, MAX_DICE - 1, -1):
                p = here[d]
                if p:
                    row3[d] += p * full[0]
                    row2[d - 1] += p * full[1]
                    row1[d - 2] += p * full[2]
                    here[d - 3] += p * full[3]
        few = min(defending, MAX_DICE - 1) if a >= MAX_DICE else defending
        for d in range(few, 0, -1):
            p = here[d]
            if p:
                table = throw_chances(min(a, MAX_DICE), min(d, MAX_DICE), luck)
                pairs = len(table) - 1
                for won, q in enumerate(table):
                    chance[a - pairs + won][d - won] += p * q
    lost = chance[0]
    win = sum(row[0] for row in chance[1:])
    ours = attacking * sum(lost) + sum((attacking - a) * chance[a][0] for a in range(1, attacking + 1))
    theirs = defending * win + sum((defending - d) * lost[d] for d in range(1, defending + 1))
    return Odds(win, ours, theirs)


def series(attackers: int, defenders: int, throws: int, luck: Luck = Luck.FULL) -> Odds:
    """Return the odds of at most `throws` throws of a country with `attackers` armies at one with `defenders` (EMP-ATTACK-4).

    Exact. So many throws as a battle takes at most are an attack to the end.
    """
    if throws >= max_throws(attackers, defenders):
        return odds(attackers, defenders, luck)
    # Armies that so many throws cannot reach change nothing.
    reach = MAX_DICE * (throws + 1)
    return _throw_by_throw(min(attackers - 1, reach), min(defenders, reach), throws, luck)


@lru_cache(maxsize=REMEMBERED)
def _throw_by_throw(attacking: int, defending: int, throws: int, luck: Luck = Luck.FULL) -> Odds:
    """Return the odds by following the walk for so many throws.

    While both sides throw all their dice, every throw costs three armies: one number, the pairs won so far, tells the cell.
    `deep` holds the chances by that number, `edge` those of the cells where a side has fewer dice.
    """
    full = throw_chances(MAX_DICE, MAX_DICE, luck)
    deep: list[float] = [1.0]
    edge: dict[tuple[int, int], float] = {}
    ours = theirs = win = 0.0
    thrown, first = 0, 0
    if min(attacking, defending) < MAX_DICE:
        deep, edge = [], {(attacking, defending): 1.0}
    for _ in range(throws):
        edge = _next_at_the_edge(edge, luck)
        if deep:
            thrown += MAX_DICE
            parts = [[0.0] * won + [p * q for p in deep] + [0.0] * (MAX_DICE - won) for won, q in enumerate(full)]
            deep = [a + b + c + d for a, b, c, d in zip(*parts, strict=True)]
            # Cells where a side has fewer dice now: at the left the attacker, at the right the defender.
            most = min(len(deep), max(0, defending - MAX_DICE + 1 - first))
            least = min(most, max(0, thrown - attacking + MAX_DICE - first))
            for index in (*range(least), *range(most, len(deep))):
                won = first + index
                cell = (attacking - thrown + won, defending - won)
                edge[cell] = edge.get(cell, 0.0) + deep[index]
            deep, first = deep[least:most], first + least
        for cell in [cell for cell in edge if not all(cell)]:
            p = edge.pop(cell)
            win += p if not cell[1] else 0.0
            ours += p * (attacking - cell[0])
            theirs += p * (defending - cell[1])
    for (a, d), p in edge.items():
        ours, theirs = ours + p * (attacking - a), theirs + p * (defending - d)
    for won, p in enumerate(deep, first):
        ours, theirs = ours + p * (thrown - won), theirs + p * won
    return Odds(win, ours, theirs)


def _next_at_the_edge(cells: dict[tuple[int, int], float], luck: Luck) -> dict[tuple[int, int], float]:
    """Return the chances of cells after one more throw."""
    after: dict[tuple[int, int], float] = {}
    tables = _tables(luck)
    for (a, d), p in cells.items():
        if p > NEGLIGIBLE:
            table = tables[a if a < MAX_DICE else MAX_DICE][d if d < MAX_DICE else MAX_DICE]
            a -= len(table) - 1
            for q in table:
                after[a, d] = after.get((a, d), 0.0) + p * q
                a, d = a + 1, d - 1
    return after


@cache
def _tables(luck: Luck) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Return all throw_chances by the dice of both sides."""
    dice = range(MAX_DICE + 1)
    return tuple(tuple(throw_chances(a, d, luck) if a and d else () for d in dice) for a in dice)
