"""Othello: discs that are enclosed change their colour, and the one with more of them wins. `en.md` has its words.

Boards are looked at as numbers with a byte for each square, so that a shift moves all discs of a seat at once.
"""

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
START = bytes({27: 2, 28: 1, 35: 1, 36: 2}.get(square, 0) for square in range(64))
ENDS = {"more": "OT-END-1", "equal": "OT-END-1"}
CORNERS = {0: (1, 8, 9), 7: (6, 15, 14), 56: (48, 57, 49), 63: (55, 62, 54)}
"""By corner: the squares beside it, the diagonal one last."""


class Options(NamedTuple):
    """There is nothing to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(OpenPosition):
    """The discs, row by row from the top left: 0 for none, else the seat plus one."""

    discs: Annotated[bytes, Bound(max=64)]


class Action(NamedTuple):
    """Put a disc on a square."""

    square: Annotated[int, Bound(max=63)]


ACTIONS = tuple(map(Action, range(64)))
OWN = [bytes(int(owner == seat + 1) for owner in range(256)) for seat in (0, 1)]
_FREE = bytes(int(owner == 0) for owner in range(256))
_ALL = int.from_bytes(b"\1" * 64, "little")
_INNER = int.from_bytes(b"\0\1\1\1\1\1\1\0" * 8, "little")
_WAYS = ((8, _INNER), (64, _ALL), (56, _INNER), (72, _INNER))
"""How many bits further the next square lies in a direction, and the squares that discs between two others may lie on."""

_SIGN = (0, 1, -1)


def _seen(discs: bytes, seat: int) -> tuple[int, int, int]:
    mine, theirs, free = (int.from_bytes(discs.translate(table), "little") for table in (OWN[seat], OWN[1 - seat], _FREE))
    return mine, theirs, free


def _moves(discs: bytes, seat: int) -> int:
    mine, theirs, free = _seen(discs, seat)
    moves = 0
    for bits, allowed in _WAYS:
        between = theirs & allowed
        up, down = between & (mine << bits), between & (mine >> bits)
        for _ in range(5):
            up |= between & (up << bits)
            down |= between & (down >> bits)
        moves |= up << bits | down >> bits
    return moves & free


def begin(options: Options, seed: bytes) -> Position:
    """Return the four discs of the start."""
    return Position(discs=START)


def legal(position: Position) -> Sequence[Action]:
    """Return the squares where a disc encloses others (OT-TURN-1)."""
    moves = _moves(position.discs, position.to_move).to_bytes(64, "little")
    return [action for action, can in zip(ACTIONS, moves, strict=True) if can]


def play(position: Position, action: Action, seed: bytes) -> Position:
    """Return the position with the disc and those that it turned (OT-TURN-1, OT-TURN-2, OT-END-1)."""
    seat, put = position.to_move, 1 << 8 * action.square
    mine, theirs, _ = _seen(position.discs, seat)
    turned = 0
    for bits, allowed in _WAYS:
        between = theirs & allowed
        up, down = between & (put << bits), between & (put >> bits)
        for _ in range(5):
            up |= between & (up << bits)
            down |= between & (down >> bits)
        turned |= (up if mine & (up << bits) else 0) | (down if mine & (down >> bits) else 0)
    mine, theirs = mine | put | turned, theirs & ~turned
    discs = (mine * (seat + 1) | theirs * (2 - seat)).to_bytes(64, "little")
    if _moves(discs, 1 - seat):
        return Position(discs=discs, to_move=1 - seat)
    if _moves(discs, seat):
        return Position(discs=discs, to_move=seat)
    lead = discs.count(1) - discs.count(2)
    return Position(discs=discs, to_move=1 - seat, ending=OpenEnding("more", int(lead < 0)) if lead else OpenEnding("equal"))


def estimate(position: Position) -> tuple[float, float]:
    """Return what corners, the squares beside free ones and the choice of moves are worth, as shares of the point."""
    discs = position.discs
    lead = 0.0
    for corner, beside in CORNERS.items():
        if discs[corner]:
            lead += 8 * _SIGN[discs[corner]]
        else:
            lead -= sum(weight * _SIGN[discs[square]] for square, weight in zip(beside, (1, 1, 2), strict=True))
    lead += _moves(discs, 0).bit_count() - _moves(discs, 1).bit_count()
    if (free := discs.count(0)) < 14:
        lead += (discs.count(1) - discs.count(2)) * (14 - free) / 10
    share = 1 / (1 + 2.72 ** (-lead / 8))
    return share, 1 - share


def notate(position: Position, action: Action) -> str:
    """Return the square."""
    return GRID.name(action.square)


def touched(position: Position, action: Action) -> tuple[str, ...]:
    """Return the square."""
    return (GRID.name(action.square),)


def refusal(position: Position, action: Action) -> Illegal:
    """Return the rule of moves."""
    return Illegal("a disc here encloses nothing", rule="OT-TURN-1")


def fault(position: Position) -> str:
    """Return the field that contradicts another one: other squares than there are, or a seat that cannot move."""
    discs = position.discs
    if len(discs) != 64 or max(discs) > 2:
        return "discs"
    return "to_move" if position.ending is None and not _moves(discs, position.to_move) else ""


def board(view: View[Position], facts: tuple[tuple[Text, Text], ...]) -> Scene:
    """Return the board with its discs."""
    return GRID.scene([piece(owner - 1) if owner else None for owner in view.position.discs], facts)


GAME = game_of_two(__name__)
