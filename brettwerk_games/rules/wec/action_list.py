"""The legal actions in groups by piece, each with a key of all that it depends on: most are the same in the next position.

A key holds the ids, places and descriptions (writing.named) of the pieces that the notation of the actions names, what they can
do, what their effects depend on (forecast.py), and for Fires how many were made. `rules.actions` lists the same actions in this
order.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from brettwerk_games.rules.optional import Group
from brettwerk_games.rules.wec import doze_push, items, move_execution, reinforcement, transits, turn_end, weapon_fire
from brettwerk_games.rules.wec.actions import Action, Doze, Drop, EndTurn, Exchange, Fire, Move, PickUp, Reinforce
from brettwerk_games.rules.wec.board import OPEN
from brettwerk_games.rules.wec.forecast import obstacles, taken
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, NATURES, RESTRICTED_ROCKET, Article
from brettwerk_games.rules.wec.movement import passenger, reach, surroundings
from brettwerk_games.rules.wec.notation_signs import piece_text
from brettwerk_games.rules.wec.notation_writer import named
from brettwerk_games.rules.wec.options import Actions
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import End, View
from brettwerk_games.rules.wec.weapons import armed


def groups(view: View) -> Iterator[Group]:
    """Yield the actions of the view's seat in groups."""
    if view.eye != view.active or view.end != End.ON:
        return
    perspective = Perspective(view)
    own, at = perspective.own(), perspective.field.at
    names = {piece.id: piece_text(piece) if len(at[piece.place]) == 1 else named(perspective.field, piece) for piece in own}
    yield from _moves(perspective, names)
    yield from _dozes(perspective, names)
    if perspective.options.actions != Actions.MOVES_ONLY:
        if perspective.turn.fires < weapon_fire.MAX_FIRES:
            for piece in own:
                if not perspective.idle_reason(piece):
                    yield from _fires(perspective, piece, names[piece.id])
        singles: Iterable[PickUp | Drop | Exchange | Reinforce] = chain(
            items.pick_ups(perspective),
            items.exchanges(perspective),
            reinforcement.reinforcements(perspective),
            items.drops(perspective),
        )
        for action in singles:
            yield _single(perspective, action, names)
    if turn_end.may_end(perspective):
        yield _END


def _moves(perspective: Perspective, names: dict[int, str]) -> Iterator[Group]:
    if perspective.turn.mover:
        return
    options, field = perspective.options, perspective.field
    around = surroundings(field, perspective.seat)
    for piece in perspective.own():
        if move_execution.unable(perspective, piece):
            continue
        # The same is listed as last time unless something has changed within the piece's reach, or on its own place.
        known, other = piece.moves, passenger(field, piece)
        if known is None or known[0] is not options:
            known = options, reach(options, piece.kind, piece.hand, piece.place, piece.seat), None, ()
        name = names[piece.id]
        here = around.near(known[1], piece.kind), name, None if other is None else (other[:], names[other.id])
        if known[2] != here:
            piece.moves = known = options, known[1], here, tuple(_moves_of(perspective, piece, names))
        yield from known[3]


def _moves_of(perspective: Perspective, piece: Piece, names: dict[int, str]) -> Iterator[Group]:
    """Yield the Moves of a piece that can Move, without a passenger and with one."""
    field, at = perspective.field, perspective.field.at
    for carry, found in move_execution.options_of(perspective, piece):
        if found:
            other = field.companion(piece) if carry else None
            name = names[piece.id], "" if other is None else names[other.id]
            places = tuple(found)
            takes = tuple([place for place in places if place in at and taken(field, piece, place)])
            key = "M", piece.id, piece.place, name, places, takes
            yield Group(key, len(places), partial(_moves_to, piece.id, places, carry))


def _moves_to(number: int, places: tuple[int, ...], carry: bool) -> Sequence[Action]:
    return [Move(number, place, carry) for place in places]


def _dozes(perspective: Perspective, names: dict[int, str]) -> Iterator[Group]:
    found: dict[int, list[Doze]] = {}
    for action in doze_push.dozes(perspective):
        found.setdefault(action.piece, []).append(action)
    for number, actions in found.items():
        piece = perspective.field.pieces[number]
        squares = {square for action in actions for square in action.squares}
        # The notation names what is shifted by its kind and square alone.
        shifted = tuple(
            [(o.id, o.kind, square) for square in (piece.square, *sorted(squares)) for o in perspective.field.on(square)]
        )
        steps = tuple([(action.direction, action.squares) for action in actions])
        yield Group(("D", number, piece.place, names[number], shifted, steps), len(actions), partial(_these, actions))


def _these(actions: Sequence[Action]) -> Sequence[Action]:
    return actions


def _fires(perspective: Perspective, piece: Piece, name: str) -> Iterator[Group]:
    """Yield the Fires of a piece that may fire, and its transits."""
    if not piece.articles and piece.kind in _DIRECT:
        group = _direct_fires(perspective, piece, name)
        if group is not None:
            yield group
        return
    ready = armed(piece, perspective.ply, perspective.turn.spent)
    aims = [(weapon, target) for weapon in ready for target in weapon_fire.homing_targets(perspective, piece, weapon)]
    squares = weapon_fire.strike_squares(perspective, piece)
    size = len(ready) * len(OPEN[piece.square]) + len(aims) + len(squares)
    about = piece.id, piece.place, name, perspective.turn.fires
    if size:
        at = perspective.field
        homing = tuple([(weapon, n, at.pieces[n].place, named(at, at.pieces[n])) for weapon, n in aims])
        struck = tuple([(square, named(at, at.on(square)[0])) for square in squares])
        yield Group(("F", about, tuple(ready), homing, struck), size, partial(weapon_fire.fires, perspective, piece))
    starts = transits.starts(perspective, piece)
    if starts:
        size = len(starts) * transits.ways_from(piece.square)
        ways = tuple([obstacles(perspective.field, piece, transport) for transport in starts])
        yield Group(("T", about, tuple(starts), ways), size, partial(transits.travels, perspective, piece))


_DIRECT = frozenset(
    kind
    for kind, nature in NATURES.items()
    if kind not in RESTRICTED_ROCKET and not any(FLIGHT_LEVEL.get(weapon) for weapon in nature.weapons)
)
"""The kinds whose inherent weapons are fired in a direction, and in no other way."""


def _direct_fires(perspective: Perspective, piece: Piece, name: str) -> Group | None:
    """Return the Fires of a piece that carries nothing and fires in directions only; None where it has nothing to fire."""
    ready = tuple(armed(piece, perspective.ply, perspective.turn.spent))
    if not ready:
        return None
    about = name, perspective.turn.fires, ready
    if piece.fires is None or piece.fires[0] != about:
        key = "F", (piece.id, piece.place, name, perspective.turn.fires), ready, (), ()
        size = len(ready) * len(OPEN[piece.square])
        piece.fires = about, Group(key, size, partial(_fires_in_directions, piece.id, piece.square, ready))
    group: Group = piece.fires[1]
    return group


def _fires_in_directions(number: int, square: int, weapons: tuple[Article, ...]) -> Sequence[Action]:
    return [Fire(number, weapon, direction) for weapon in weapons for direction in OPEN[square]]


def _single(perspective: Perspective, action: PickUp | Drop | Exchange | Reinforce, names: dict[int, str]) -> Group:
    """Return a group of one action."""
    if isinstance(action, Reinforce):
        reserve = next(reserve for reserve in perspective.view.reserves if reserve.id == action.piece)
        return Group(("R", reserve), 1, partial(_these, (action,)))
    place, name = perspective.field.pieces[action.piece].place, names[action.piece]
    if isinstance(action, Exchange):
        other = perspective.field.pieces[action.other].place, names[action.other]
        return Group(("X", action, place, name, other), 1, partial(_these, (action,)))
    return Group(("P" if isinstance(action, PickUp) else "L", action, place, name), 1, partial(_these, (action,)))


_END = Group(("E",), 1, partial(_these, (EndTurn(),)))
