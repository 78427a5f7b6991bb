"""Facts that follow from a position: for boards, which know no rules."""

from typing import NamedTuple

from brettwerk_games.rules.plateau import budget
from brettwerk_games.rules.plateau.board import ARMIES, Army, bits
from brettwerk_games.rules.plateau.danger import threats
from brettwerk_games.rules.plateau.position import Order, Position, View
from brettwerk_games.rules.plateau.terrain import Terrain, terrain

Way = tuple[int, ...]


class Tally(NamedTuple):
    """How far the turn has come: what is called (EP-TURN-9), what is due, and what is free (EP-TURN-4 to EP-TURN-6).

    Steps are free only where an army has somewhere to go with them. `emblem_closes`: once the emblem moves, no small army may
    (EP-TURN-6).
    """

    called: int
    owed: int
    small_left: int
    emblem_left: int
    emblem_closes: bool


class Outlook(NamedTuple):
    """The armies that the seat to move can use, and the threats to it.

    `ready` are armies with steps free; small armies may walk through `passable` without `home`, the emblem through all of it.
    `ways` are Ls of twos that capture and beginnings of jumps; `threats` ways of enemies to the base.
    """

    ready: tuple[int, ...]
    passable: int
    home: int
    ways: tuple[Way, ...]
    threats: tuple[Way, ...]


def tally(position: Position) -> Tally:
    """Return how far the turn has come."""
    turn, ground = position.turn, terrain(position, position.to_move)
    small_left = budget.allowance(turn, Army.SIX) if _small_can_step(position, ground) else 0
    emblem = position.armies[position.to_move][Army.EMBLEM] & ~turn.moved
    can_step = position.board.spread(emblem) & (ground.passable | ground.ends)
    emblem_left = budget.allowance(turn, Army.EMBLEM) if can_step else 0
    return Tally(
        budget.called(turn),
        max(0, turn.due - turn.total),
        small_left,
        emblem_left,
        emblem_left > 0 and turn.order == Order.SMALL,
    )


def outlook(view: View) -> Outlook | None:
    """Return what the seat to move can do; None for all others, and after the end."""
    position = view.position
    if view.seat != position.to_move or position.end is not None:
        return None
    ground = terrain(position, view.seat)
    own, turn = position.armies[view.seat], position.turn
    free = [budget.allowance(turn, army) for army in ARMIES]
    ready = sum(own[army] & ~turn.moved for army in ARMIES if free[army])
    ways = (
        *(_angles(position, ground, own[Army.TWO] & ready) if free[Army.TWO] > 1 else ()),
        *(_jumps(position, ground, own[Army.FOUR] & ready) if free[Army.FOUR] > 1 else ()),
    )
    return Outlook(tuple(bits(ready)), ground.passable, ground.home, ways, threats(position, view.seat))


def _small_can_step(position: Position, ground: Terrain) -> bool:
    """Tell whether a small army that has not moved is beside a node that it may step on, or may begin with a jump."""
    board, own, free = position.board, position.armies[position.to_move], ~position.turn.moved
    twos, fours, sixes = (own[army] & free for army in (Army.TWO, Army.FOUR, Army.SIX))
    walks = board.spread(twos | fours | sixes) & ground.passable & ~ground.home
    return bool(walks or board.spread(fours | sixes) & ground.ends or _jumps(position, ground, fours))


def _angles(position: Position, ground: Terrain, twos: int) -> tuple[Way, ...]:
    board, passable = position.board, ground.passable & ~ground.home
    return tuple(
        (node, corner, target)
        for node in bits(twos)
        if board.within[Army.TWO][node] & ground.ends
        for corner, target in board.corners[node]
        if ground.ends >> target & 1 and passable >> corner & 1
    )


def _jumps(position: Position, ground: Terrain, fours: int) -> tuple[Way, ...]:
    board, passable = position.board, ground.passable & ~ground.home
    landings = passable | ground.ends if ground.jump_may_end else passable
    return tuple(
        (node, over, landing)
        for node in bits(fours)
        for over, landing in board.jumps[node]
        if ground.jumpable >> over & 1 and landings >> landing & 1
    )
