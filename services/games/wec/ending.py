"""The end of a Turn, E1 to E8 (WEC-RUL-2), and of the game (WEC-WIN, WEC-RUL-47, WEC-RUL-48)."""

from services.games.refusals import Illegal
from services.games.wec import hits, projectiles, transits
from services.games.wec.dozing import dozes
from services.games.wec.draft import Draft
from services.games.wec.moving import moves
from services.games.wec.pieces import Carried, Piece, detects_stealth, stealthy
from services.games.wec.position import MAX_PLY, End
from services.games.wec.sight import Sight


def may_end(sight: Sight) -> bool:
    """Tell whether the Turn may be ended: its Move is made, or there is none (WEC-TURN-1, WEC-TURN-9)."""
    if sight.turn.mover:
        return True
    return next(moves(sight), None) is None and next(dozes(sight), None) is None


def require_legal(sight: Sight) -> None:
    """Raise Illegal where the Move has still to be made."""
    if not may_end(sight):
        raise Illegal("the Move of this Turn has not been made", rule="WEC-TURN-1")


def effects(draft: Draft) -> None:
    """Carry out E1 to E5."""
    transits.advance(draft)
    draft.at_once = 0
    draft.look_again()
    projectiles.contact(draft)
    projectiles.advance(draft)
    hits.settle(draft)


def verdict(draft: Draft) -> tuple[End, int | None]:
    """Return how the game has ended at E6, and who has won; (ON, None) while it is on."""
    active = draft.active
    for loser in (active, 1 - active):
        if draft.lost[loser] != End.ON:
            return draft.lost[loser], 1 - loser
    if not draft.turn.mover and draft.before.idle and _quiet(draft):
        return End.STUCK, None
    if draft.ply >= MAX_PLY:
        return End.BOUND, None
    return End.ON, None


def _quiet(draft: Draft) -> bool:
    pieces = draft.field.pieces.values()
    moving = any(piece.transit is not None or piece.stunned > draft.ply for piece in pieces)
    return not moving and not draft.projectiles


def renew(draft: Draft) -> None:
    """End the locks whose condition has gone (E7), and forget countdowns that are over in the coming Turn (E8)."""
    coming = draft.ply + 1
    pieces = draft.field.pieces
    kept = {piece.id: piece.seat for piece in pieces.values() if stealthy(piece, draft.options)}
    for piece in list(pieces.values()):
        if not (piece.counts or piece.lock or piece.revealed or piece.articles):
            continue
        articles = tuple(_renewed(article, piece, kept, coming) for article in piece.articles)
        ready = (piece.ready[0] if piece.ready[0] > coming else 0, piece.ready[1] if piece.ready[1] > coming else 0)
        lock = piece.lock if piece.lock and kept.get(piece.lock) == 1 - piece.seat and detects_stealth(piece) else 0
        renewed = piece._replace(
            articles=articles,
            ready=ready,
            lock=lock,
            stunned=piece.stunned if piece.stunned >= coming else 0,
            revealed=piece.revealed if piece.revealed >= coming else 0,
        )
        if renewed != piece:
            draft.field.put(renewed)
    for square, lying in enumerate(draft.ground):
        if any(article.ready for article in lying):
            draft.ground[square] = tuple(a if a.ready > coming else a._replace(ready=0) for a in lying)


def _renewed(article: Carried, piece: Piece, kept: dict[int, int], coming: int) -> Carried:
    if not article.ready and not article.lock:
        return article
    lock = article.lock if kept.get(article.lock) == 1 - piece.seat else 0
    return article._replace(ready=article.ready if article.ready > coming else 0, lock=lock)
