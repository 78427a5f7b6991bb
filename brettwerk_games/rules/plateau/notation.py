"""The notation (EP-NOTATION): `4 B1-B2J-B3-B4`, `6 F1-F2-F3xF4`, `2 B8-A8#A9`, `6 F1..F7/6` without a path, `end`.

It is written in full and read leniently: letters of any case, with or without spaces and the army's number. All that is given
must be right. A path that is read stays in the action.
"""

import re
from typing import TypeAlias

from brettwerk_games.rules.notations import require_short
from brettwerk_games.rules.plateau.actions import Action, EndTurn, Move
from brettwerk_games.rules.plateau.board import MARK, Army
from brettwerk_games.rules.plateau.play import army_to_move
from brettwerk_games.rules.plateau.position import Position, View, base_of, holder
from brettwerk_games.rules.plateau.rules import END_TURN, moves, require_end, travel
from brettwerk_games.rules.refusals import Ambiguous, Illegal, Malformed

RULE = "EP-NOTATION-1"
END = "end"
"""How the end of a turn is written."""
LENGTH = 120
"""Longest text that is read, in characters."""

_NODE = r"[A-K](?:1[0-9]|2[0-4]|[1-9])"
_PATH = re.compile(rf"(?P<army>[246E](?=[A-K]))?(?P<path>{_NODE}(?:J?[-X#]{_NODE})+)F?", re.ASCII)
_ENDS = re.compile(
    rf"(?P<army>[246E](?=[A-K]))?(?P<source>{_NODE})\.\.(?P<sign>[X#])?(?P<target>{_NODE})(?:/(?P<steps>1[0-2]|[1-9]))?F?",
    re.ASCII,
)
_PART = re.compile(rf"(?P<sign>[-X#])?(?P<node>{_NODE})(?P<jump>J)?", re.ASCII)
Given: TypeAlias = EndTurn | re.Match[str] | None
"""The parts of a text: the end of the turn, the parts of a move, or None for a pass."""
_SIGNS = str.maketrans({"×": "X", "–": "-", "—": "-", "−": "-", "…": "..", " ": None, "\t": None})
_END = ("END", "ENDE", "ENDTURN", "YOURTURN", "DUBISTDRAN")
_PASS = ("PASS", "PASSE", "PASSEN", "--")


def write(view: View, action: Action) -> str:
    """Return the action in notation, with the path where it has one. Raises Illegal for an army that there is not."""
    if isinstance(action, EndTurn):
        return END
    position = view.position
    army = army_to_move(position, action.source)
    names = position.board.names
    if army is None or max(action.target, *action.path, 0) >= len(names):
        raise _misfit(str(action.source))
    sign = takes(position, action.target)
    if action.steps == 1 or not action.path:
        way = between(sign, action.steps == 1)
        return f"{MARK[army]} {names[action.source]}{way}{names[action.target]}{behind(action.steps)}"
    jumped = "J" if jumps(position, army, action.path) else ""
    first, second, *rest = (names[node] for node in action.path)
    nodes = "".join(f"-{name}" for name in rest[:-1])
    return f"{MARK[army]} {first}-{second}{jumped}{nodes}{sign or '-'}{rest[-1]}"


def between(sign: str, is_step: bool) -> str:
    """Return what stands between the ends of a move that names no path; `sign` is what it takes."""
    return (sign or "-") if is_step else f"..{sign}"


def behind(steps: int) -> str:
    """Return what stands behind the target of a move that names no path."""
    return "" if steps == 1 else f"/{steps}"


def takes(position: Position, node: int) -> str:
    """Return the sign before the end of a move: # where it conquers, x where it captures, nothing elsewhere."""
    if base_of(position, node) not in (None, position.to_move):
        return "#"
    return "x" if holder(position, node) else ""


def jumps(position: Position, army: Army, path: tuple[int, ...]) -> bool:
    """Tell whether a path begins with a jump."""
    return army == Army.FOUR and len(path) > 2 and holder(position, path[1]) is not None


def parse(view: View, text: str) -> Given:
    """Return what a text says, whatever the position. Raises Malformed for what is no notation."""
    require_short(text, LENGTH, RULE)
    plain = text.upper().translate(_SIGNS)
    if plain in _END:
        return END_TURN
    if plain in _PASS:
        return None
    found = _PATH.fullmatch(plain) or _ENDS.fullmatch(plain)
    if found is None:
        raise Malformed("this is no move and no end of a turn", rule=RULE, details={"text": text[:40]})
    return found


def find(view: View, text: str, given: Given) -> Action:
    """Return the action that the seat to move means. Raises Ambiguous for several numbers of steps, Illegal otherwise."""
    position = view.position
    if given is None:
        details = {"made": str(position.turn.total), "due": str(position.turn.due)}
        raise Illegal("nobody may pass", rule="EP-TURN-2", details=details)
    if isinstance(given, EndTurn):
        require_end(position)
        return END_TURN
    return _with_path(position, text, given) if given.re is _PATH else _with_ends(position, text, given)


def _with_path(position: Position, text: str, given: re.Match[str]) -> Move:
    parts = list(_PART.finditer(given["path"]))
    path = tuple(_node(position, text, part["node"]) for part in parts)
    move = Move(path[0], path[-1], len(path) - 1, path if len(path) > 2 else ())
    if move.steps > 12:
        raise _misfit(text)
    army = _army(position, text, given, path[0])
    travel(position, move)
    jumped = jumps(position, army, path)
    for index, part in enumerate(parts):
        if part["jump"] and not (jumped and index == 1):
            raise _misfit(text)
        if part["sign"] in ("X", "#") and (index < len(parts) - 1 or not _is_taken(position, move.target, part["sign"])):
            raise _misfit(text)
    return move


def _with_ends(position: Position, text: str, given: re.Match[str]) -> Move:
    source, target = _node(position, text, given["source"]), _node(position, text, given["target"])
    _army(position, text, given, source)
    if given["sign"] and not _is_taken(position, target, given["sign"]):
        raise _misfit(text)
    if given["steps"]:
        move = Move(source, target, int(given["steps"]))
        travel(position, move)
        return move
    fits = [move for move in moves(position) if (move.source, move.target) == (source, target)]
    if not fits:
        raise _misfit(text)
    if len(fits) > 1:
        steps = ", ".join(str(move.steps) for move in fits)
        details = {"text": text[:40], "steps": steps}
        raise Ambiguous(f"it may go there in {steps} steps", rule=RULE, details=details)
    return fits[0]


def _node(position: Position, text: str, name: str) -> int:
    node = position.board.number_of.get(name)
    if node is None:
        raise _misfit(text)
    return node


def _army(position: Position, text: str, given: re.Match[str], node: int) -> Army:
    army = army_to_move(position, node)
    if army is None:
        names = {"source": position.board.names[node], "node": position.board.names[node]}
        raise Illegal(f"no army of yours stands on {names['source']}", rule="EP-ARMY-4", details=names)
    if given["army"] and MARK[army] != given["army"]:
        raise _misfit(text)
    return army


def _is_taken(position: Position, node: int, sign: str) -> bool:
    return takes(position, node) == "#" if sign == "#" else holder(position, node) is not None


def _misfit(text: str) -> Illegal:
    return Illegal("the notation does not fit the position", rule=RULE, details={"text": text[:40]})
