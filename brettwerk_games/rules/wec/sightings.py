"""The pieces that come into an eye's sight or leave it in a step, and the names that the eye gives them (WEC-RUL-54, WEC-OBS-8).

An eye knows a piece that it has lost sight of by a marker only, and no marker is tied to a piece. So neither numbers nor markers
tell which of several like pieces comes into sight: it is taken for the nearest like one that the eye misses and gets its number,
and the marker goes. Missed are those with markers, and on the standard board, which everybody knows, also those that began out of
sight or whose reinforcement square is empty. Where none is missed a piece gets a new number.

All this follows from what the eye sees, and from nothing else. While a piece stays in sight it keeps its number. Of two on one
place that look alike nobody could say so: when they part, the one that stays as it was has the lower number. A projectile that
homes on one of them homes on its number.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from brettwerk_games.rules.wec.board import SQUARES, distance
from brettwerk_games.rules.wec.kinds import Hand, Kind
from brettwerk_games.rules.wec.lookalikes import look, twin
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.piece_numbers import in_sight
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Piece
from brettwerk_games.rules.wec.position import EYES, SPECTATOR, Called, Mark, Memory
from brettwerk_games.rules.wec.start import standard_pieces, standard_reserves
from brettwerk_games.rules.wec.visibility import sees
from brettwerk_games.rules.wec.working_copy import WorkingCopy


class _Missed(NamedTuple):
    """Something that an eye knows of and does not see."""

    number: int
    kind: Kind
    hand: Hand
    square: int
    is_marked: bool


def noticed(work: WorkingCopy, after: frozenset[int]) -> tuple[tuple[Memory, Memory, Memory], tuple[Called, Called, Called]]:
    """Return what eyes remember after a step that leaves the pieces `after` hidden, and what they call those in their sight.

    Projectiles in the working copy forget the names of targets that have been out of sight.
    """
    before = work.before
    changed = _changed(work, after)
    if not changed:
        return before.memory, before.called
    parted = [_parted(work, eye, changed, after) for eye in EYES]
    found = [_noticed(work, eye, changed, after, parted[eye]) for eye in EYES]
    for index, flying in enumerate(work.projectiles):
        if flying.known:
            flying = work.projectiles[index] = flying._replace(target=parted[flying.seat].get(flying.target, flying.target))
            target = work.field.pieces.get(flying.target)
            if target is None or not sees(flying.seat, target, after, work.options):
                work.projectiles[index] = flying._replace(known=0)
    return (found[0][0], found[1][0], found[2][0]), (found[0][1], found[1][1], found[2][1])


def _changed(work: WorkingCopy, after: frozenset[int]) -> list[int]:
    """Return the pieces of which an eye may see something else than before, in order of id."""
    old, new = work.before.field.pieces, work.field.pieces
    if work.options is not work.before.options:
        return sorted(old)
    ids = {number for number, piece in new.items() if old.get(number) is not piece}
    return sorted(ids | work.gone.keys() | (work.before.unseen ^ after))


def _parted(work: WorkingCopy, eye: int, changed: Collection[int], after: frozenset[int]) -> dict[int, int]:
    """Return by id which pieces have each other's numbers after a step in which two that looked alike have parted."""
    before, swapped = work.before, dict[int, int]()
    called = dict(before.called[eye])
    for number in changed:
        piece = before.field.pieces.get(number)
        if piece is None or number in swapped or not sees(eye, piece, before.unseen, before.options):
            continue
        other = twin(before, eye, piece)
        if other is not None:
            first, second = sorted((piece, other), key=lambda each: called.get(each.id, each.id))
            if _fate(work, eye, first, after) > _fate(work, eye, second, after):
                swapped |= {first.id: second.id, second.id: first.id}
    return swapped


def _fate(work: WorkingCopy, eye: int, piece: Piece, after: frozenset[int]) -> tuple[bool, bool, bool, tuple[Any, ...]]:
    """Return what an eye sees of what has become of a piece: whether it is gone, out of sight, or another; and how it looks."""
    now = work.field.pieces.get(piece.id)
    if now is not None and sees(eye, now, after, work.options):
        return False, False, look(now) != look(piece), look(now)
    return _is_known_to_be_gone(work, eye, piece), True, True, ()


def _is_known_to_be_gone(work: WorkingCopy, eye: int, piece: Piece) -> bool:
    return piece.id not in work.field.pieces and (piece.seat == eye or (eye, piece.id) in work.witnessed)


def _noticed(
    work: WorkingCopy, eye: int, changed: Collection[int], after: frozenset[int], swapped: Mapping[int, int]
) -> tuple[Memory, Called]:
    before = work.before
    memory, called = before.memory[eye], before.called[eye]
    if swapped:
        named = dict(called)
        named |= {number: dict(called).get(other, other) for number, other in swapped.items()}
        called = tuple(sorted((known, number) for known, number in named.items() if known != number))
    old, new = before.field.pieces, work.field.pieces
    come: list[Piece] = []
    left: list[Piece] = []
    for number in changed:
        was, now = old.get(number), new.get(number)
        saw = was is not None and sees(eye, was, before.unseen, before.options)
        if now is not None and sees(eye, now, after, work.options):
            # A piece that a seat itself lets come is called by its id.
            if not saw and (was is not None or now.seat != eye):
                come.append(now)
        elif saw and was is not None:
            left.append(was)
        elif now is None and (eye, number) in work.witnessed:
            come.append(work.gone[number])
    if not come and not left:
        return memory, called
    numbers = dict(called)
    given = _given(work, eye, come, called) if come else {}
    marks = {mark.piece: mark for mark in memory.marks if mark.piece not in given.values()}
    gone = set(memory.gone)
    for piece in left:
        number = numbers.pop(piece.id, piece.id)
        if not _is_known_to_be_gone(work, eye, piece):
            marks[number] = Mark(number, piece.kind, piece.place, piece.hand)
        elif int(number > WHITE_IDS) != eye:
            gone.add(number)
    for known, number in given.items():
        if known not in new:
            gone.add(number)
        elif number != known:
            numbers[known] = number
    return Memory(tuple(marks[number] for number in sorted(marks)), tuple(sorted(gone))), tuple(sorted(numbers.items()))


def _given(work: WorkingCopy, eye: int, come: Iterable[Piece], named: Called) -> dict[int, int]:
    """Return by id the numbers that an eye gives to pieces: of the nearest like ones that it misses, or new ones.

    `named` is what it calls those that it saw before.
    """
    before = work.before
    called = dict(named)
    memory = before.memory[eye]
    in_use = {called.get(piece.id, piece.id) for piece in in_sight(before, eye)}
    in_use.update(memory.gone, (mark.piece for mark in memory.marks))
    missed = [_Missed(mark.piece, mark.kind, mark.hand, mark.place % SQUARES, True) for mark in memory.marks]
    known = () if before.edited else _standard(before.options)
    waiting = {(reserve.seat, reserve.square) for reserve in work.reserves}
    for seat, waits, one in known:
        if seat != eye and one.number not in in_use and not (waits and (seat, one.square) in waiting):
            missed.append(one)
    newcomers = sorted(come, key=look)
    likely = sorted(
        (distance(piece.square, one.square), not one.is_marked, rank, one.number)
        for rank, piece in enumerate(newcomers)
        for one in missed
        if (one.kind, one.hand) == (piece.kind, piece.hand) and (eye != SPECTATOR or _side(one.number) == piece.seat)
    )
    given: dict[int, int] = {}
    for _, _, rank, number in likely:
        if newcomers[rank].id not in given and number not in given.values():
            given[newcomers[rank].id] = number
    in_use.update(one.number for _, _, one in known)
    for piece in newcomers:
        if piece.id not in given:
            side = piece.seat if eye == SPECTATOR else 1 - eye
            given[piece.id] = 1 + max((number for number in in_use if _side(number) == side), default=WHITE_IDS * side)
            in_use.add(given[piece.id])
    return given


def _side(number: int) -> int:
    return int(number > WHITE_IDS)


@lru_cache(maxsize=32)
def _standard(options: Options) -> tuple[tuple[int, bool, _Missed], ...]:
    """Return the pieces of the standard start, with their seats and whether they wait as reinforcements."""
    pieces = standard_pieces(options)
    begun = [(p.seat, False, _Missed(p.id, p.kind, p.hand, p.square, False)) for p in pieces]
    waits = [
        (r.seat, True, _Missed(r.id, r.kind, r.hand, r.square, False))
        for r in standard_reserves(options, pieces)
        if r.kind is not None
    ]
    return (*begun, *waits)
