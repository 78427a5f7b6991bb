"""Squares in rows and columns: their names, and the scene of a board of them.

A square is a number, row by row from the top left. Columns are letters from the left, rows numbers from below: A1 is below left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase

from brettwerk_games.rules.board import Board, BoardPlace
from brettwerk_games.rules.interface import Place, Scene, Text, Thing
from brettwerk_games.rules.scenes import placed

MARKS = ("○", "●", "△", "▲", "□", "■")
"""By seat: what stands for a piece where nothing else is said."""


def piece(seat: int) -> Thing:
    """Return a plain piece of a seat."""
    return Thing(MARKS[seat], Text(f"piece.{seat}"), seat)


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of that many rows and columns, at most 26 each."""

    rows: int
    columns: int

    def __len__(self) -> int:
        """Return how many squares there are."""
        return self.rows * self.columns

    def name(self, square: int) -> str:
        """Return the name of a square."""
        row, column = divmod(square, self.columns)
        return f"{ascii_uppercase[column]}{self.rows - row}"

    def lines(self, square: int, owners: Sequence[int | None]) -> list[int]:
        """Return how many in a row a square's owner has through it: across, down and on both diagonals."""
        owner, found = owners[square], []
        for line in _rays(self.rows, self.columns)[square]:
            count = 1
            for ray in line:
                for other in ray:
                    if owners[other] != owner:
                        break
                    count += 1
            found.append(count)
        return found

    def board(self) -> Board:
        """Return the squares, each with the up to eight beside it."""
        places = [
            BoardPlace(square, self.name(square), square % self.columns, square // self.columns, self._beside(square))
            for square in range(len(self))
        ]
        return Board(tuple(places), width=self.columns, height=self.rows)

    def _beside(self, square: int) -> tuple[int, ...]:
        row, column = divmod(square, self.columns)
        near = [(row + way * down, column + way * right) for down, right in _WAYS for way in (1, -1)]
        return tuple(sorted(r * self.columns + c for r, c in near if 0 <= r < self.rows and 0 <= c < self.columns))

    def scene(self, things: Sequence[Thing | None], facts: tuple[tuple[Text, Text], ...]) -> Scene:
        """Return the board with what stands on each square, and the facts beside it."""
        places = tuple(self._place(square, thing) for square, thing in enumerate(things))
        return Scene(self.rows, self.columns, places, facts)

    def _place(self, square: int, thing: Thing | None) -> Place:
        name = self.name(square)
        owner = "" if thing is None or thing.owner is None else f".{thing.owner}"
        label = Text("place.empty" if thing is None else f"place.piece{owner}", {"place": name})
        return placed(self.columns, square, name, label, *(() if thing is None else (thing,)))


_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
_Line = tuple[tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=32)
def _rays(rows: int, columns: int) -> list[list[_Line]]:
    """Return for each square of a board the squares that lie from it to both sides, nearest first, in each of the four ways.

    Kept, since whoever searches asks for them after each move.
    """

    def ray(square: int, down: int, right: int) -> tuple[int, ...]:
        row, column = square // columns + down, square % columns + right
        found = []
        while 0 <= row < rows and 0 <= column < columns:
            found.append(row * columns + column)
            row, column = row + down, column + right
        return tuple(found)

    return [[(ray(square, *way), ray(square, -way[0], -way[1])) for way in _WAYS] for square in range(rows * columns)]
