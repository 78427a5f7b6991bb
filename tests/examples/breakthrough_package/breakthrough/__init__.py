"""Breakthrough: pawns that step forward and take diagonally; the first one at the other end wins. `en.md` has its words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from brettwerk_games.rules.bounds import Bound
from brettwerk_games.rules.interface import Scene, Text
from brettwerk_games.rules.open.grid import Grid, piece
from brettwerk_games.rules.open.of_two import game_of_two
from brettwerk_games.rules.open.values import OpenEnding, OpenPosition, View
from brettwerk_games.rules.refusals import Illegal

GRID = Grid(8, 8)
START = (2,) * 16 + (0,) * 32 + (1,) * 16
ENDS = {"through": "BT-END-1", "taken": "BT-END-1"}
WORTH = (10, 11, 12, 13, 15, 18, 24, 60)
"""The worth of a pawn that has come so many rows."""


class Options(NamedTuple):
    """There is nothing to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(OpenPosition):
    """The pawns, row by row from the top left: 0 for none, else the seat plus one. White goes up."""

    squares: Annotated[tuple[int, ...], Bound(items=64, max=2)]


class Action(NamedTuple):
    """Move a pawn from a square to one of the three before it."""

    source: Annotated[int, Bound(max=63)]
    target: Annotated[int, Bound(max=63)]


def _steps(seat: int, square: int) -> tuple[tuple[Action, bool], ...]:
    row, column = square // 8 + (1 if seat else -1), square % 8
    return tuple(
        (Action(square, row * 8 + c), c == column) for c in (column - 1, column, column + 1) if 0 <= row < 8 and 0 <= c < 8
    )


STEPS = [[_steps(seat, square) for square in range(64)] for seat in (0, 1)]
"""By seat and square: the moves of a pawn, and whether each goes straight on."""


def begin(options: Options, seed: bytes) -> Position:
    """Return two rows of pawns on each side."""
    return Position(squares=START)


def legal(position: Position) -> Sequence[Action]:
    """Return the steps to free squares, and to those of the other one diagonally (BT-TURN-1)."""
    squares, own, steps = position.squares, position.to_move + 1, STEPS[position.to_move]
    moves = [step for square in range(64) if squares[square] == own for step in steps[square]]
    return [move for move, straight in moves if squares[move.target] == 0 or (squares[move.target] != own and not straight)]


def play(position: Position, action: Action, seed: bytes) -> Position:
    """Return the position with the pawn on its new square (BT-END-1)."""
    seat, squares = position.to_move, list(position.squares)
    squares[action.source], squares[action.target] = 0, seat + 1
    ending = None
    if action.target // 8 == (7 if seat else 0):
        ending = OpenEnding("through", seat)
    elif position.squares[action.target] and 2 - seat not in squares:
        ending = OpenEnding("taken", seat)
    return Position(squares=tuple(squares), to_move=1 - seat, ending=ending)


def estimate(position: Position) -> tuple[float, float]:
    """Return what pawns and the way they have come are worth, as shares of the point."""
    lead = sum(
        WORTH[7 - square // 8] if owner == 1 else -WORTH[square // 8] for square, owner in enumerate(position.squares) if owner
    )
    share = 1 / (1 + 2.72 ** (-(lead + (4 if position.to_move == 0 else -4)) / 12))
    return share, 1 - share


def notate(position: Position, action: Action) -> str:
    """Return both squares."""
    return "-".join(touched(position, action))


def touched(position: Position, action: Action) -> tuple[str, ...]:
    """Return both squares."""
    return GRID.name(action.source), GRID.name(action.target)


def refusal(position: Position, action: Action) -> Illegal:
    """Return the rule of moves."""
    return Illegal("no pawn of yours goes there", rule="BT-TURN-1")


def fault(position: Position) -> str:
    """Return the field that contradicts another one: another number of squares, or an end that nobody has noticed."""
    squares = position.squares
    is_over = 1 in squares[:8] or 2 in squares[-8:] or not {1, 2} <= set(squares)
    return "squares" if len(squares) != 64 or (is_over and position.ending is None) else ""


def board(view: View[Position], facts: tuple[tuple[Text, Text], ...]) -> Scene:
    """Return the board with its pawns."""
    return GRID.scene([piece(owner - 1) if owner else None for owner in view.position.squares], facts)


GAME = game_of_two(__name__)
