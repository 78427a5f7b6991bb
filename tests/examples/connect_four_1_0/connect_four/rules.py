"""The rules of Connect Four: discs fall down columns, and four of them in a row win."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from string import ascii_uppercase
from typing import ClassVar

from services.games.interface import Scene, Text
from services.games.open.grid import Grid, piece
from services.games.open.of_two import GameOfTwo
from services.games.open.values import OpenEnding, OpenPosition, View
from services.games.refusals import Illegal


class First(IntEnum):
    """Who begins (C4-TURN-1)."""

    RED = 1
    YELLOW = 2


@dataclass(frozen=True, slots=True)
class Options:
    """What is settled before the start."""

    columns: int = 7
    rows: int = 6
    first: First = First.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(OpenPosition):
    """The discs, row by row from the top left: 0 for none, else the seat plus one."""

    columns: int
    rows: int
    squares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """Drop a disc into a column."""

    column: int


class ConnectFour(GameOfTwo[Options, Position, Drop]):
    """The game."""

    ends: ClassVar = {"four": "C4-END-1", "full": "C4-END-2"}

    def begin(self, options: Options, seed: bytes) -> Position:
        """Return the empty board."""
        squares = (0,) * (options.columns * options.rows)
        return Position(columns=options.columns, rows=options.rows, squares=squares, to_move=options.first - 1)

    def legal(self, position: Position) -> Sequence[Drop]:
        """Return a drop for each column that is not full."""
        return [Drop(column) for column in range(position.columns) if not position.squares[column]]

    def play(self, position: Position, action: Drop, seed: bytes) -> Position:
        """Return the position with the disc where it has fallen (C4-TURN-1, C4-END-1, C4-END-2)."""
        seat, target, squares = position.to_move, _target(position, action), list(position.squares)
        squares[target] = seat + 1
        ending = None
        if max(Grid(position.rows, position.columns).lines(target, squares)) >= 4:
            ending = OpenEnding("four", seat)
        elif all(squares):
            ending = OpenEnding("full")
        return replace(position, squares=tuple(squares), to_move=1 - seat, ending=ending)

    def notate(self, position: Position, action: Drop) -> str:
        """Return the column's letter."""
        return ascii_uppercase[action.column]

    def touched(self, position: Position, action: Drop) -> tuple[str, ...]:
        """Return the square where the disc will lie."""
        return (Grid(position.rows, position.columns).name(_target(position, action)),)

    def refusal(self, position: Position, action: Drop) -> Illegal:
        """Return which rule forbids a drop."""
        there = action.column < position.columns
        return Illegal("this column takes no disc", rule="C4-TURN-2" if there else "C4-BOARD-1")

    def fault(self, position: Position) -> str:
        """Return the field that contradicts another one: a full or won board that nobody has ended, or one of another size."""
        if len(position.squares) != position.columns * position.rows:
            return "squares"
        return "ending" if position.ending is None and all(position.squares) else ""

    def board(self, view: View[Position], facts: tuple[tuple[Text, Text], ...]) -> Scene:
        """Return the board with its discs."""
        position = view.position
        return Grid(position.rows, position.columns).scene(
            [piece(owner - 1) if owner else None for owner in position.squares], facts
        )


def _target(position: Position, action: Drop) -> int:
    """Return the lowest empty square of a column that is not full; its uppermost one where it is."""
    column = range(action.column, len(position.squares), position.columns)
    return max((square for square in column if not position.squares[square]), default=action.column)
