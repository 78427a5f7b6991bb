"""What a step leaves in the seats' memories: last-seen markers, known losses, and whether hidden things may be learnt."""

from typing import NamedTuple

from services.games.wec.actions import Action, Doze, Move, Reinforce
from services.games.wec.draft import Draft
from services.games.wec.noticing import noticed
from services.games.wec.position import Called, Mark, Memory, Position
from services.games.wec.seeing import elusive


class Kept(NamedTuple):
    """What eyes keep of a step: fields of the position after it."""

    memory: tuple[Memory, Memory, Memory]
    called: tuple[Called, Called, Called]


def kept(position: Position, draft: Draft, after: frozenset[int]) -> Kept:
    """Return what eyes remember after a step that leaves the pieces `after` hidden, and what they call those that they see."""
    if position.revision > 2:
        return Kept(*noticed(draft, after))
    before = draft.hidden_at_first
    if not before and not after and not draft.gone and not any(map(any, position.memory)):
        return Kept(position.memory, position.called)
    first, second = (_remembered(position, draft, seat, before, after) for seat in (0, 1))
    return Kept((first, second, Memory()), position.called)


def _remembered(position: Position, draft: Draft, seat: int, before: frozenset[int], after: frozenset[int]) -> Memory:
    """Return what a seat remembers up to the second revision of the rules: ids (WEC-OBS-8)."""
    old = position.memory[seat]
    pieces = draft.field.pieces
    gone = set(old.gone) | {number for eye, number in draft.witnessed if eye == seat and number in draft.gone}
    marks = {mark.piece: mark for mark in old.marks}
    # What stays in sight needs no marker.
    for number in (after - before) | (draft.gone.keys() - before):
        piece = position.field.pieces.get(number)
        if piece is not None and piece.seat != seat and (number in after or number not in pieces):
            marks[number] = Mark(number, piece.kind, piece.place)
    for number in list(marks):
        now = pieces.get(number)
        seen = now is not None and (now.seat == seat or number not in after)
        if seen or number in gone:
            del marks[number]
    return Memory(tuple(marks[number] for number in sorted(marks)), tuple(sorted(gone)))


def learned(draft: Draft, action: Action, after: frozenset[int]) -> bool:
    """Tell whether some seat may have learnt of something hidden in a step: undo never goes back over it.

    Where pieces can be hidden, every change of place tells what is not in the way (WEC-RUL-26). Of a piece that could be hidden
    it is taken for granted that it was, since nobody is told whether their own are (WEC-OBS-13).
    """
    if isinstance(action, (Move, Doze, Reinforce)):
        return draft.options.stealth_invisible or draft.options.submerged_invisible
    before, now = draft.before.field.pieces, draft.field.pieces
    if any(before[number].seat != draft.active for number in draft.hidden_at_first - after):
        return True
    concerned = {number for name in ("piece", "other") if (number := getattr(action, name, 0))}
    return any(elusive(pieces[number], draft.options) for pieces in (before, now) for number in concerned)
