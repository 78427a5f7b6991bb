"""Positions written down for tests: `board("1@A2 5@B2", "2@C1", "black", 4)`."""

from brettwerk_games.rules.einstein.actions import Action, Move
from brettwerk_games.rules.einstein.board import BLACK, NUMBER_OF, SQUARES, WHITE
from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.einstein.position import GONE, Position, Side

SEED = bytes(32)
EINSTEIN = Einstein()

INITIAL = ("1@A1 6@B1 3@C1 5@A2 2@B2 4@A3", "2@E3 3@D4 1@E4 4@C5 6@D5 5@E5")
"""Black and White of board I of the cases: the manual's picture."""
EXAMPLE = ("1@A2 5@B2 4@B3", "2@C1 6@D4 1@E4 4@C5 5@E5")
"""Black and White of board X of the cases: the manual's example."""

SEATS = {"white": WHITE, "black": BLACK}


def side(stones: str) -> Side:
    squares = [GONE] * 6
    for stone in stones.split():
        number, square = stone.split("@")
        squares[int(number) - 1] = NUMBER_OF[square]
    return tuple(squares)


def board(black: str, white: str, to_move: str, roll: int = 0) -> Position:
    return Position((side(white), side(black)), SEATS[to_move], roll)


def stones(position: Position, seat: str) -> str:
    """Return a side as `board` takes it."""
    numbered = enumerate(position.stones[SEATS[seat]], 1)
    return " ".join(f"{stone}@{SQUARES[square]}" for stone, square in numbered if square != GONE)


def legal(position: Position) -> tuple[Action, ...]:
    return tuple(EINSTEIN.actions(EINSTEIN.view(position, position.to_move)))


def may(position: Position) -> dict[int, set[str]]:
    """Return the target squares of each stone that may move."""
    found: dict[int, set[str]] = {}
    for action in legal(position):
        assert isinstance(action, Move)
        found.setdefault(action.stone, set()).add(SQUARES[action.target])
    return found


def move(stone: int, target: str) -> Move:
    return Move(stone, NUMBER_OF[target])


def after(position: Position, stone: int, target: str, seed: bytes = SEED) -> Position:
    """Return the position after a move of the side to move."""
    return EINSTEIN.apply(position, position.to_move, move(stone, target), seed).position
