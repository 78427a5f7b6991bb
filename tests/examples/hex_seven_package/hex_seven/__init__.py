"""Hex on seven times seven cells: the first player whose stones connect both of their sides wins. `en.md` has its words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from brettwerk_games.rules.board import Board
from brettwerk_games.rules.bounds import Bound
from brettwerk_games.rules.interface import Scene, Text
from brettwerk_games.rules.open.grid import piece
from brettwerk_games.rules.open.hexagons import Hexagons
from brettwerk_games.rules.open.of_two import game_of_two
from brettwerk_games.rules.open.values import OpenEnding, OpenPosition, View
from brettwerk_games.rules.refusals import Illegal

SIZE = 7
CELLS = SIZE * SIZE
GRID = Hexagons(SIZE, SIZE)
ENDS = {"connected": "HX-END-1"}


class Options(NamedTuple):
    """There is nothing to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(OpenPosition):
    """The stones, row by row from the top left: 0 for none, else the seat plus one."""

    cells: Annotated[tuple[int, ...], Bound(items=CELLS, max=2)]


class Action(NamedTuple):
    """Put a stone on a cell."""

    cell: Annotated[int, Bound(max=CELLS - 1)]


ACTIONS = tuple(map(Action, range(CELLS)))
NEAR = GRID.near
EDGES = (
    (frozenset(range(SIZE)), frozenset(range(CELLS - SIZE, CELLS))),
    (frozenset(range(0, CELLS, SIZE)), frozenset(range(SIZE - 1, CELLS, SIZE))),
)
"""By seat: the cells of both sides that it connects."""


def begin(options: Options, seed: bytes) -> Position:
    """Return the empty board."""
    return Position(cells=(0,) * CELLS)


def legal(position: Position) -> Sequence[Action]:
    """Return the free cells (HX-TURN-1)."""
    return [action for action, owner in zip(ACTIONS, position.cells, strict=True) if not owner]


def play(position: Position, action: Action, seed: bytes) -> Position:
    """Return the position with the stone (HX-END-1)."""
    seat, cell, cells = position.to_move, action.cell, position.cells
    after = (*cells[:cell], seat + 1, *cells[cell + 1 :])
    ending = OpenEnding("connected", seat) if _connects(after, cell, seat) else None
    return Position(cells=after, to_move=1 - seat, ending=ending)


def _connects(cells: tuple[int, ...], cell: int, seat: int) -> bool:
    """Tell whether the stones around one reach both sides."""
    met, found = {cell}, [cell]
    for each in found:
        for near in NEAR[each]:
            if cells[near] == seat + 1 and near not in met:
                met.add(near)
                found.append(near)
    return not any(met.isdisjoint(edge) for edge in EDGES[seat])


def notate(position: Position, action: Action) -> str:
    """Return the cell."""
    return GRID.name(action.cell)


def touched(position: Position, action: Action) -> tuple[str, ...]:
    """Return the cell."""
    return (GRID.name(action.cell),)


def refusal(position: Position, action: Action) -> Illegal:
    """Return the rule of moves."""
    return Illegal("this cell is taken", rule="HX-TURN-1")


def fault(position: Position) -> str:
    """Return the field that contradicts another one: another number of cells, or an end that nobody has noticed."""
    cells = position.cells
    if len(cells) != CELLS:
        return "cells"
    connected = (any(_connects(cells, c, seat) for c in EDGES[seat][0] if cells[c] == seat + 1) for seat in (0, 1))
    return "cells" if position.ending is None and any(connected) else ""


def board(view: View[Position], facts: tuple[tuple[Text, Text], ...]) -> Scene:
    """Return the board with its stones."""
    sides = tuple((Text(f"seat.{seat}.name"), Text(f"fact.sides.{seat}")) for seat in (0, 1))
    return GRID.scene([piece(owner - 1) if owner else None for owner in view.position.cells], (*facts, *sides))


def board_of(options: Options, seats: int) -> Board:
    """Return the cells, each with the up to six beside it."""
    return GRID.board()


GAME = game_of_two(__name__)
