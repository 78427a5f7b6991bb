"""Where each piece of a view could go and what it could hit if its side were to act, as far as the view shows (WEC-OBS-1).

Every reader of a view may work this out: it is made of the view and of nothing else. The side whose view it is and whose Turn it
is has what is left of that Turn; the other side, and whoever waits, has a whole Turn, at the ply in which it can begin. Whether a
Pawn of the other side may still go two squares is not shown (WEC-OBS-2), so it is not told either.
"""

from collections.abc import Iterator

from brettwerk_games.rules.optional import Reach
from brettwerk_games.rules.wec import doze_push, move_execution, weapon_fire
from brettwerk_games.rules.wec.board import NEXT, OFF, OPEN, SQUARES
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, LAUNCHERS, Article
from brettwerk_games.rules.wec.options import Actions
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import Turn, View
from brettwerk_games.rules.wec.weapons import armed, reach_of


def reaches(view: View) -> tuple[Reach, ...]:
    """Return what each piece of a view reaches, in order of id; pieces that reach nothing are left out."""
    found = [reach for seat in (0, 1) for reach in _of_seat(_to_act(view, seat))]
    return tuple(sorted(found))


def _to_act(view: View, seat: int) -> Perspective:
    """Return a view as if it were a seat's and that seat were to act."""
    turn = view.turn if view.eye == view.active == seat else Turn()
    ply = view.ply if view.active == seat else view.ply + 1
    supposed = view._replace(eye=seat, ply=ply, turn=turn)
    return Perspective(supposed)


def _of_seat(perspective: Perspective) -> Iterator[Reach]:
    dozed: dict[int, set[int]] = {}
    for action in doze_push.dozes(perspective):
        goal = NEXT[perspective.field.pieces[action.piece].square][action.direction]
        dozed.setdefault(action.piece, set()).add(goal)
    may_fire = perspective.options.actions != Actions.MOVES_ONLY and perspective.turn.fires < weapon_fire.MAX_FIRES
    for piece in perspective.own():
        goes, alone = dozed.get(piece.id, set()), set[int]()
        if not move_execution.unable(perspective, piece):
            for carry, ways in move_execution.options_of(perspective, piece):
                goes.update(ways)
                alone.update(() if carry else ways)
        hits = set(_hits(perspective, piece)) if may_fire and not perspective.idle_reason(piece) else set()
        if goes or hits:
            yield Reach(piece.id, tuple(sorted(goes)), tuple(sorted(hits)), tuple(sorted(alone)))


def _hits(perspective: Perspective, piece: Piece) -> Iterator[int]:
    """Yield the places where the piece's weapons that are ready hit whoever is there, now or at the end of their flight."""
    for weapon in armed(piece, perspective.ply, perspective.turn.spent):
        for direction in OPEN[piece.square]:
            yield from line(perspective, piece, weapon, direction)
        for target in weapon_fire.homing_targets(perspective, piece, weapon):
            yield perspective.field.pieces[target].place
    yield from weapon_fire.strike_squares(perspective, piece)


def line(perspective: Perspective, piece: Piece, weapon: Article, direction: int) -> Iterator[int]:
    """Yield the places that are hit in a direction, as far as those that are there let it pass."""
    launched = weapon in LAUNCHERS
    level = FLIGHT_LEVEL[weapon] if launched else piece.level
    square = piece.square
    for _ in range(reach_of(weapon, perspective.options)):
        square = NEXT[square][direction]
        if square == OFF:
            return
        place = level * SQUARES + square
        yield place
        if place in perspective.field.at and (launched or weapon == Article.STUN):
            return
