"""Dozing: a Dozer shifts its companion and whole neighbouring squares one step (WEC-DOZE, WEC-RUL-31)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import countdowns, notation_signs
from brettwerk_games.rules.wec.actions import Doze
from brettwerk_games.rules.wec.board import GROUND, NEIGHBOURS, NEXT, OFF, OPEN
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import Kind
from brettwerk_games.rules.wec.move_execution import unable
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece, may_share
from brettwerk_games.rules.wec.working_copy import WorkingCopy

MAX_DOZED = 4
"""Pieces shifted besides Dozer and companion (WEC-DOZE-2)."""
ANYHOW = -2
"""Stands for a square that has room."""


def companion_of(perspective: Perspective, piece: Piece) -> Piece | None:
    """Return what a Dozer at Ground shares its place with, if it is one friendly piece."""
    if piece.kind != Kind.DOZER or piece.level != GROUND:
        return None
    return perspective.field.companion(piece)


def choosable(perspective: Perspective, piece: Piece) -> list[tuple[int, int]]:
    """Return the neighbouring squares that can be chosen, each with the number of pieces on it."""
    found = []
    for square in NEIGHBOURS[piece.square]:
        there = perspective.field.on(square)
        if there and (perspective.options.doze_enemies or all(other.seat == piece.seat for other in there)):
            found.append((square, len(there)))
    return found


def dozes(perspective: Perspective) -> Iterator[Doze]:
    """Yield all dozes: by Dozer, by combination of squares, then by direction (WEC-DOZE-3)."""
    for piece in perspective.own():
        if piece.kind != Kind.DOZER or unable(perspective, piece) or companion_of(perspective, piece) is None:
            continue
        squares = choosable(perspective, piece)
        openings = tuple([_openings(perspective.field, square) for square in (piece.square, *(square for square, _ in squares))])
        for direction, names in _shifts(piece.square, tuple(squares), openings):
            yield Doze(piece.id, direction, names)


@lru_cache(maxsize=512)
def _shifts(
    start: int, squares: tuple[tuple[int, int], ...], openings: tuple[tuple[int, ...], ...]
) -> list[tuple[int, tuple[int, ...]]]:
    """Return direction and chosen squares of each doze, given where the pieces of the Dozer's and of each square find room."""
    moves_to = dict(zip((start, *(square for square, _ in squares)), openings, strict=True))
    found: list[tuple[int, tuple[int, ...]]] = []
    for size in range(min(MAX_DOZED, len(squares)) + 1):
        for chosen in combinations(squares, size):
            if sum(count for _, count in chosen) > MAX_DOZED:
                continue
            names = tuple(square for square, _ in chosen)
            sources = (start, *names)
            room = (ANYHOW, *sources)
            found += [(d, names) for d in OPEN[start] if all(moves_to[source][d] in room for source in sources)]
    return found


def _openings(field: Field, source: int) -> tuple[int, ...]:
    """Return for each direction where the pieces of a square find room: ANYHOW, once those of another square leave it, or OFF."""
    group = field.on(source)
    found = []
    for target in NEXT[source]:
        if target == OFF or target not in field.at:
            found.append(OFF if target == OFF else ANYHOW)
            continue
        there = field.on(target)
        crowded = len(group) + len(there) > 2 or group[0].seat != there[0].seat or not may_share(group[0], there[0])
        found.append(target if crowded else ANYHOW)
    return tuple(found)


def is_open(field: Field, dozer: Piece, squares: tuple[int, ...], direction: int) -> bool:
    """Tell whether the whole group can go one step in a direction."""
    sources = (dozer.square, *squares)
    targets = [NEXT[square][direction] for square in sources]
    if OFF in targets:
        return False
    leaving = set(sources)
    for source, target in zip(sources, targets, strict=True):
        if target in leaving or target not in field.at:
            continue
        group, there = field.on(source), field.on(target)
        if len(group) + len(there) > 2 or group[0].seat != there[0].seat or not may_share(group[0], there[0]):
            return False
    return True


def require_legal(perspective: Perspective, action: Doze) -> None:
    """Raise Illegal with the rule that forbids a doze."""
    piece = perspective.require_own(action.piece)
    if piece.kind != Kind.DOZER:
        raise Illegal("only a Dozer can doze", rule="WEC-DOZE-1")
    rule = unable(perspective, piece)
    if rule:
        raise Illegal("this Dozer cannot Move now", rule=rule)
    if companion_of(perspective, piece) is None:
        raise Illegal("a Dozer dozes from the Ground, where it shares its square with a friendly piece", rule="WEC-DOZE-1")
    counts = dict(choosable(perspective, piece))
    if list(action.squares) != sorted(set(action.squares)) or not counts.keys() >= set(action.squares):
        raise Illegal("these squares cannot be chosen", rule="WEC-DOZE-3" if perspective.options.doze_enemies else "WEC-OPT-22")
    if sum(counts[square] for square in action.squares) > MAX_DOZED:
        raise Illegal("the group is too large", rule="WEC-DOZE-2")
    if not is_open(perspective.field, piece, action.squares, action.direction):
        raise Illegal("the direction is blocked", rule="WEC-DOZE-5")


def carry_out(work: WorkingCopy, action: Doze) -> None:
    """Shift the group, or nothing at all where a hidden enemy is in the way (WEC-RUL-27)."""
    dozer = work.field.pieces[action.piece]
    sources = (dozer.square, *action.squares)
    group = [piece for square in sources for piece in work.field.on(square)]
    entered = {NEXT[square][action.direction] for square in sources} | set(sources)
    secret = [
        piece
        for square in sorted(entered)
        for piece in work.field.on(square)
        if piece.seat != dozer.seat and piece.id in work.hidden
    ]
    vacated = work.turn.vacated
    if secret:
        for piece in secret:
            work.reveal(piece, work.ply)
    else:
        for piece in group:
            work.field.remove(piece.id)
        for piece in group:
            work.shift(piece._replace(transit=None), NEXT[piece.square][action.direction])
        vacated += tuple(sorted({piece.square for piece in group if piece.seat == dozer.seat}))
    work.turn = work.turn._replace(mover=dozer.id, vacated=vacated, acted=(*work.turn.acted, dozer.id))
    for piece in secret:
        stun = countdowns.own_turns(work.ply, piece.stunned, piece.seat)
        notation_signs.report(work, notation_signs.BUMPED, piece, stun, work.field.pieces[dozer.id])
