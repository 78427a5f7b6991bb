"""The board: squares, levels, places, directions and the frame of each seat (WEC-BOARD).

Seats are 0 Black and 1 White. A square is a number from 0, (1,1), to 99, (10,10), row by row in Black's view. A place is a square
on a level: level * 100 + square, so the places of the Ground have the numbers of their squares.
"""

from functools import cache

BLACK, WHITE = 0, 1
SIZE = 10
SQUARES = SIZE * SIZE
GROUND, AIR, SUB = 0, 1, 2
LEVELS = (GROUND, AIR, SUB)
PLACES = SQUARES * len(LEVELS)
OFF = -1
"""Stands for a square beyond the edge: nothing wraps around (WEC-BOARD-10)."""

DIRECTIONS = ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1))
"""The eight directions as steps of (row, column)."""


def place_of(square: int, level: int) -> int:
    """Return the place of a square on a level."""
    return level * SQUARES + square


def square_at(row: int, column: int) -> int:
    """Return the square at a row and column from 1 to 10, or OFF (WEC-BOARD-3)."""
    return (row - 1) * SIZE + column - 1 if 1 <= row <= SIZE and 1 <= column <= SIZE else OFF


def row_column(square: int) -> tuple[int, int]:
    """Return row and column, each from 1 to 10."""
    row, column = divmod(square, SIZE)
    return row + 1, column + 1


_NAMES = tuple(f"({square // SIZE + 1},{square % SIZE + 1})" for square in range(SQUARES))


def name_of(square: int) -> str:
    """Return a square as the notation has it: (row,column)."""
    return _NAMES[square]


def shifted(square: int, rows: int, columns: int) -> int:
    """Return the square that many rows and columns further, or OFF."""
    row, column = divmod(square, SIZE)
    row, column = row + rows, column + columns
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else OFF


NEXT = tuple(tuple(shifted(square, *step) for step in DIRECTIONS) for square in range(SQUARES))
"""By square and direction: the neighbouring square, or OFF."""

OPEN = tuple(tuple(direction for direction, near in enumerate(row) if near != OFF) for row in NEXT)
"""By square: the directions that do not leave the board."""

NEIGHBOURS = tuple(tuple(sorted(near for near in row if near != OFF)) for row in NEXT)
"""By square: its up to eight neighbours in order."""

FORWARD = (DIRECTIONS.index((1, 0)), DIRECTIONS.index((-1, 0)))
"""By seat: the direction that is forward for it (WEC-BOARD-4)."""


def framed(square: int, right: int, forward: int, seat: int) -> int:
    """Return the square that many columns to the seat's right and rows forward, or OFF (WEC-BOARD-4)."""
    return shifted(square, forward, right) if seat == BLACK else shifted(square, -forward, -right)


_DISTANCES = tuple(
    tuple(max(abs(a // SIZE - b // SIZE), abs(a % SIZE - b % SIZE)) for b in range(SQUARES)) for a in range(SQUARES)
)


def distance(a: int, b: int) -> int:
    """Return the king steps between two squares; levels do not count (WEC-BOARD-9, WEC-RUL-62)."""
    return _DISTANCES[a][b]


def king_step(source: int, target: int) -> int:
    """Return the direction of the king step from one square toward another one. Raises ValueError when they are the same."""
    (row, column), (to_row, to_column) = divmod(source, SIZE), divmod(target, SIZE)
    step = ((to_row > row) - (to_row < row), (to_column > column) - (to_column < column))
    return DIRECTIONS.index(step)


@cache
def falling_order(square: int, seat: int) -> tuple[int, ...]:
    """Return all squares in the order in which falling articles look for room (WEC-PLACE-1 to WEC-PLACE-3, WEC-RUL-41)."""
    found = [square]
    for ring in range(1, SIZE):
        across = range(-ring, ring + 1)
        frame = [(right, ring) for right in across]
        for forward in range(ring - 1, -ring, -1):
            frame += [(-ring, forward), (ring, forward)]
        frame += [(right, -ring) for right in across]
        found += [near for right, forward in frame if (near := framed(square, right, forward, seat)) != OFF]
    return tuple(found)
