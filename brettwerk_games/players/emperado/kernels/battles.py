# cython: boundscheck=False, wraparound=False, cdivision=True
"""Tables of battles that are fought to the end (EMP-ATTACK-9), by attacking armies (all but the one that stays) and defenders.

Recursion over both numbers with the exact chances of one throw (Osborne: Markov Chains for the Risk Board Game Revisited, 2003).
"""

from __future__ import annotations

from array import array

import cython

MAX_ATTACKERS = 120
"""The tables' greatest number of attackers and of defenders."""
ROW = MAX_ATTACKERS + 1


def battle_tables(chances: array[float]) -> tuple[array[float], array[float], array[float]]:
    """Return tables of the chance to capture, of the attacker's losses and of the defenders' to be expected.

    `chances` are those to win 0 to 3 pairs with 1 to 3 dice against 1 to 3, four for each: at 4 * (3 * (ours - 1) + theirs - 1).
    An entry of the tables lies at ROW * attackers + defenders.
    """
    empty = array("d", bytes(8 * ROW * ROW))
    win, lost, killed = array("d", empty), array("d", empty), array("d", empty)
    _fill(chances, win, lost, killed)
    return win, lost, killed


@cython.cfunc
def _fill(
    chances: cython.double[::1], win: cython.double[::1], lost: cython.double[::1], killed: cython.double[::1]
) -> cython.void:
    a: cython.int
    d: cython.int
    k: cython.int
    pairs: cython.int
    base: cython.int
    here: cython.int
    after: cython.int
    p: cython.double
    for a in range(1, 121):
        win[121 * a] = 1.0
        for d in range(1, 121):
            pairs = min(a, d, 3)
            base = 4 * (3 * (min(a, 3) - 1) + min(d, 3) - 1)
            here = 121 * a + d
            for k in range(pairs + 1):
                p = chances[base + k]
                after = 121 * (a - pairs + k) + d - k
                win[here] += p * win[after]
                lost[here] += p * (pairs - k + lost[after])
                killed[here] += p * (k + killed[after])


def needed(win: array[float], chance: float) -> array[int]:
    """Return by number of defenders how many attackers it takes to capture with at least that chance, else MAX_ATTACKERS."""
    need = array("i", bytes(4 * ROW))
    for d in range(1, ROW):
        need[d] = next((a for a in range(1, ROW) if win[ROW * a + d] >= chance), MAX_ATTACKERS)
    return need
