"""The notation (EWN-NOTATION-1): `4:4C2-C3`, `5:4C2xD3`, `-:4C2-C3` with one stone left, `163524` for an arrangement.

It is written in full and read leniently: letters of any case, spaces, and without whatever is not needed to tell the legal
actions apart (`C2C3`, `4C3`, `C3`). All that is given must be right.
"""

import re
from typing import TypeAlias

from brettwerk_games.rules.einstein.actions import Action, Arrange, Move
from brettwerk_games.rules.einstein.board import NUMBER_OF, SQUARES
from brettwerk_games.rules.einstein.position import GONE, Position, View
from brettwerk_games.rules.einstein.rules import moves, require_legal
from brettwerk_games.rules.notations import require_short
from brettwerk_games.rules.refusals import Ambiguous, Illegal, Malformed

RULE = "EWN-NOTATION-1"
LENGTH = 40
"""Longest text that is read, in characters."""

_MOVE = re.compile(
    r"(?:(?P<roll>[1-6-]):)?(?P<stone>[1-6])?(?P<source>[A-E][1-5])?(?P<mark>[-X])?(?P<target>[A-E][1-5])", re.ASCII
)
_ARRANGEMENT = re.compile(r"[1-6]{6}", re.ASCII)
_PASS = ("PASS", "PASSE", "PASSEN", "--")
Given: TypeAlias = Arrange | re.Match[str] | None
"""The parts of a text: an arrangement, the parts of a move, or None for a pass."""
_SIGNS = str.maketrans({"×": "X", "–": "-", "—": "-", "−": "-", ">": "-", ",": None, " ": None, "\t": None})


def write(view: View, action: Action) -> str:
    """Return the action in full notation. Raises Illegal for a move of a stone that is not on the board."""
    if isinstance(action, Arrange):
        return "".join(map(str, action.stones))
    position = view.position
    source = position.stones[position.to_move][action.stone - 1]
    if source == GONE:
        raise _misfit(str(action.stone))
    mark = "x" if captures(position, action) else "-"
    return f"{position.roll or '-'}:{action.stone}{SQUARES[source]}{mark}{SQUARES[action.target]}"


def captures(position: Position, move: Move) -> bool:
    """Tell whether a stone, own or enemy, stands where the move goes (EWN-MOVE-3)."""
    return move.target in position.stones[0] or move.target in position.stones[1]


def parse(view: View, text: str) -> Given:
    """Return what a text says, whatever the position. Raises Malformed for what is no notation."""
    require_short(text, LENGTH, RULE)
    plain = text.upper().translate(_SIGNS)
    if plain in _PASS:
        return None
    if _ARRANGEMENT.fullmatch(plain):
        if len(set(plain)) < len(plain):
            raise Malformed("an arrangement names each number once", rule=RULE, details={"text": text})
        return Arrange(tuple(map(int, plain)))
    move = _MOVE.fullmatch(plain)
    if move is None:
        raise Malformed("this is no move and no arrangement", rule=RULE, details={"text": text})
    return move


def find(view: View, text: str, given: Given) -> Action:
    """Return the action that the side to act means. Raises Ambiguous for several legal moves, Illegal with the rule otherwise."""
    position = view.position
    if given is None:
        raise Illegal("a player may not pass", rule="EWN-TURN-6")
    if isinstance(given, Arrange):
        require_legal(position, given)
        return given
    if position.arranging:
        raise Illegal("the stones must be arranged first", rule="EWN-BOARD-4")
    return _find(position, text, given)


def _find(position: Position, text: str, given: re.Match[str]) -> Move:
    side = position.stones[position.to_move]
    target = NUMBER_OF[given["target"]]
    source = NUMBER_OF[given["source"]] if given["source"] else None
    stone = int(given["stone"]) if given["stone"] else None
    if source is not None and stone is None and source in side:
        stone = side.index(source) + 1
    if given["roll"] and given["roll"] != str(position.roll or "-"):
        raise _misfit(text)
    if stone is not None:
        move = Move(stone, target)
        if source is not None and side[stone - 1] != source:
            raise _misfit(text)
        require_legal(position, move)
        fits = [move]
    else:
        fits = [move for move in moves(position) if move.target == target and source is None]
    if given["mark"] == "X":
        fits = [move for move in fits if captures(position, move)]
    if not fits:
        raise _misfit(text)
    if len(fits) > 1:
        stones = " / ".join(str(move.stone) for move in fits)
        raise Ambiguous(f"stones {stones} may go to {given['target']}", rule=RULE, details={"text": text, "stones": stones})
    return fits[0]


def _misfit(text: str) -> Illegal:
    return Illegal("the notation does not fit the position", rule=RULE, details={"text": text})
