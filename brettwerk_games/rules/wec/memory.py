"""The traces of a step in the seats' memories: last-seen markers, known losses, and whether hidden things may be learnt."""

from typing import NamedTuple

from brettwerk_games.rules.wec.actions import Action, Doze, Move, Reinforce
from brettwerk_games.rules.wec.position import Called, Mark, Memory, Position
from brettwerk_games.rules.wec.sightings import noticed
from brettwerk_games.rules.wec.visibility import elusive
from brettwerk_games.rules.wec.working_copy import WorkingCopy


class Kept(NamedTuple):
    """The memories of eyes after a step: fields of the position after it."""

    memory: tuple[Memory, Memory, Memory]
    called: tuple[Called, Called, Called]


def kept(position: Position, work: WorkingCopy, after: frozenset[int]) -> Kept:
    """Return what eyes remember after a step that leaves the pieces `after` hidden, and what they call those that they see."""
    if position.revision > 2:
        return Kept(*noticed(work, after))
    before = work.hidden_at_first
    if not before and not after and not work.gone and not any(map(any, position.memory)):
        return Kept(position.memory, position.called)
    first, second = (_remembered(position, work, seat, before, after) for seat in (0, 1))
    return Kept((first, second, Memory()), position.called)


def _remembered(position: Position, work: WorkingCopy, seat: int, before: frozenset[int], after: frozenset[int]) -> Memory:
    """Return what a seat remembers up to the second revision of the rules: ids (WEC-OBS-8)."""
    old = position.memory[seat]
    pieces = work.field.pieces
    gone = set(old.gone) | {number for eye, number in work.witnessed if eye == seat and number in work.gone}
    marks = {mark.piece: mark for mark in old.marks}
    # A piece that stays in sight needs no marker.
    for number in (after - before) | (work.gone.keys() - before):
        piece = position.field.pieces.get(number)
        if piece is not None and piece.seat != seat and (number in after or number not in pieces):
            marks[number] = Mark(number, piece.kind, piece.place)
    for number in list(marks):
        now = pieces.get(number)
        seen = now is not None and (now.seat == seat or number not in after)
        if seen or number in gone:
            del marks[number]
    return Memory(tuple(marks[number] for number in sorted(marks)), tuple(sorted(gone)))


def learned(work: WorkingCopy, action: Action, after: frozenset[int]) -> bool:
    """Tell whether some seat may have learnt of something hidden in a step: undo never goes back over it.

    Where pieces can be hidden, every change of place tells what is not in the way (WEC-RUL-26). Of a piece that could be hidden
    it is taken for granted that it was, since nobody is told whether their own are (WEC-OBS-13).
    """
    if isinstance(action, (Move, Doze, Reinforce)):
        return work.options.stealth_invisible or work.options.submerged_invisible
    before, now = work.before.field.pieces, work.field.pieces
    if any(before[number].seat != work.active for number in work.hidden_at_first - after):
        return True
    concerned = {number for name in ("piece", "other") if (number := getattr(action, name, 0))}
    return any(elusive(pieces[number], work.options) for pieces in (before, now) for number in concerned)
