"""Who sees what: the visibility formula (WEC-RUL-46) and the locks of Counter-Stealth (WEC-RUL-44)."""

from collections.abc import Collection, Iterable

from services.games.wec.board import SQUARES, SUB, distance, row_column
from services.games.wec.kinds import Article, Kind
from services.games.wec.options import Dominance, Options
from services.games.wec.pieces import Piece, detects_stealth, detects_submerged, stealthy

DEEP = SUB * SQUARES
"""The first place in Sub."""


def elusive(piece: Piece, options: Options) -> bool:
    """Tell whether a piece can be hidden where it is: it is stealthy, or submerged, and the options hide such pieces."""
    if piece.place >= DEEP and options.submerged_invisible:
        return True
    return options.stealth_invisible and stealthy(piece, options)


def hidden(pieces: Collection[Piece], options: Options, ply: int) -> frozenset[int]:
    """Return the pieces that their opponent does not see (WEC-RUL-46)."""
    suspects = [piece for piece in pieces if elusive(piece, options) and piece.revealed < ply]
    if not suspects:
        return frozenset()
    locked = targets(pieces) if options.stealth_lock_on else frozenset()
    detectors = [piece for piece in pieces if detects_stealth(piece)] if options.stealth_range_detect else []
    sonars = [piece for piece in pieces if detects_submerged(piece)] if any(p.place >= DEEP for p in suspects) else []
    found = []
    for piece in suspects:
        stealth = options.stealth_invisible and stealthy(piece, options) and piece.id not in locked
        stealth = stealth and not _near(detectors, piece, options.stealth_detector_range)
        if options.submerged_invisible and piece.place >= DEEP:
            covered = not _near(sonars, piece, options.submergence_detector_range)
            covered = covered or (stealth and options.dominance == Dominance.STEALTH)
        else:
            covered = stealth
        if covered:
            found.append(piece.id)
    return frozenset(found)


def _near(detectors: Iterable[Piece], piece: Piece, reach: int) -> bool:
    square, seat = piece.square, piece.seat
    return any(other.seat != seat and distance(square, other.square) <= reach for other in detectors)


def targets(pieces: Iterable[Piece]) -> frozenset[int]:
    """Return the pieces that some Counter-Stealth is locked on."""
    found = {piece.lock for piece in pieces if piece.lock}
    for piece in pieces:
        for article in piece.articles:
            if article.lock:
                found.add(article.lock)
    return frozenset(found)


def target_for(piece: Piece, pieces: Collection[Piece], options: Options, ply: int) -> int:
    """Return what a Counter-Stealth locks on that has just come to a piece, or 0 (WEC-RUL-44)."""
    unseen = hidden(pieces, options, ply)
    return nearest(piece, [other for other in pieces if other.id in unseen and stealthy(other, options)])


def nearest(piece: Piece, others: Iterable[Piece]) -> int:
    """Return the nearest enemy: ties by row, column, level (Ground, Air, Sub) and id; 0 when there is none."""
    enemies = [other for other in others if other.seat != piece.seat]
    if not enemies:
        return 0
    return min(enemies, key=lambda o: (distance(piece.square, o.square), row_column(o.square), o.level, o.id)).id


def first_locks(pieces: Collection[Piece], options: Options, ply: int) -> list[Piece]:
    """Return the pieces with the locks that they have when a game starts (WEC-RUL-44, WEC-STEALTH-4)."""
    if not options.stealth_lock_on:
        return list(pieces)
    now = {piece.id: piece for piece in pieces}
    pawns = [piece for piece in pieces if piece.kind == Kind.STEALTH_PAWN]
    for pawn in pawns:
        now[pawn.id] = pawn._replace(lock=nearest(pawn, pawns))
    for number in sorted(now):
        for index, article in enumerate(now[number].articles):
            if article.kind == Article.COUNTER_STEALTH:
                piece = now[number]
                lock = target_for(piece, now.values(), options, ply)
                articles = (*piece.articles[:index], article._replace(lock=lock), *piece.articles[index + 1 :])
                now[number] = piece._replace(articles=articles)
    return [now[number] for number in sorted(now)]
