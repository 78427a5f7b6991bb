"""Whether a turn can still have the steps that are due (EP-TURN-2, EP-TURN-8, EP-TURN-11).

First a plan is looked for: moves of small armies that do not get in each other's way, enough for what is due. Nearly always
there is one. Where there is none, all that can be played is searched.
"""

from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.plateau.board import REACH, Board, bits
from brettwerk_games.rules.plateau.moves import SMALL, Candidate, candidates, standing
from brettwerk_games.rules.plateau.play import play
from brettwerk_games.rules.plateau.position import STEPS_DUE, Armies, Order, Position, Turn
from brettwerk_games.rules.plateau.route import route
from brettwerk_games.rules.plateau.terrain import Terrain, terrain

ENOUGH = 16
"""A plan of this many steps is enough, whichever of its moves another one spoils."""

_Reached: TypeAlias = tuple[tuple[Armies, ...], Turn, frozenset[int]]


class Plan(NamedTuple):
    """Walks of small armies over nodes that no two of them share: by army's node its steps; their sum; the longest."""

    steps: dict[int, int]
    total: int
    longest: int

    def spare(self, node: int) -> int:
        """Return the steps that remain whatever the army on a node does: without its own walk, and one that it blocks."""
        return self.total - self.steps.get(node, 0) - self.longest


NO_PLAN = Plan({}, 0, 0)
"""Where nothing has to be planned."""


def plan(position: Position, ground: Terrain, enough: int = ENOUGH) -> Plan:
    """Return walks of small armies that have not moved; any of them may also stop early, and all can be made in any order."""
    board = position.board
    free = ground.passable & ~ground.home
    total = longest = 0
    steps: dict[int, int] = {}
    for army, node in standing(position, SMALL):
        made, nodes = _stroll(board, node, REACH[army], free)
        if made:
            steps[node] = made
            free &= ~nodes
            total += made
            longest = max(longest, made)
            if total >= enough:
                break
    return Plan(steps, total, longest)


def _stroll(board: Board, node: int, most: int, free: int) -> tuple[int, int]:
    """Return the steps of a longest path over free nodes, up to `most`, and its nodes without the first."""
    best = 0, 0
    for other in bits(board.joined[node] & free):
        here = 1 << other
        made, nodes = _stroll(board, other, most - 1, free & ~here) if most > 1 else (0, 0)
        if made + 1 > best[0]:
            best = made + 1, nodes | here
            if best[0] == most:
                break
    return best


def owed(position: Position) -> int:
    """Return how many steps the turn still lacks."""
    return max(0, position.turn.due - position.turn.total)


def finishable(position: Position) -> bool:
    """Tell whether the seat to move can make the steps that are still due, or end the game in trying."""
    lacking = owed(position)
    if not lacking or position.end is not None:
        return True
    if position.turn.order == Order.SMALL_EMBLEM:
        return False
    if plan(position, terrain(position, position.to_move), lacking).total >= lacking:
        return True
    return _most(position, lacking, ending=lacking) >= lacking


def played(position: Position, candidate: Candidate) -> Position:
    """Return the position after a candidate."""
    reached, board = candidate.reached, position.board
    ground = terrain(position, position.to_move)
    path = route(board, candidate.army, candidate.source, reached.target, reached.steps, ground)
    assert path is not None, "what can be reached has a path"
    return play(position, candidate.army, path)[0]


def steps_due(position: Position) -> int:
    """Return how many steps the turn that begins here must have: six, or as many as its longest course has (EP-TURN-8)."""
    if plan(position, terrain(position, position.to_move), STEPS_DUE).total >= STEPS_DUE:
        return STEPS_DUE
    return _most(position, STEPS_DUE, ending=0)


def _most(position: Position, wanted: int, ending: int, known: dict[_Reached, int] | None = None) -> int:
    """Return the most steps, up to `wanted`, that can still be made; a move that ends the game counts for at least `ending`.

    `known` are the answers for what other orders of the same moves have led to.
    """
    known = {} if known is None else known
    here = position.armies, position.turn, frozenset(position.fallen)
    if here in known:
        return known[here]
    best = 0
    for candidate in sorted(candidates(position), key=lambda each: -each.reached.steps):
        steps = candidate.reached.steps
        if steps >= wanted:
            best = wanted
        else:
            after = played(position, candidate)
            over = after.end is not None
            best = max(best, max(steps, ending) if over else steps + _most(after, wanted - steps, ending, known))
        if best >= wanted:
            best = wanted
            break
    known[here] = best
    return best
