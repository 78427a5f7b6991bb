"""Firing weapons: in a direction, homing, and at the Ground below (WEC-FIRE)."""

from collections.abc import Iterator

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec.actions import Fire, Home, Strike
from brettwerk_games.rules.wec.board import DIRECTIONS, FORWARD, NEXT, OFF, OPEN, SQUARES, distance, king_step
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, LAUNCHERS, RESTRICTED_ROCKET, WEAPONS, Article
from brettwerk_games.rules.wec.options import StunEffect
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.piece_numbers import numbers
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import Projectile
from brettwerk_games.rules.wec.weapons import Battery, armed, battery, discharged, has, struck, under
from brettwerk_games.rules.wec.working_copy import WorkingCopy

MAX_FIRES = 2
"""Fires in a Turn (WEC-FIRE-2)."""


def require_fire(perspective: Perspective, number: int) -> Piece:
    """Return the own piece that may fire something. Raises Illegal (WEC-FIRE-2, WEC-FIRE-7, WEC-RUL-49, WEC-RUL-50)."""
    perspective.require_all_actions()
    piece = perspective.require_own(number)
    if perspective.stunned(piece) and perspective.options.stun_effect == StunEffect.HELPLESS:
        raise Illegal("a stunned piece cannot fire", rule="WEC-FIRE-7")
    perspective.require_able(piece)
    if perspective.turn.fires >= MAX_FIRES:
        raise Illegal("two Fires have already been made in this Turn", rule="WEC-FIRE-2")
    return piece


def fires(perspective: Perspective, piece: Piece) -> Iterator[Fire | Home | Strike]:
    """Yield what a piece that may fire can do with its weapons: by weapon, directions first."""
    directions = OPEN[piece.square]
    for weapon in armed(piece, perspective.ply, perspective.turn.spent):
        for direction in directions:
            yield Fire(piece.id, weapon, direction)
        for target in homing_targets(perspective, piece, weapon):
            yield Home(piece.id, weapon, target)
    for square in strike_squares(perspective, piece):
        yield Strike(piece.id, square)


def homing_targets(perspective: Perspective, piece: Piece, weapon: Article) -> list[int]:
    """Return what a SAM or Torpedo can home on (WEC-FIRE-HOMING-1)."""
    level = FLIGHT_LEVEL.get(weapon, 0)
    if not level:
        return []
    reach = perspective.options.homing_range
    return [other.id for other in perspective.enemies_on(level) if distance(other.square, piece.square) <= reach]


def strike_squares(perspective: Perspective, piece: Piece) -> list[int]:
    """Return the squares that a restricted Rocket Launcher can be fired at (WEC-RUL-15)."""
    if RESTRICTED_ROCKET.get(piece.kind, -1) != piece.level:
        return []
    if not battery(piece, Article.ROCKET, perspective.ply, perspective.turn.spent, restricted=True).inherent:
        return []
    reach = perspective.options.off_level_rocket_range
    if not reach:
        return [piece.square] if piece.square in perspective.field.at else []
    return [place for place in sorted(perspective.field.at) if place < SQUARES and distance(place, piece.square) <= reach]


def require_legal(perspective: Perspective, action: Fire | Home | Strike) -> None:
    """Raise Illegal with the rule that forbids a Fire."""
    piece = require_fire(perspective, action.piece)
    if isinstance(action, Strike):
        if piece.kind not in RESTRICTED_ROCKET:
            raise Illegal("only Jets and Subs have the restricted Rocket Launcher", rule="WEC-FIRE-OFFLEVEL-1")
        if piece.id in perspective.turn.spent:
            raise Illegal("its inherent weapons have already been fired in this Turn", rule="WEC-RUL-13")
        if action.square not in strike_squares(perspective, piece):
            raise Illegal("the rocket cannot hit at once there, or is not ready", rule="WEC-RUL-15")
        return
    if action.weapon not in WEAPONS or not has(piece, action.weapon):
        raise Illegal("the piece has no such weapon", rule="WEC-FIRE-1")
    if not battery(piece, action.weapon, perspective.ply, perspective.turn.spent).strength:
        rule = "WEC-RUL-13" if piece.id in perspective.turn.spent else "WEC-FIRE-RATE-1"
        raise Illegal("the weapon is not ready", rule=rule)
    if isinstance(action, Fire):
        if not 0 <= action.direction < len(DIRECTIONS) or NEXT[piece.square][action.direction] == OFF:
            raise Illegal("that direction leaves the board", rule="WEC-RUL-8")
    elif action.target not in homing_targets(perspective, piece, action.weapon):
        raise Illegal("that is no target to home on", rule="WEC-FIRE-HOMING-1")


def carry_out(work: WorkingCopy, perspective: Perspective, action: Fire | Home | Strike) -> None:
    """Put hits on pieces, or a projectile on the board."""
    piece = work.field.pieces[action.piece]
    weapon = Article.ROCKET if isinstance(action, Strike) else action.weapon
    used = battery(piece, weapon, work.ply, work.turn.spent, restricted=isinstance(action, Strike))
    if isinstance(action, Strike):
        work.hit(under(work.field, action.square), weapon, used.strength)
        work.believe(work.ids(under(perspective.field, action.square)), weapon, used.strength)
    elif weapon in LAUNCHERS:
        _launch(work, piece, action, used)
    elif isinstance(action, Fire):
        work.hit(struck(work.field, work.options, piece, weapon, action.direction), weapon, used.strength)
        believed = struck(perspective.field, work.options, piece, weapon, action.direction)
        work.believe(work.ids(believed), weapon, used.strength)
    ready = work.ply + 2 * work.options.fire_rate(weapon)
    work.field.put(discharged(piece, weapon, used, ready))
    spent = (*work.turn.spent, piece.id) if used.inherent else work.turn.spent
    work.turn = work.turn._replace(spent=spent)
    note_fire(work, piece)


def note_fire(work: WorkingCopy, piece: Piece) -> None:
    """Count a Fire of the Turn and expose the piece that fired (WEC-RUL-45)."""
    if work.options.reveal_on_fire:
        work.expose(piece)
    work.turn = work.turn._replace(fires=work.turn.fires + 1, acted=(*work.turn.acted, piece.id))


def _launch(work: WorkingCopy, piece: Piece, action: Fire | Home, used: Battery) -> None:
    target, heading, known = 0, 0, 0
    if isinstance(action, Home):
        if work.before.revision > 2:
            known = numbers(work.before, piece.seat).get(action.target, action.target)
        target, aim = action.target, work.field.pieces[action.target].square
        heading = FORWARD[piece.seat] if aim == piece.square else king_step(piece.square, aim)
    else:
        heading = action.direction
    number = work.next_number()
    homing = isinstance(action, Home)
    work.projectiles.append(
        Projectile(number, action.weapon, piece.seat, piece.square, heading, used.strength, work.ply, homing, target, known)
    )
