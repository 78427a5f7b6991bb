"""A piece and what it carries, and what follows from both: weapons, counters, stealth, detectors, capacity, support."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from brettwerk_games.rules.wec.board import AIR, GROUND, SQUARES
from brettwerk_games.rules.wec.kinds import CARRIES_IN, COUNTER, NATURES, PRIMARIES, TRAVEL_LEVEL, Article, Hand, Kind
from brettwerk_games.rules.wec.options import Options

STEALTHY = frozenset(kind for kind, nature in NATURES.items() if nature.stealthy)
DETECTORS = frozenset({Kind.STEALTH_PAWN})
SONAR = frozenset(kind for kind, nature in NATURES.items() if Article.TORPEDO in nature.weapons)

WHITE_IDS = 1000
"""White's pieces have ids above this, Black's below, so that Black's come first (WEC-RUL-54)."""


class Carried(NamedTuple):
    """An article with its own countdown and lock: it can be fired at `ready` (a ply; 0 now), and locks on the piece `lock`."""

    kind: Article
    ready: int = 0
    lock: int = 0


class Transit(NamedTuple):
    """A journey by transport: the squares still to come, in order, and when it was started (a serial number)."""

    transport: Article
    left: tuple[int, ...] = ()
    started: int = 0


class _Piece(NamedTuple):
    id: int
    seat: int
    kind: Kind
    place: int
    hand: Hand = Hand.NONE
    articles: tuple[Carried, ...] = ()
    ready: tuple[int, int] = (0, 0)
    stunned: int = 0
    origin: bool = False
    transit: Transit | None = None
    lock: int = 0
    revealed: int = 0


class Piece(_Piece):
    """A piece. `stunned` and `revealed` are the last ply of each, 0 for none; `ready` belongs to the inherent weapons.

    `origin` is the Pawn's mark of WEC-RUL-28 and `lock` the target of an inherent Counter-Stealth.

    Most pieces go from position to position as they are. So what follows from one and is asked for in every step is worked out
    once and kept with it; it is no part of the value.
    """

    encoded: tuple[bytes, bytes] | None = None
    """The field that holds it in a position and in a view, where both are the same at every ply (codec/)."""
    counted: tuple[int, tuple[int, ...], tuple[bytes, bytes]] = -1, (), (b"", b"")
    """The same field of a piece that counts something down, after the ply at which it is so, and what is left (codec/)."""
    shown: "Piece | None" = None
    """The piece as the other side sees it, where that is not all (view.py)."""
    text: str = ""
    """How the notation describes it (notation_signs.py)."""
    moves: tuple[Any, ...] | None = None
    """The Moves that were last listed of it, and in which surroundings (action_list.py)."""
    fires: tuple[Any, ...] | None = None
    """The Fires that were last listed of it, and what they depend on (action_list.py)."""

    @property
    def square(self) -> int:
        """The square it is on."""
        return self.place % SQUARES

    @property
    def level(self) -> int:
        """The level it is on."""
        return self.place // SQUARES

    @cached_property
    def is_open(self) -> bool:
        """Whether everybody who sees it sees all of it."""
        if self.lock or self.revealed or self.origin or self.transit is not None:
            return False
        return not self.articles or not any(article.lock for article in self.articles)

    @cached_property
    def counts(self) -> bool:
        """Whether something of it is counted down, or a stun is told from the ply."""
        return self.ready != (0, 0) or self.stunned != 0 or any(article.ready for article in self.articles)


def carries(piece: Piece, kind: Article) -> int:
    """Return how many articles of a kind the piece carries."""
    return sum(article.kind == kind for article in piece.articles)


def counters(piece: Piece, weapon: int) -> int:
    """Return the piece's counters against a weapon, inherent and carried (WEC-STACK-2)."""
    return (weapon in NATURES[piece.kind].counters) + sum(article.kind == weapon + COUNTER for article in piece.articles)


def stealthy(piece: Piece, options: Options) -> bool:
    """Tell whether the piece has effective Stealth (WEC-RUL-46, WEC-RUL-42)."""
    if piece.kind in STEALTHY:
        return True
    if not piece.articles or not carries(piece, Article.STEALTH):
        return False
    return options.king_may_be_stealthy or piece.kind not in PRIMARIES


def detects_stealth(piece: Piece) -> bool:
    """Tell whether the piece has a Counter-Stealth (WEC-STEALTH-5)."""
    if piece.kind in DETECTORS:
        return True
    return bool(piece.articles) and carries(piece, Article.COUNTER_STEALTH) > 0


def detects_submerged(piece: Piece) -> bool:
    """Tell whether the piece has a Torpedo Launcher (WEC-SUBM-2)."""
    if piece.kind in SONAR:
        return True
    return bool(piece.articles) and carries(piece, Article.TORPEDO) > 0


def within_capacity(kind: Kind, articles: Sequence[Carried]) -> bool:
    """Tell whether a piece of this kind may carry these articles (WEC-CAP-1 to WEC-CAP-4)."""
    if kind == Kind.XXX_PAWN:
        return len(articles) <= 2
    return len(articles) <= (3 if any(article.kind == Article.XXX for article in articles) else 1)


def may_share(a: Piece, b: Piece) -> bool:
    """Tell whether two friendly pieces may be on one place (WEC-COEX-1, WEC-COEX-2)."""
    return NATURES[a.kind].shares or NATURES[b.kind].shares


def self_supporting(piece: Piece) -> bool:
    """Tell whether the piece can be where it is by itself (WEC-RUL-30)."""
    level = piece.place // SQUARES
    if level == GROUND:
        return True
    if piece.transit is not None and TRAVEL_LEVEL[piece.transit.transport] == level:
        return True
    return CARRIES_IN.get(piece.kind) == level or (piece.kind == Kind.JET and level == AIR)


def has_own_drive(piece: Piece) -> bool:
    """Tell whether the piece can Move on its level (WEC-MOVE-7, WEC-RUL-23)."""
    level = piece.place // SQUARES
    return level == GROUND or CARRIES_IN.get(piece.kind) == level or (piece.kind == Kind.JET and level == AIR)


def in_use(piece: Piece) -> int:
    """Return the index of the article that a transit uses, or -1 (WEC-RUL-17)."""
    if piece.transit is None:
        return -1
    kinds = [article.kind for article in piece.articles]
    return kinds.index(piece.transit.transport) if piece.transit.transport in kinds else -1
