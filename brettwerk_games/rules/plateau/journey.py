"""Why an army may not go where somebody sends it: the first rule that a path breaks, or that leaves no path (EP-MOVE)."""

from typing import NamedTuple

from brettwerk_games.rules.plateau.actions import Move
from brettwerk_games.rules.plateau.board import Army
from brettwerk_games.rules.plateau.position import Position, army_at, base_of, holder, side
from brettwerk_games.rules.plateau.route import find
from brettwerk_games.rules.refusals import Illegal


class Traveller(NamedTuple):
    """An army under way: whose it is, which, and where it stands."""

    position: Position
    seat: int
    army: Army
    source: int


def broken_by_path(position: Position, seat: int, army: Army, path: tuple[int, ...]) -> Illegal | None:
    """Return what is wrong with a path, or None. Steps are looked at in order: lines, repetitions, what stands in the way."""
    traveller = Traveller(position, seat, army, path[0])
    jumps = False
    for index in range(1, len(path)):
        wrong = _line(traveller, path, index) or _way(traveller, path, index, jumps)
        if wrong:
            return wrong
        jumps = jumps or (index == 1 and _jumps(traveller, path))
    return _arrival(traveller, path, jumps)


def broken_without_path(position: Position, seat: int, army: Army, move: Move) -> Illegal:
    """Return why there is no path for a move that names none."""
    traveller = Traveller(position, seat, army, move.source)
    board, target = position.board, move.target
    if not board.nodes >> target & 1:
        return _refusal(traveller, "EP-MOVE-6", target)
    if target == move.source:
        return _refusal(traveller, "EP-MOVE-3", target)
    wrong = _standing(traveller, target)
    if wrong:
        return wrong
    if army == Army.TWO and _is_taken(traveller, target):
        corners = [corner for corner, end in board.corners[move.source] if end == target]
        rule = "EP-MOVE-2S-3" if corners and move.steps == 2 else _two_rule(traveller, target)
        return _refusal(traveller, rule, target)
    if army == Army.FOUR and move.steps == 2 and any(jump.landing == target for jump in board.jumps[move.source]):
        return _refusal(traveller, "EP-MOVE-4S-5", target)
    if find(board, move.source, target, move.steps, board.nodes) is None:
        return _refusal(traveller, "EP-MOVE-1", target)
    return _refusal(traveller, "EP-MOVE-4", target)


def _refusal(traveller: Traveller, rule: str, node: int) -> Illegal:
    names = traveller.position.board.names
    details = {"source": names[traveller.source], "node": names[node]}
    return Illegal(f"the army on {details['source']} may not go this way at {details['node']}", rule=rule, details=details)


def _line(traveller: Traveller, path: tuple[int, ...], index: int) -> Illegal | None:
    board, last, node = traveller.position.board, path[index - 1], path[index]
    if not board.nodes >> node & 1:
        return _refusal(traveller, "EP-MOVE-6", node)
    if node not in board.neighbours[last]:
        diagonal = any(target == node for _, target in board.corners[last])
        return _refusal(traveller, "EP-MOVE-2" if diagonal else "EP-MOVE-1", node)
    if node in path[:index]:
        return _refusal(traveller, "EP-MOVE-3", node)
    return None


def _way(traveller: Traveller, path: tuple[int, ...], index: int, jumped: bool) -> Illegal | None:
    """Return what forbids to pass through a node of the path; for its end, see _arrival."""
    position, seat, army, _ = traveller
    node, is_end = path[index], index == len(path) - 1
    base = base_of(position, node)
    if base == seat and army != Army.EMBLEM:
        occupied = index == 1 and not is_end and army == Army.FOUR and holder(position, node)
        return _refusal(traveller, "EP-MOVE-4S-9" if occupied else "EP-MOVE-7", node)
    if is_end:
        return None
    if index == 1 and _jumps(traveller, path):
        straight = any(jump == (node, path[2]) for jump in position.board.jumps[path[0]])
        return None if straight else _refusal(traveller, "EP-MOVE-4S-3", path[2])
    if jumped and index == 2 and (base not in (None, seat) or holder(position, node)):
        return _refusal(traveller, "EP-MOVE-4S-8" if holder(position, node) else "EP-MOVE-4S-5", node)
    if base is not None and base != seat:
        ally = side(position, base) == side(position, seat)
        return _refusal(traveller, "EP-MULTI-8" if ally else "EP-BASE-1", node)
    if holder(position, node):
        rule = {Army.TWO: "EP-MOVE-2S-3", Army.FOUR: "EP-MOVE-4S-2", Army.EMBLEM: "EP-EMBLEM-6"}.get(army, "EP-MOVE-4")
        if army == Army.TWO and not _is_taken(traveller, path[-1]):
            rule = "EP-MOVE-4"
        return _refusal(traveller, rule, node)
    return None


def _jumps(traveller: Traveller, path: tuple[int, ...]) -> bool:
    return traveller.army == Army.FOUR and len(path) > 2 and holder(traveller.position, path[1]) is not None


def _arrival(traveller: Traveller, path: tuple[int, ...], jumped: bool) -> Illegal | None:
    position, _, army, _ = traveller
    end = path[-1]
    if jumped and len(path) == 3 and not position.options.jump_may_end:
        return _refusal(traveller, "EP-MOVE-4S-5", end)
    wrong = _standing(traveller, end)
    if wrong:
        return wrong
    if army == Army.TWO and _is_taken(traveller, end):
        bent = any((corner, target) == path[1:] for corner, target in position.board.corners[path[0]])
        if not bent:
            return _refusal(traveller, _two_rule(traveller, end), end)
    return None


def _standing(traveller: Traveller, node: int) -> Illegal | None:
    """Return what forbids to stand on a node, whatever the way there."""
    position, seat, army, _ = traveller
    if army_at(position.armies[seat], node) is not None:
        return _refusal(traveller, "EP-MOVE-8", node)
    base, stands = base_of(position, node), holder(position, node)
    if base == seat and army != Army.EMBLEM:
        return _refusal(traveller, "EP-MOVE-7", node)
    owners = {owner for owner in (base, stands[0] if stands else None) if owner is not None and owner != seat}
    if any(side(position, owner) == side(position, seat) for owner in owners):
        return _refusal(traveller, "EP-MULTI-8", node)
    return None


def _is_taken(traveller: Traveller, node: int) -> bool:
    """Tell whether a move to the node captures or conquers."""
    base = base_of(traveller.position, node)
    return holder(traveller.position, node) is not None or base not in (None, traveller.seat)


def _two_rule(traveller: Traveller, node: int) -> str:
    return "EP-MOVE-2S-2" if base_of(traveller.position, node) is None else "EP-MOVE-2S-4"
