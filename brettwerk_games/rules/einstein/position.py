"""The position: where the stones are, whose turn it is, and the roll that stands."""

from enum import IntEnum
from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.einstein.board import BLACK, GOAL, SIZE, START_SQUARES, STONES, WHITE
from brettwerk_games.rules.einstein.options import First, Setup

GONE = -1
"""The square of a stone that has left the board."""

Side: TypeAlias = tuple[int, ...]
"""The squares of a side's six stones, stone 1 first; GONE for what was captured."""

ALL_GONE: Side = (GONE,) * STONES

ARRANGED = 0
"""Nobody arranges stones any more: the usual state."""
WHITE_ARRANGES = 2
"""Black has arranged their stones, White is about to."""
BOTH_ARRANGE = 3
"""Black is about to arrange their stones, White after them."""


class End(IntEnum):
    """How a game was won. The numbers are those of the contract."""

    CORNER = 1
    CAPTURE = 2
    RESIGNED = 3
    TIME = 4


class Position(NamedTuple):
    """Everything there is; nothing in this game is hidden.

    `stones` are the sides of seat 0 (White) and 1 (Black). `roll` is 0 when none is needed (EWN-TURN-5), during the set-up
    and after the end. `to_move` stays with the last mover when the game is over; `winner` and `end` are None until then.
    """

    stones: tuple[Side, Side]
    to_move: int = WHITE
    roll: int = 0
    first: int = WHITE
    arranging: int = ARRANGED
    winner: int | None = None
    end: End | None = None
    show_roll: bool = False
    first_option: First = First.WHITE
    setup: Setup = Setup.STANDARD


class View(NamedTuple):
    """The view of a seat, or of a spectator (None): all of the position."""

    position: Position
    seat: int | None


def arranged(seat: int, numbers: tuple[int, ...]) -> Side:
    """Return the side with `numbers` on its start squares, in the order of EWN-BOARD-3."""
    square_of = dict(zip(numbers, START_SQUARES[seat], strict=True))
    return tuple(square_of[stone] for stone in range(1, STONES + 1))


def code(seat: int, stone: int) -> int:
    """Return the number that stands for a stone in the contract: 1 to 6 black stones, 7 to 12 white ones."""
    return stone if seat == BLACK else stone + STONES


def stone_of(code: int) -> tuple[int, int]:
    """Return seat and number of a stone by its number in the contract."""
    return (BLACK, code) if code <= STONES else (WHITE, code - STONES)


def squares(position: Position) -> tuple[int, ...]:
    """Return what stands on each of the 25 squares: 0 for nothing, else the stone's number in the contract."""
    return codes(position.stones)


def codes(stones: tuple[Side, Side]) -> tuple[int, ...]:
    """Return the same of the sides of both seats."""
    board = [0] * (SIZE * SIZE)
    for seat, side in enumerate(stones):
        for stone, square in enumerate(side, 1):
            if square != GONE:
                board[square] = code(seat, stone)
    return tuple(board)


def needs_roll(side: Side) -> bool:
    """Tell whether a side has to roll before it moves: with two stones or more (EWN-TURN-2, EWN-TURN-5)."""
    return side.count(GONE) < STONES - 1


def fault(position: Position) -> tuple[str, str] | None:
    """Return the field that contradicts the others and why, or None.

    A position without a fault is one that the rules can be asked about. It may still be none to start from, see start.py.
    """
    arranging, white, black = position.arranging, position.stones[WHITE], position.stones[BLACK]
    if (position.winner is None) != (position.end is None):
        return "end", "a game has a winner exactly when it has ended"
    if position.end == End.CORNER and GOAL[position.winner or 0] not in position.stones[position.winner or 0]:
        return "end", "the winner has no stone in the corner"
    if position.end == End.CAPTURE and position.stones[1 - (position.winner or 0)] != ALL_GONE:
        return "end", "the loser has stones left"
    if position.roll and (arranging or position.winner is not None):
        return "roll", "there is no roll before the set-up is made or after the end"
    if arranging == ARRANGED:
        return None
    if arranging not in (WHITE_ARRANGES, BOTH_ARRANGE):
        return "arranging", "White arranges after Black"
    if position.to_move != (WHITE if arranging == WHITE_ARRANGES else BLACK):
        return "to_move", "the side that arranges its stones is to act"
    if white != ALL_GONE or (sorted(black) != sorted(START_SQUARES[BLACK]) if arranging == WHITE_ARRANGES else black != ALL_GONE):
        return "squares", "stones stand on the board before they are arranged"
    return None
