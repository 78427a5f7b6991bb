"""Hits against counters on one snapshot, and their effects (WEC-RUL-2 E4 and E5, WEC-RUL-3, WEC-CK, WEC-RUL-38 to 40)."""

from services.games.wec import counting, describing
from services.games.wec.board import GROUND
from services.games.wec.draft import Draft
from services.games.wec.kinds import LAUNCHERS, Article
from services.games.wec.pieces import Piece, counters, self_supporting
from services.games.wec.position import End
from services.games.wec.transits import come_down

LETHAL = (Article.FLAME, Article.ROCKET, Article.SAM, Article.TORPEDO)
"""What destroys, in the order in which a kill is named when several do."""


def settle(draft: Draft) -> None:
    """Compare, destroy, convert, stun, and let fall what has lost its support."""
    draft.look_again()
    draft.at_once = 1
    overcome: dict[Article, list[int]] = {}
    for number, weapon in sorted(draft.hits):
        piece = draft.field.pieces.get(number)
        if piece is None:
            continue
        if draft.hits[number, weapon] > counters(piece, weapon):
            overcome.setdefault(weapon, []).append(number)
        elif weapon in LAUNCHERS:
            stun = counting.own_turns(draft.ply, piece.stunned, piece.seat)
            describing.report(draft, describing.PROJECTILE_CODES[weapon], piece, stun)
    draft.at_once = 2
    _destroy(draft, overcome)
    draft.at_once = 3
    _convert(draft, set(overcome.get(Article.CONVERSION, ())))
    draft.at_once = 4
    _stun(draft, overcome.get(Article.STUN, []))
    draft.at_once = 5
    _support(draft)
    draft.hits.clear()
    draft.believed.clear()


def _destroy(draft: Draft, overcome: dict[Article, list[int]]) -> None:
    killed = {number: weapon for weapon in reversed(LETHAL) for number in overcome.get(weapon, ())}
    for number in sorted(killed):
        piece = draft.field.pieces[number]
        stun = counting.own_turns(draft.ply, piece.stunned, piece.seat)
        describing.report(draft, describing.KILL_CODES[killed[number]], piece, stun)
        draft.destroy(piece, End.DESTROYED)


def _convert(draft: Draft, reached: set[int]) -> None:
    reached &= draft.field.pieces.keys()
    for number in sorted(reached):
        piece = draft.field.pieces.get(number)
        if piece is None:
            continue
        other = draft.field.companion(piece)
        describing.report(draft, describing.CONVERTED, piece, counting.own_turns(draft.ply, piece.stunned, piece.seat))
        draft.lose(piece, End.CONVERTED)
        articles = tuple(article._replace(lock=0) for article in piece.articles)
        changed = piece._replace(seat=1 - piece.seat, articles=articles, origin=False, lock=0, revealed=0)
        draft.field.put(changed)
        if other is not None and other.id not in reached and piece.level != GROUND:
            _split(draft, changed, other)


def _split(draft: Draft, converted: Piece, other: Piece) -> None:
    for carried in (converted, other):
        if not self_supporting(carried):
            stun = counting.own_turns(draft.ply, carried.stunned, carried.seat)
            describing.report(draft, describing.CONVERSION_KILL, carried, stun)
            draft.destroy(carried, End.DESTROYED)


def _stun(draft: Draft, reached: list[int]) -> None:
    for number in reached:
        piece = draft.field.pieces.get(number)
        if piece is None:
            continue
        until = max(piece.stunned, draft.ply + 2 * draft.options.stun_duration)
        travelling = piece.transit is not None and piece.level != GROUND
        draft.scatter(piece.square, piece.seat, piece.articles)
        stunned = piece._replace(stunned=until, articles=(), transit=None)
        draft.field.put(stunned)
        if not travelling or come_down(draft, stunned, describing.STUN_KILL):
            now = draft.field.pieces[number]
            describing.report(draft, describing.STUNNED, now, counting.own_turns(draft.ply, until, now.seat))


def _support(draft: Draft) -> None:
    for number in sorted(draft.field.pieces):
        piece = draft.field.pieces[number]
        if piece.level != GROUND and not draft.field.supported(piece):
            come_down(draft, piece._replace(transit=None), describing.CRASHED)
