"""The end of a Turn, E1 to E8 (WEC-RUL-2), and of the game (WEC-WIN, WEC-RUL-47, WEC-RUL-48)."""

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import hits, projectiles, transits
from brettwerk_games.rules.wec.doze_push import dozes
from brettwerk_games.rules.wec.move_execution import moves
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Carried, Piece, detects_stealth, stealthy
from brettwerk_games.rules.wec.position import MAX_PLY, End
from brettwerk_games.rules.wec.working_copy import WorkingCopy


def may_end(perspective: Perspective) -> bool:
    """Tell whether the Turn may be ended: its Move is made, or there is none (WEC-TURN-1, WEC-TURN-9)."""
    if perspective.turn.mover:
        return True
    return next(moves(perspective), None) is None and next(dozes(perspective), None) is None


def require_legal(perspective: Perspective) -> None:
    """Raise Illegal where the Move has still to be made."""
    if not may_end(perspective):
        raise Illegal("the Move of this Turn has not been made", rule="WEC-TURN-1")


def effects(work: WorkingCopy) -> None:
    """Carry out E1 to E5."""
    transits.advance(work)
    work.at_once = 0
    work.look_again()
    projectiles.contact(work)
    projectiles.advance(work)
    hits.settle(work)


def verdict(work: WorkingCopy) -> tuple[End, int | None]:
    """Return how the game has ended at E6, and who has won; (ON, None) while it is on."""
    active = work.active
    for loser in (active, 1 - active):
        if work.lost[loser] != End.ON:
            return work.lost[loser], 1 - loser
    if not work.turn.mover and work.before.idle and _quiet(work):
        return End.STUCK, None
    if work.ply >= MAX_PLY:
        return End.BOUND, None
    return End.ON, None


def _quiet(work: WorkingCopy) -> bool:
    pieces = work.field.pieces.values()
    moving = any(piece.transit is not None or piece.stunned > work.ply for piece in pieces)
    return not moving and not work.projectiles


def renew(work: WorkingCopy) -> None:
    """End the locks whose condition has gone (E7), and forget countdowns that are over in the coming Turn (E8)."""
    coming = work.ply + 1
    pieces = work.field.pieces
    kept = {piece.id: piece.seat for piece in pieces.values() if stealthy(piece, work.options)}
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
            work.field.put(renewed)
    for square, lying in enumerate(work.ground):
        if any(article.ready for article in lying):
            work.ground[square] = tuple(a if a.ready > coming else a._replace(ready=0) for a in lying)


def _renewed(article: Carried, piece: Piece, kept: dict[int, int], coming: int) -> Carried:
    if not article.ready and not article.lock:
        return article
    lock = article.lock if kept.get(article.lock) == 1 - piece.seat else 0
    return article._replace(ready=article.ready if article.ready > coming else 0, lock=lock)
