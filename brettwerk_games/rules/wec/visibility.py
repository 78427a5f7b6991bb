"""The pieces that each eye sees: the visibility formula (WEC-RUL-46) and the locks of Counter-Stealth (WEC-RUL-44)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial

from brettwerk_games.rules.wec.board import SQUARES, SUB, distance, row_column
from brettwerk_games.rules.wec.kinds import Article, Kind
from brettwerk_games.rules.wec.options import Dominance, Options
from brettwerk_games.rules.wec.pieces import (
    DETECTORS,
    SONAR,
    STEALTHY,
    Piece,
    carries,
    detects_stealth,
    detects_submerged,
    stealthy,
)

DEEP = SUB * SQUARES
"""The first place in Sub."""


def elusive(piece: Piece, options: Options) -> bool:
    """Tell whether a piece can be hidden where it is: it is stealthy, or submerged, and the options hide such pieces."""
    if piece.place >= DEEP and options.submerged_invisible:
        return True
    return options.stealth_invisible and stealthy(piece, options)


def sees(eye: int, piece: Piece, unseen: Collection[int], options: Options) -> bool:
    """Tell whether an eye sees a piece, given those that their opponents do not see; spectators see none that could be hidden."""
    if eye not in (0, 1):
        return not elusive(piece, options)
    return piece.seat == eye or piece.id not in unseen


def hidden(pieces: Collection[Piece], options: Options, ply: int) -> frozenset[int]:
    """Return the pieces that their opponent does not see (WEC-RUL-46)."""
    found = [piece for piece in suspects(pieces, options) if piece.revealed < ply]
    if not found:
        return frozenset()
    always, unlocked = _covered(pieces, found, options)
    return always | (unlocked - targets(pieces)) if options.stealth_lock_on else always | unlocked


def suspects(pieces: Iterable[Piece], options: Options) -> list[Piece]:
    """Return the pieces that are elusive; most are told by their kind and place alone."""
    below, stealth = options.submerged_invisible, options.stealth_invisible
    return [
        piece
        for piece in pieces
        if (below and piece.place >= DEEP)
        or (stealth and (piece.kind in STEALTHY or (piece.articles and stealthy(piece, options))))
    ]


def _covered(pieces: Collection[Piece], elusives: Collection[Piece], options: Options) -> tuple[frozenset[int], frozenset[int]]:
    """Return which of the suspects are hidden whatever is locked on them, and which unless a Counter-Stealth is."""
    detectors, sonars = [], []
    if options.stealth_range_detect:
        detectors = [p for p in pieces if p.kind in DETECTORS or (p.articles and detects_stealth(p))]
    if any(p.place >= DEEP for p in elusives):
        sonars = [p for p in pieces if p.kind in SONAR or (p.articles and detects_submerged(p))]
    detected = _near(detectors, options.stealth_detector_range)
    sounded = _near(sonars, options.submergence_detector_range)
    always, unlocked = [], []
    for piece in elusives:
        stealth = options.stealth_invisible and stealthy(piece, options)
        stealth = stealth and not detected(piece)
        if options.submerged_invisible and piece.place >= DEEP:
            if not sounded(piece):
                always.append(piece.id)
                continue
            stealth = stealth and options.dominance == Dominance.STEALTH
        if stealth:
            unlocked.append(piece.id)
    return frozenset(always), frozenset(unlocked)


def _near(detectors: Iterable[Piece], reach: int) -> Callable[[Piece], bool]:
    """Return what tells whether a piece is within reach of an enemy's detector; squares are bits, since there may be hundreds."""
    squares = [0, 0]
    for detector in detectors:
        squares[detector.seat] |= 1 << detector.square
    around = _around(reach)
    return lambda piece: bool(around[piece.square] & squares[1 - piece.seat])


@cache
def _around(reach: int) -> tuple[int, ...]:
    """Return for each square the squares within reach, as bits."""
    return tuple(sum(1 << b for b in range(SQUARES) if distance(a, b) <= reach) for a in range(SQUARES))


def targets(pieces: Iterable[Piece]) -> frozenset[int]:
    """Return the pieces that some Counter-Stealth is locked on."""
    locks = [piece.lock for piece in pieces if piece.lock]
    locks += [article.lock for piece in pieces if piece.articles for article in piece.articles if article.lock]
    return frozenset(locks)


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


class _Nearest:
    """`nearest` for many pieces among the same others: what is sorted by nearness to a square is so once."""

    def __init__(self, others: Iterable[Piece]) -> None:
        ordered = sorted(others, key=lambda o: (row_column(o.square), o.level, o.id))
        self._enemies = tuple([other for other in ordered if other.seat != seat] for seat in (0, 1))
        self._sorted: dict[tuple[int, int], list[int]] = {}

    def to(self, piece: Piece, is_one: Callable[[int], bool] = lambda _: True) -> int:
        """Return the nearest enemy that is one, or 0."""
        at = piece.square, piece.seat
        if at not in self._sorted:
            found = sorted(self._enemies[piece.seat], key=lambda other: distance(piece.square, other.square))
            self._sorted[at] = [other.id for other in found]
        return next(filter(is_one, self._sorted[at]), 0)


def first_locks(pieces: Collection[Piece], options: Options, ply: int, revision: int = 2) -> list[Piece]:
    """Return the pieces with the locks that they have when a game starts (WEC-RUL-44, WEC-STEALTH-4).

    Each carried Counter-Stealth gets its `target_for`, in order of ids. Of what that looks at only the locks change meanwhile,
    so the rest is looked at once: an edited board may have two hundred of them among six hundred pieces. In the first `revision`
    of the rules, each detected what was near already when it looked for a target.
    """
    if not options.stealth_lock_on:
        return list(pieces)
    now = {piece.id: piece for piece in pieces}
    pawns = [piece for piece in pieces if piece.kind == Kind.STEALTH_PAWN]
    rivals = _Nearest(pawns)
    for pawn in pawns:
        now[pawn.id] = pawn._replace(lock=rivals.to(pawn))
    if not any(article.kind == Article.COUNTER_STEALTH for piece in pieces for article in piece.articles):
        return [now[number] for number in sorted(now)]
    elusives = [piece for piece in suspects(pieces, options) if piece.revealed < ply]
    always, unlocked = _covered(pieces, elusives, options)
    once = _detected_once(pieces, elusives, options) if revision > 1 else {}
    stealths = _Nearest(piece for piece in elusives if stealthy(piece, options))
    locked = Counter(lock for piece in now.values() for lock in (piece.lock, *(article.lock for article in piece.articles)))
    for number in sorted(now):
        for index, article in enumerate(now[number].articles):
            if article.kind == Article.COUNTER_STEALTH:
                piece = now[number]
                bare = piece.kind not in DETECTORS and carries(piece, Article.COUNTER_STEALTH) == 1
                unseen = unlocked | once[number] if bare and number in once else unlocked
                lock = stealths.to(piece, partial(_is_hidden, always=always, unlocked=unseen, locked=locked))
                locked[article.lock] -= 1
                locked[lock] += 1
                articles = (*piece.articles[:index], article._replace(lock=lock), *piece.articles[index + 1 :])
                now[number] = piece._replace(articles=articles)
    return [now[number] for number in sorted(now)]


def _is_hidden(number: int, *, always: frozenset[int], unlocked: frozenset[int], locked: Mapping[int, int]) -> bool:
    return number in always or (number in unlocked and not locked[number])


def _detected_once(pieces: Collection[Piece], elusives: Collection[Piece], options: Options) -> dict[int, frozenset[int]]:
    """Return by detector what nothing shows but its being near: what is hidden from it before it works."""
    if not options.stealth_range_detect:
        return {}
    _, undetected = _covered(pieces, elusives, options._replace(stealth_range_detect=False))
    reach = options.stealth_detector_range
    detectors = [piece for piece in pieces if detects_stealth(piece)]
    found: dict[int, set[int]] = {}
    for piece in elusives:
        if piece.id in undetected:
            near = [d.id for d in detectors if d.seat != piece.seat and distance(d.square, piece.square) <= reach]
            if len(near) == 1:
                found.setdefault(near[0], set()).add(piece.id)
    return {number: frozenset(ids) for number, ids in found.items()}
