"""Hits against counters on one snapshot, and their effects (WEC-RUL-2 E4 and E5, WEC-RUL-3, WEC-CK, WEC-RUL-38 to 40)."""

from brettwerk_games.rules.wec import countdowns, notation_signs
from brettwerk_games.rules.wec.board import GROUND
from brettwerk_games.rules.wec.kinds import LAUNCHERS, Article
from brettwerk_games.rules.wec.pieces import Piece, counters, self_supporting
from brettwerk_games.rules.wec.position import End
from brettwerk_games.rules.wec.transits import come_down
from brettwerk_games.rules.wec.working_copy import WorkingCopy

LETHAL = (Article.FLAME, Article.ROCKET, Article.SAM, Article.TORPEDO)
"""The causes of destruction, in the order in which a kill is named when several destroy."""


def settle(work: WorkingCopy) -> None:
    """Compare, destroy, convert, stun, and let fall what has lost its support."""
    work.look_again()
    work.at_once = 1
    overcome: dict[Article, list[int]] = {}
    for number, weapon in sorted(work.hits):
        piece = work.field.pieces.get(number)
        if piece is None:
            continue
        if work.hits[number, weapon] > counters(piece, weapon):
            overcome.setdefault(weapon, []).append(number)
        elif weapon in LAUNCHERS:
            stun = countdowns.own_turns(work.ply, piece.stunned, piece.seat)
            notation_signs.report(work, notation_signs.PROJECTILE_CODES[weapon], piece, stun)
    work.at_once = 2
    _destroy(work, overcome)
    work.at_once = 3
    _convert(work, set(overcome.get(Article.CONVERSION, ())))
    work.at_once = 4
    _stun(work, overcome.get(Article.STUN, []))
    work.at_once = 5
    _support(work)
    work.hits.clear()
    work.believed.clear()


def _destroy(work: WorkingCopy, overcome: dict[Article, list[int]]) -> None:
    killed = {number: weapon for weapon in reversed(LETHAL) for number in overcome.get(weapon, ())}
    for number in sorted(killed):
        piece = work.field.pieces[number]
        stun = countdowns.own_turns(work.ply, piece.stunned, piece.seat)
        notation_signs.report(work, notation_signs.KILL_CODES[killed[number]], piece, stun)
        work.destroy(piece, End.DESTROYED)


def _convert(work: WorkingCopy, reached: set[int]) -> None:
    reached &= work.field.pieces.keys()
    for number in sorted(reached):
        piece = work.field.pieces.get(number)
        if piece is None:
            continue
        other = work.field.companion(piece)
        notation_signs.report(work, notation_signs.CONVERTED, piece, countdowns.own_turns(work.ply, piece.stunned, piece.seat))
        work.lose(piece, End.CONVERTED)
        articles = tuple(article._replace(lock=0) for article in piece.articles)
        changed = piece._replace(seat=1 - piece.seat, articles=articles, origin=False, lock=0, revealed=0)
        work.field.put(changed)
        if other is not None and other.id not in reached and piece.level != GROUND:
            _split(work, changed, other)


def _split(work: WorkingCopy, converted: Piece, other: Piece) -> None:
    for carried in (converted, other):
        if not self_supporting(carried):
            stun = countdowns.own_turns(work.ply, carried.stunned, carried.seat)
            notation_signs.report(work, notation_signs.CONVERSION_KILL, carried, stun)
            work.destroy(carried, End.DESTROYED)


def _stun(work: WorkingCopy, reached: list[int]) -> None:
    for number in reached:
        piece = work.field.pieces.get(number)
        if piece is None:
            continue
        until = max(piece.stunned, work.ply + 2 * work.options.stun_duration)
        travelling = piece.transit is not None and piece.level != GROUND
        work.scatter(piece.square, piece.seat, piece.articles)
        stunned = piece._replace(stunned=until, articles=(), transit=None)
        work.field.put(stunned)
        if not travelling or come_down(work, stunned, notation_signs.STUN_KILL):
            now = work.field.pieces[number]
            notation_signs.report(work, notation_signs.STUNNED, now, countdowns.own_turns(work.ply, until, now.seat))


def _support(work: WorkingCopy) -> None:
    for number in sorted(work.field.pieces):
        piece = work.field.pieces[number]
        if piece.level != GROUND and not work.field.supported(piece):
            come_down(work, piece._replace(transit=None), notation_signs.CRASHED)
