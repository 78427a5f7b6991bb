"""The board of 5 x 5 squares: names, corners, start squares and the steps that a stone may take (EWN-BOARD, EWN-MOVE).

Seats are 0 White and 1 Black. A square is a number from 0 (A1) to 24 (E5), row by row.
"""

from itertools import permutations

WHITE, BLACK = 0, 1
SIZE = 5
STONES = 6
"""Stones of a side; they are numbered from 1."""

SQUARES = tuple(f"{column}{row}" for row in "12345" for column in "ABCDE")
"""The name of each square (EWN-BOARD-1)."""

NUMBER_OF = {name: number for number, name in enumerate(SQUARES)}
"""The square of each name."""

GOAL = (0, 24)
"""By seat: the corner it runs for, which is the other's own corner (EWN-BOARD-2, EWN-END-1)."""


def _squares(names: str) -> tuple[int, ...]:
    return tuple(NUMBER_OF[name] for name in names.split())


START_SQUARES = (_squares("E5 D5 C5 E4 D4 E3"), _squares("A1 B1 C1 A2 B2 A3"))
"""By seat: the six start squares in the order in which arrangements name them (EWN-BOARD-3)."""

STANDARD = ((5, 6, 4, 1, 3, 2), (1, 6, 3, 5, 2, 4))
"""By seat: the stone on each start square in the standard set-up (EWN-BOARD-3)."""

ARRANGEMENTS = tuple(permutations(range(1, STONES + 1)))
"""All 720 ways to arrange six stones on the start squares, in order (EWN-BOARD-4)."""


def _steps(seat: int, square: int) -> tuple[int, ...]:
    row, column = divmod(square, SIZE)
    step = 1 if seat == BLACK else -1
    targets = [(row, column + step), (row + step, column), (row + step, column + step)]
    return tuple(sorted(SIZE * r + c for r, c in targets if 0 <= r < SIZE and 0 <= c < SIZE))


TARGETS = tuple(tuple(_steps(seat, square) for square in range(SIZE * SIZE)) for seat in (WHITE, BLACK))
"""By seat and square: where a stone may go from there (EWN-MOVE-1): three squares, or one on an edge (EWN-MOVE-2)."""
