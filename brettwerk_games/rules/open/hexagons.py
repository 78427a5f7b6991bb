"""Hexagons in rows, each of which lies half a hexagon further right than the one above: their names, and the scene of them.

A hexagon is a number, row by row from the top left, and is named like a square: A1 is below left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from brettwerk_games.rules.board import Board, BoardPlace
from brettwerk_games.rules.interface import Place, Scene, Text, Thing, Tiling
from brettwerk_games.rules.open.grid import Grid

_ROW_HEIGHT = 3**0.5 / 2
"""How far the middles of two rows are apart, where those of two hexagons of a row are 1 apart."""
_NEAR = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


@dataclass(frozen=True)
class Hexagons:
    """A board of that many rows and columns: together at most 64 with the columns counted twice, and 26 each."""

    rows: int
    columns: int

    def __len__(self) -> int:
        """Return how many hexagons there are."""
        return self.rows * self.columns

    def name(self, hexagon: int) -> str:
        """Return the name of a hexagon."""
        return self._squares.name(hexagon)

    @cached_property
    def near(self) -> tuple[tuple[int, ...], ...]:
        """By hexagon, the up to six beside it, ascending."""
        return tuple(map(self._beside, range(len(self))))

    def board(self) -> Board:
        """Return the hexagons, each with those beside it."""
        places = [
            BoardPlace(hexagon, self.name(hexagon), column + row / 2, row * _ROW_HEIGHT, self.near[hexagon])
            for hexagon in range(len(self))
            for row, column in (divmod(hexagon, self.columns),)
        ]
        return Board(tuple(places), width=self.columns + self.rows / 2, height=self.rows * _ROW_HEIGHT)

    def scene(self, things: Sequence[Thing | None], facts: tuple[tuple[Text, Text], ...]) -> Scene:
        """Return the board with what lies on each hexagon, and the facts beside it."""
        squares = self._squares.scene(things, facts)
        places = tuple(
            Place(place.name, place.row, 2 * place.column + place.row, place.label, place.things) for place in squares.places
        )
        return Scene(self.rows, 2 * self.columns + self.rows - 1, places, facts, tiling=Tiling.HEXAGONS)

    @cached_property
    def _squares(self) -> Grid:
        return Grid(self.rows, self.columns)

    def _beside(self, hexagon: int) -> tuple[int, ...]:
        row, column = divmod(hexagon, self.columns)
        beside = ((row + down, column + right) for down, right in _NEAR)
        return tuple(r * self.columns + c for r, c in beside if 0 <= r < self.rows and 0 <= c < self.columns)
