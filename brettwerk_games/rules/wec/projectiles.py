"""Projectiles at the end of a Turn: contact, flight, homing, explosion (WEC-PROJ, WEC-RUL-2 E2 and E3, WEC-RUL-5 to 9)."""

from brettwerk_games.rules.wec import notation_signs
from brettwerk_games.rules.wec.board import DIRECTIONS, NEXT, OFF, king_step, name_of, place_of
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL
from brettwerk_games.rules.wec.position import Projectile
from brettwerk_games.rules.wec.working_copy import WorkingCopy


def place(projectile: Projectile) -> int:
    """Return the place where a projectile is."""
    return place_of(projectile.square, FLIGHT_LEVEL[projectile.weapon])


def contact(work: WorkingCopy) -> None:
    """Let those explode that were there before this Turn and share their place with a piece (E2, WEC-RUL-6)."""
    for projectile in list(work.projectiles):
        if projectile.launched < work.ply and place(projectile) in work.field.at:
            _explode(work, projectile)


def advance(work: WorkingCopy) -> None:
    """Let all others go one square, in the order of launching, and explode where a piece is (E3)."""
    for projectile in sorted(work.projectiles):
        _advance(work, projectile)


def _advance(work: WorkingCopy, projectile: Projectile) -> None:
    now = projectile
    if projectile.homing:
        target = work.field.pieces.get(projectile.target)
        if target is None or target.level != FLIGHT_LEVEL[projectile.weapon] or target.seat == projectile.seat:
            now = projectile._replace(homing=False, target=0, known=0)
        elif target.square == projectile.square:
            _explode(work, projectile)
            return
        else:
            now = projectile._replace(heading=king_step(projectile.square, target.square))
    code = notation_signs.PROJECTILE_CODES[now.weapon]
    square = NEXT[now.square][now.heading]
    if square == OFF:
        work.projectiles.remove(projectile)
        notation_signs.report_public(work, f"{code}v{name_of(now.square)}")
        return
    rows, columns = DIRECTIONS[now.heading]
    notation_signs.report_public(work, f"{code}->{name_of(now.square)}({rows},{columns})")
    now = now._replace(square=square)
    work.projectiles[work.projectiles.index(projectile)] = now
    if place(now) in work.field.at:
        _explode(work, now)


def _explode(work: WorkingCopy, projectile: Projectile) -> None:
    there = work.field.on(place(projectile))
    work.projectiles.remove(projectile)
    work.hit((piece.id for piece in there), projectile.weapon, projectile.strength)
    notation_signs.report_public(work, f"{notation_signs.PROJECTILE_CODES[projectile.weapon]}v{name_of(projectile.square)}")
