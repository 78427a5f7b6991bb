"""The game's values paired with the messages of plateau.proto, and where the two differ."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from brettwerk.v1 import plateau_pb2 as pb
from brettwerk_games.rules.derived.differences import As, Differences, Fault
from brettwerk_games.rules.derived.pairs import Pairs
from brettwerk_games.rules.plateau import wire
from brettwerk_games.rules.plateau.actions import Move, Moved
from brettwerk_games.rules.plateau.board import Army, nodes_of, setup
from brettwerk_games.rules.plateau.options import Options
from brettwerk_games.rules.plateau.position import Armies, End, Position, Turn, View
from brettwerk_games.rules.refusals import Malformed

_SETS = 4096
"""How many laid out sets of nodes are kept, each of which takes a few hundred bytes."""


class _Stored(NamedTuple):
    """A position as its message has it: with what stands on each node."""

    options: Options
    seats: int
    nodes: Sequence[int]
    to_move: int
    turn: Turn
    fallen: tuple[int, ...]
    history: tuple[int, ...]
    winner: int | None
    end: End | None
    turns: int | None


def _stored(position: Position) -> _Stored:
    armies = position.armies
    return _Stored(position.options, len(armies), _nodes(armies, len(position.board.names)), *position[2:])


def _nodes(armies: tuple[Armies, ...], count: int) -> bytes:
    laid = 0
    for seat, own in enumerate(armies):
        for army, nodes in enumerate(own):
            if nodes:
                laid |= _laid(nodes, len(Army) * seat + army + 1)
    return laid.to_bytes(count, "little")


@lru_cache(maxsize=_SETS)
def _laid(nodes: int, code: int) -> int:
    """Return a number with a byte for each node, which is `code` for those of a set."""
    return int.from_bytes(f"{nodes:b}".encode().translate(bytes.maketrans(b"01", bytes((0, code)))), "big")


def _position(stored: _Stored) -> Position:
    options, seats, nodes = stored[:3]
    there = setup(options.size, options.shape, seats)
    if there is None:
        raise Malformed("there is no such board for so many", field="options.size")
    return Position(options, wire.armies(nodes, there.board, seats, "nodes"), *stored[3:])


def _node_set(nodes: Sequence[int]) -> int:
    found = 0
    for node in nodes:
        if found >> node:
            raise Malformed("nodes are named in order, each once")
        found |= 1 << node
    return found


def _army_code(army: tuple[int, Army] | None) -> int:
    return 0 if army is None else wire.code(*army)


def _army_of(number: int) -> tuple[int, Army] | None:
    return wire.army_of(number) if number else None


def _number(army: Army) -> int:
    return army + 1


def _army(number: int) -> Army:
    return Army(number - 1)


def _move_fault(move: Move) -> Fault | None:
    source, target, steps, path = move
    if path and (path[0], path[-1], len(path) - 1) != (source, target, steps):
        return "path", "the path leads from source to target in so many steps"
    return None


def _moved_fault(moved: Moved) -> Fault | None:
    return ("path", "a path has two nodes and more") if len(moved.path) < 2 else None


def _view_fault(view: View) -> Fault | None:
    seats = len(view.position.armies)
    return ("seat", "there is no such seat") if view.seat is not None and view.seat >= seats else None


PAIRS = Pairs(
    "Plateau",
    pb.DESCRIPTOR.message_types_by_name,
    Differences(
        ways={
            "PlateauPosition": As(_Stored, _stored, _position),
            "PlateauTurn.moved": As(tuple[int, ...], nodes_of, _node_set),
            "PlateauMoved.army": As(int, _number, _army),
            "PlateauMoved.captured": As(int, _army_code, _army_of),
        },
        checks={Position: wire.fault, View: _view_fault, Move: _move_fault, Moved: _moved_fault},
        left_out=frozenset({"PlateauOptions", "PlateauTurn"}),
        unread=frozenset({"PlateauView.guide"}),
        unnumbered=frozenset({"PlateauPosition.fallen", "PlateauTurn.moved", "PlateauMove.path", "PlateauMoved.path"}),
        kept={"PlateauOptions": 256},
    ),
)
