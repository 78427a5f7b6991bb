"""Breakthrough, the whole game: pawns step forward and take diagonally. `en.md` and `de.md` have its words."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from brettwerk_games.api import Bound, Grid, OpenEnding, OpenPosition, game_of_two

GRID = Grid(8, 8)
ENDS = {"through": "BT-END-1", "taken": "BT-END-1"}
FORBIDDEN = "BT-TURN-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(OpenPosition):
    """The pawns, row by row from the top left: 0 for none, else the seat plus one. White goes up."""

    squares: Annotated[tuple[int, ...], Bound(items=64, max=2)] = (2,) * 16 + (0,) * 32 + (1,) * 16


class Action(NamedTuple):
    """Move a pawn from a square to one of the three before it."""

    source: Annotated[int, Bound(max=63)]
    target: Annotated[int, Bound(max=63)]


STEPS = [
    [
        [(Action(at, at + ahead + side), side == 0) for side in (-1, 0, 1) if 0 <= at % 8 + side < 8 and 0 <= at + ahead < 64]
        for at in range(64)
    ]
    for ahead in (-8, 8)
]
"""By seat and square: the moves of a pawn, and whether each goes straight on."""


def legal(position: Position) -> list[Action]:
    """Return the steps to free squares, and those onto pawns of the other seat, diagonally (BT-TURN-1)."""
    squares, own, steps = position.squares, position.to_move + 1, STEPS[position.to_move]
    moves = [step for square in range(64) if squares[square] == own for step in steps[square]]
    return [move for move, straight in moves if not squares[move.target] or (squares[move.target] != own and not straight)]


def play(position: Position, action: Action, seed: bytes) -> Position:
    """Return the position with the pawn on its new square (BT-END-1)."""
    seat, squares = position.to_move, list(position.squares)
    squares[action.source], squares[action.target] = 0, seat + 1
    is_through, has_taken = action.target // 8 == 7 * seat, 2 - seat not in squares
    ending = OpenEnding("through" if is_through else "taken", seat) if is_through or has_taken else None
    return Position(squares=tuple(squares), to_move=1 - seat, ending=ending)


GAME = game_of_two(__name__)
