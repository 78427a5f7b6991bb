# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Numbers the ways in which stones of one side can stand, so that equal ones (after the game's symmetries) share a number.

A placement is `sum(square * 24**i)` over the stones in order of their numbers; no stone stands in its goal corner. Mirroring
the board at its diagonal changes no value, and where the set of numbers is its own mirror image (1 and 6), reversing the
order of the stones does not either.
"""

import cython


def number_placements(
    stones: cython.int,
    palindromic: cython.bint,
    full: cython.int[::1],
    canon: cython.int[::1],
    full_list: cython.int[::1],
    canon_list: cython.int[::1],
) -> cython.int:
    """Fill the tables for one count of stones and return how many placements there are up to reversal.

    `full[p]` is the number of placement p up to reversal, `canon[p]` twice its number up to both symmetries plus 1 when the board
    must be mirrored for it; -1 where stones stand on each other. The lists go the other way and end with -1.
    """
    total: cython.int = 1
    placement: cython.int
    i: cython.int
    j: cython.int
    left: cython.int
    square: cython.int
    mirrored: cython.int
    reversed_: cython.int
    mirrored_reversed: cython.int
    own: cython.int
    other: cython.int
    power: cython.int
    clash: cython.bint
    count: cython.int = 0
    canonical: cython.int = 0
    squares = cython.declare(cython.int[6])
    for _ in range(stones):
        total *= 24
    for placement in range(total):
        left = placement
        clash = False
        for i in range(stones):
            squares[i] = left % 24
            left //= 24
            for j in range(i):
                if squares[j] == squares[i]:
                    clash = True
        if clash:
            full[placement] = -1
            canon[placement] = -1
            continue
        reversed_ = 0
        mirrored = 0
        mirrored_reversed = 0
        power = 1
        for i in range(stones):
            square = squares[i]
            mirrored += (square % 5 * 5 + square // 5) * power
            square = squares[stones - 1 - i]
            reversed_ += square * power
            mirrored_reversed += (square % 5 * 5 + square // 5) * power
            power *= 24
        own = placement
        other = mirrored
        if palindromic:
            own = reversed_ if reversed_ < own else own
            other = mirrored_reversed if mirrored_reversed < other else other
        if own == placement:
            full[placement] = count
            full_list[count] = placement
            count += 1
        else:
            full[placement] = full[own]
        if own > other:
            canon[placement] = canon[other] | 1
        elif own < placement:
            canon[placement] = canon[own]
        else:
            canon[placement] = 2 * canonical
            canon_list[canonical] = placement
            canonical += 1
    full_list[count] = -1
    canon_list[canonical] = -1
    return count
