"""Firing weapons: in a direction, homing, and at the Ground below (WEC-FIRE)."""

from collections.abc import Iterator

from services.games.refusals import Illegal
from services.games.wec.actions import Fire, Home, Strike
from services.games.wec.board import DIRECTIONS, FORWARD, NEXT, OFF, OPEN, SQUARES, distance, king_step
from services.games.wec.draft import Draft
from services.games.wec.kinds import FLIGHT_LEVEL, LAUNCHERS, RESTRICTED_ROCKET, WEAPONS, Article
from services.games.wec.naming import numbers
from services.games.wec.pieces import Piece
from services.games.wec.position import Projectile
from services.games.wec.sight import Sight
from services.games.wec.weapons import Battery, armed, battery, discharged, has, struck, under

MAX_FIRES = 2
"""Fires in a Turn (WEC-FIRE-2)."""


def require_fire(sight: Sight, number: int) -> Piece:
    """Return the own piece that may fire something. Raises Illegal (WEC-FIRE-2, WEC-FIRE-7, WEC-RUL-49, WEC-RUL-50)."""
    sight.require_all_actions()
    piece = sight.require_own(number)
    if sight.stunned(piece):
        raise Illegal("a stunned piece cannot fire", rule="WEC-FIRE-7")
    sight.require_able(piece)
    if sight.turn.fires >= MAX_FIRES:
        raise Illegal("two Fires were made in this Turn", rule="WEC-FIRE-2")
    return piece


def fires(sight: Sight, piece: Piece) -> Iterator[Fire | Home | Strike]:
    """Yield what a piece that may fire can do with its weapons: by weapon, directions first."""
    directions = OPEN[piece.square]
    for weapon in armed(piece, sight.ply, sight.turn.spent):
        for direction in directions:
            yield Fire(piece.id, weapon, direction)
        for target in homing_targets(sight, piece, weapon):
            yield Home(piece.id, weapon, target)
    for square in strike_squares(sight, piece):
        yield Strike(piece.id, square)


def homing_targets(sight: Sight, piece: Piece, weapon: Article) -> list[int]:
    """Return what a SAM or Torpedo can home on (WEC-FIRE-HOMING-1)."""
    level = FLIGHT_LEVEL.get(weapon, 0)
    if not level:
        return []
    reach = sight.options.homing_range
    return [other.id for other in sight.enemies_on(level) if distance(other.square, piece.square) <= reach]


def strike_squares(sight: Sight, piece: Piece) -> list[int]:
    """Return the squares that a restricted Rocket Launcher can be fired at (WEC-RUL-15)."""
    if RESTRICTED_ROCKET.get(piece.kind, -1) != piece.level:
        return []
    if not battery(piece, Article.ROCKET, sight.ply, sight.turn.spent, restricted=True).inherent:
        return []
    reach = sight.options.off_level_rocket_range
    if not reach:
        return [piece.square] if piece.square in sight.field.at else []
    return [place for place in sorted(sight.field.at) if place < SQUARES and distance(place, piece.square) <= reach]


def require_legal(sight: Sight, action: Fire | Home | Strike) -> None:
    """Raise Illegal with the rule that forbids a Fire."""
    piece = require_fire(sight, action.piece)
    if isinstance(action, Strike):
        if piece.kind not in RESTRICTED_ROCKET:
            raise Illegal("only Jets and Subs have the restricted Rocket Launcher", rule="WEC-FIRE-OFFLEVEL-1")
        if piece.id in sight.turn.spent:
            raise Illegal("its inherent weapons were fired in this Turn", rule="WEC-RUL-13")
        if action.square not in strike_squares(sight, piece):
            raise Illegal("the rocket cannot hit at once there, or is not ready", rule="WEC-RUL-15")
        return
    if action.weapon not in WEAPONS or not has(piece, action.weapon):
        raise Illegal("the piece has no such weapon", rule="WEC-FIRE-1")
    if not battery(piece, action.weapon, sight.ply, sight.turn.spent).strength:
        rule = "WEC-RUL-13" if piece.id in sight.turn.spent else "WEC-FIRE-RATE-1"
        raise Illegal("the weapon is not ready", rule=rule)
    if isinstance(action, Fire):
        if not 0 <= action.direction < len(DIRECTIONS) or NEXT[piece.square][action.direction] == OFF:
            raise Illegal("that direction leaves the board", rule="WEC-RUL-8")
    elif action.target not in homing_targets(sight, piece, action.weapon):
        raise Illegal("that is no target to home on", rule="WEC-FIRE-HOMING-1")


def carry_out(draft: Draft, sight: Sight, action: Fire | Home | Strike) -> None:
    """Put hits on pieces, or a projectile on the board."""
    piece = draft.field.pieces[action.piece]
    weapon = Article.ROCKET if isinstance(action, Strike) else action.weapon
    used = battery(piece, weapon, draft.ply, draft.turn.spent, restricted=isinstance(action, Strike))
    if isinstance(action, Strike):
        draft.hit(under(draft.field, action.square), weapon, used.strength)
        draft.believe(draft.ids(under(sight.field, action.square)), weapon, used.strength)
    elif weapon in LAUNCHERS:
        _launch(draft, piece, action, used)
    elif isinstance(action, Fire):
        draft.hit(struck(draft.field, draft.options, piece, weapon, action.direction), weapon, used.strength)
        believed = struck(sight.field, draft.options, piece, weapon, action.direction)
        draft.believe(draft.ids(believed), weapon, used.strength)
    ready = draft.ply + 2 * draft.options.fire_rate(weapon)
    draft.field.put(discharged(piece, weapon, used, ready))
    spent = (*draft.turn.spent, piece.id) if used.inherent else draft.turn.spent
    draft.turn = draft.turn._replace(spent=spent)
    note_fire(draft, piece)


def note_fire(draft: Draft, piece: Piece) -> None:
    """Count a Fire of the Turn and expose the piece that fired (WEC-RUL-45)."""
    if draft.options.reveal_on_fire:
        draft.expose(piece)
    draft.turn = draft.turn._replace(fires=draft.turn.fires + 1, acted=(*draft.turn.acted, piece.id))


def _launch(draft: Draft, piece: Piece, action: Fire | Home, used: Battery) -> None:
    target, heading, known = 0, 0, 0
    if isinstance(action, Home):
        if draft.before.revision > 2:
            known = numbers(draft.before, piece.seat).get(action.target, action.target)
        target, aim = action.target, draft.field.pieces[action.target].square
        heading = FORWARD[piece.seat] if aim == piece.square else king_step(piece.square, aim)
    else:
        heading = action.direction
    number = draft.next_number()
    homing = isinstance(action, Home)
    draft.projectiles.append(
        Projectile(number, action.weapon, piece.seat, piece.square, heading, used.strength, draft.ply, homing, target, known)
    )
