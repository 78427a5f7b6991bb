# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Random games: every legal move is as likely as any other. They measure how fast the rules themselves are."""

import cython

_DICE = cython.declare(cython.ulonglong, 2**32 - 1)
_LANES = cython.declare(cython.ulonglong, 0b00001_00001_00001_00001_00001_00001)
_NOBODY = cython.declare(cython.ulonglong, 2**30 - 1)


def taken(side: cython.ulonglong, square: cython.int) -> cython.ulonglong:
    """Return a side without its stone on a square, if there is one."""
    differs: cython.ulonglong = side ^ square * _LANES
    zero: cython.ulonglong = (differs - _LANES) & ~differs & (_LANES << 4)
    lowest: cython.ulonglong = zero & (~zero + 1)
    return side | ((lowest << 1) - (lowest >> 4))


def play_on(mover: cython.ulonglong, other: cython.ulonglong, games: cython.int, dice: cython.ulonglong) -> tuple[int, int]:
    """Play so many games from a position before the roll; return how many the mover wins, and how many moves they had together.

    `dice` is a seed of 32 bits, not 0.
    """
    won: cython.int = 0
    plies: cython.longlong = 0
    one: cython.ulonglong
    two: cython.ulonglong
    swap: cython.ulonglong
    stone: cython.int
    lower: cython.int
    higher: cython.int
    square: cython.int
    target: cython.int
    ways: cython.int
    first_ways: cython.int
    choice: cython.int
    turn: cython.int
    with cython.nogil:
        for _ in range(games):
            one = mover
            two = other
            turn = 1
            while True:
                dice ^= dice << 13 & _DICE
                dice ^= dice >> 17
                dice ^= dice << 5 & _DICE
                stone = cython.cast(cython.int, (dice & 0xFFFF) * 6 >> 16)
                square = cython.cast(cython.int, one >> 5 * stone & 31)
                choice = cython.cast(cython.int, dice >> 16)
                if square == 31:
                    lower = stone - 1
                    while lower >= 0 and one >> 5 * lower & 31 == 31:
                        lower -= 1
                    higher = stone + 1
                    while higher < 6 and one >> 5 * higher & 31 == 31:
                        higher += 1
                    if lower < 0:
                        stone = higher
                    elif higher > 5:
                        stone = lower
                    else:
                        square = cython.cast(cython.int, one >> 5 * lower & 31)
                        first_ways = 1 if square >= 20 or square % 5 == 4 else 3
                        square = cython.cast(cython.int, one >> 5 * higher & 31)
                        ways = first_ways + (1 if square >= 20 or square % 5 == 4 else 3)
                        stone = lower if choice * ways >> 16 < first_ways else higher
                        choice = (choice * 40503 + 12345) & 0xFFFF
                    square = cython.cast(cython.int, one >> 5 * stone & 31)
                if square >= 20:
                    target = square + 1
                elif square % 5 == 4:
                    target = square + 5
                else:
                    ways = choice * 3 >> 16
                    target = square + (6 if ways == 0 else 5 if ways == 1 else 1)
                plies += 1
                two = taken(two, 24 - target)
                if target == 24 or two == _NOBODY:
                    won += turn
                    break
                one = taken(one, target) ^ (cython.cast(cython.ulonglong, square ^ target) << 5 * stone)
                swap = one
                one = two
                two = swap
                turn = 1 - turn
    return int(won), int(plies)
