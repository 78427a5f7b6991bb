"""The legal actions in groups by piece, each with a key of all that it depends on: most are the same in the next position.

A key holds the ids, places and descriptions (writing.named) of the pieces that the notation of the actions names, what they can
do, and for Fires how many were made. `rules.actions` lists the same actions in the same order.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from services.games.interface import Group
from services.games.wec import dozing, ending, firing, items, moving, reinforcing, transits
from services.games.wec.actions import Action, Doze, Drop, EndTurn, Exchange, Move, PickUp, Reinforce
from services.games.wec.board import OPEN
from services.games.wec.describing import piece_text
from services.games.wec.options import Actions
from services.games.wec.pieces import Piece
from services.games.wec.position import End, View
from services.games.wec.sight import Sight
from services.games.wec.weapons import armed
from services.games.wec.writing import named


def groups(view: View) -> Iterator[Group]:
    """Yield the actions of the view's seat in groups."""
    if view.eye != view.active or view.end != End.ON:
        return
    sight = Sight(view)
    own, at = sight.own(), sight.field.at
    names = {piece.id: piece_text(piece) if len(at[piece.place]) == 1 else named(sight.field, piece) for piece in own}
    yield from _moves(sight, names)
    yield from _dozes(sight, names)
    if sight.options.actions != Actions.MOVES_ONLY:
        if sight.turn.fires < firing.MOST_FIRES:
            for piece in own:
                if not sight.idle_reason(piece):
                    yield from _fires(sight, piece, names[piece.id])
        singles: Iterable[PickUp | Drop | Exchange | Reinforce] = chain(
            items.pick_ups(sight), items.exchanges(sight), reinforcing.reinforcements(sight), items.drops(sight)
        )
        for action in singles:
            yield _single(sight, action, names)
    if ending.may_end(sight):
        yield _END


def _moves(sight: Sight, names: dict[int, str]) -> Iterator[Group]:
    if sight.turn.mover:
        return
    for piece in sight.own():
        if not moving.unable(sight, piece):
            for carry, found in moving.options_of(sight, piece):
                if found:
                    other = sight.field.companion(piece) if carry else None
                    name = names[piece.id], "" if other is None else names[other.id]
                    places = tuple(found)
                    key = "M", piece.id, piece.place, name, places
                    yield Group(key, len(places), partial(_moves_to, piece.id, places, carry))


def _moves_to(number: int, places: tuple[int, ...], carry: bool) -> Sequence[Action]:
    return [Move(number, place, carry) for place in places]


def _dozes(sight: Sight, names: dict[int, str]) -> Iterator[Group]:
    found: dict[int, list[Doze]] = {}
    for action in dozing.dozes(sight):
        found.setdefault(action.piece, []).append(action)
    for number, actions in found.items():
        piece = sight.field.pieces[number]
        squares = {square for action in actions for square in action.squares}
        # The notation names what is shifted by its kind and square alone.
        shifted = tuple([(o.id, o.kind, square) for square in (piece.square, *sorted(squares)) for o in sight.field.on(square)])
        told = tuple([(action.direction, action.squares) for action in actions])
        yield Group(("D", number, piece.place, names[number], shifted, told), len(actions), partial(_these, actions))


def _these(actions: Sequence[Action]) -> Sequence[Action]:
    return actions


def _fires(sight: Sight, piece: Piece, name: str) -> Iterator[Group]:
    """Yield the Fires of a piece that may fire, and its transits."""
    ready = armed(piece, sight.ply, sight.turn.spent)
    aims = [(weapon, target) for weapon in ready for target in firing.homing_targets(sight, piece, weapon)]
    squares = firing.strike_squares(sight, piece)
    size = len(ready) * len(OPEN[piece.square]) + len(aims) + len(squares)
    about = piece.id, piece.place, name, sight.turn.fires
    if size:
        at = sight.field
        homing = tuple([(weapon, n, at.pieces[n].place, named(at, at.pieces[n])) for weapon, n in aims])
        struck = tuple([(square, named(at, at.on(square)[0])) for square in squares])
        yield Group(("F", about, tuple(ready), homing, struck), size, lambda: list(firing.fires(sight, piece)))
    starts = transits.starts(sight, piece)
    if starts:
        size = len(starts) * transits.ways_from(piece.square)
        yield Group(("T", about, tuple(starts)), size, lambda: list(transits.travels(sight, piece)))


def _single(sight: Sight, action: PickUp | Drop | Exchange | Reinforce, names: dict[int, str]) -> Group:
    """Return a group of one action."""
    if isinstance(action, Reinforce):
        reserve = next(reserve for reserve in sight.view.reserves if reserve.id == action.piece)
        return Group(("R", reserve), 1, partial(_these, (action,)))
    place, name = sight.field.pieces[action.piece].place, names[action.piece]
    if isinstance(action, Exchange):
        other = sight.field.pieces[action.other].place, names[action.other]
        return Group(("X", action, place, name, other), 1, partial(_these, (action,)))
    return Group(("P" if isinstance(action, PickUp) else "L", action, place, name), 1, partial(_these, (action,)))


_END = Group(("E",), 1, partial(_these, (EndTurn(),)))
