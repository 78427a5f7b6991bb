"""Connect Four, the whole game: discs fall down columns, and four of them in a row win. `en.md` and `de.md` have its words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Annotated, NamedTuple

from brettwerk_games.api import Bound, Grid, Illegal, OpenEnding, OpenPosition, Option, Scene, Text, View, game_of_two, piece


class First(IntEnum):
    """Which player begins (C4-TURN-1)."""

    RED = 1
    YELLOW = 2


class Options(NamedTuple):
    """The options, settled before the start."""

    columns: Annotated[int, Option("C4-BOARD-1", min=5, max=10)] = 7
    rows: Annotated[int, Option("C4-BOARD-1", min=4, max=9)] = 6
    first: Annotated[First, Option("C4-TURN-1")] = First.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(OpenPosition):
    """The discs, row by row from the top left: 0 for none, else the seat plus one."""

    columns: Annotated[int, Bound(min=5, max=10)]
    rows: Annotated[int, Bound(min=4, max=9)]
    squares: Annotated[tuple[int, ...], Bound(items=90, max=2)]
    # The numbers that these two had in the first release; a new game leaves them out.
    to_move: Annotated[int, Bound(max=1, number=4)] = 0
    ending: Annotated[OpenEnding | None, Bound(number=5)] = None


class Action(NamedTuple):
    """Drop a disc into a column, 0 for the left one."""

    column: Annotated[int, Bound(max=9)]


ENDS = {"four": "C4-END-1", "full": "C4-END-2"}


def begin(options: Options, seed: bytes) -> Position:
    """Return the empty board."""
    squares = (0,) * (options.columns * options.rows)
    return Position(columns=options.columns, rows=options.rows, squares=squares, to_move=options.first - 1)


def legal(position: Position) -> Sequence[Action]:
    """Return a drop for each column that is not full."""
    return [Action(column) for column in range(position.columns) if not position.squares[column]]


def play(position: Position, action: Action, seed: bytes) -> Position:
    """Return the position with the disc where it has fallen (C4-TURN-1, C4-END-1, C4-END-2)."""
    seat, target, squares = position.to_move, _target(position, action), list(position.squares)
    squares[target] = seat + 1
    has_won = max(Grid(position.rows, position.columns).lines(target, squares)) >= 4
    ending = OpenEnding("four", seat) if has_won else OpenEnding("full") if all(squares) else None
    return replace(position, squares=tuple(squares), to_move=1 - seat, ending=ending)


def notate(position: Position, action: Action) -> str:
    """Return the column's letter."""
    return touched(position, action)[0][0]


def touched(position: Position, action: Action) -> tuple[str, ...]:
    """Return the square where the disc will lie."""
    return (Grid(position.rows, position.columns).name(_target(position, action)),)


def refusal(position: Position, action: Action) -> Illegal:
    """Return which rule forbids a drop."""
    there = action.column < position.columns
    return Illegal("this column takes no disc", rule="C4-TURN-2" if there else "C4-BOARD-1")


def fault(position: Position) -> str:
    """Return the field that contradicts another one: a full or won board that nobody has ended, or one of another size."""
    if len(position.squares) != position.columns * position.rows:
        return "squares"
    return "ending" if position.ending is None and all(position.squares) else ""


def board(view: View[Position], facts: tuple[tuple[Text, Text], ...]) -> Scene:
    """Return the board with its discs."""
    position = view.position
    return Grid(position.rows, position.columns).scene([piece(owner - 1) if owner else None for owner in position.squares], facts)


def _target(position: Position, action: Action) -> int:
    """Return the lowest empty square of a column that is not full; its uppermost one where it is."""
    column = range(action.column, len(position.squares), position.columns)
    return max((square for square in column if not position.squares[square]), default=action.column)


GAME = game_of_two(__name__)
