"""The worth of articles in the hands of a piece, where it stands and with those that it has already."""

from brettwerk_games.players.wec.values import FRONT, suits
from brettwerk_games.rules.wec.board import distance
from brettwerk_games.rules.wec.kinds import PRIMARIES, SECONDARIES, Article
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Carried, Piece, within_capacity

_STRIKING = (Article.FLAME, Article.STUN, Article.CONVERSION, Article.ROCKET)
"""Weapons that are worth more at the front."""


class Holdings:
    """Judges articles in the view of a seat."""

    def __init__(self, perspective: Perspective) -> None:
        """Look where the enemies are that it sees."""
        self._perspective = perspective
        self._enemies = sorted({piece.square for piece in perspective.view.pieces if piece.seat != perspective.seat})
        self._front: dict[int, int] = {}

    def front(self, square: int) -> int:
        """Return what a weapon is worth on a square, in per cent: the nearest enemy says it."""
        if square not in self._front:
            near = min((distance(square, enemy) for enemy in self._enemies), default=len(FRONT))
            self._front[square] = FRONT[min(near, len(FRONT) - 1)]
        return self._front[square]

    def worth(self, piece: Piece, articles: tuple[Carried, ...]) -> int:
        """Return what articles are worth to a piece; the second of a kind is worth half as much, the third a third."""
        total = 0
        seen: list[Article] = []
        for carried in articles:
            if carried.kind == Article.STEALTH and piece.kind in PRIMARIES:
                continue
            one = suits(carried.kind, piece.kind) // (1 + seen.count(carried.kind))
            total += one * self.front(piece.square) // 100 if carried.kind in _STRIKING else one
            seen.append(carried.kind)
        return total

    def use(self, piece: Piece, article: Article) -> int:
        """Return what one more article is worth to a piece; 0 when it cannot carry it."""
        more = (*piece.articles, Carried(article))
        if not within_capacity(piece.kind, more):
            return 0
        return self.worth(piece, more) - self.worth(piece, piece.articles)

    def use_by_all(self, piece: Piece, article: Article) -> int:
        """Return what an article is worth to a piece or, a quarter less, to the one it could hand it on to (WEC-ITEM-4)."""
        best = self.use(piece, article)
        if self._perspective.turn.exchanged or not within_capacity(piece.kind, (*piece.articles, Carried(article))):
            return best
        for other in self._perspective.own():
            reaches = SECONDARIES & {piece.kind, other.kind} or distance(piece.square, other.square) <= 1
            if other.id != piece.id and reaches and not self._perspective.idle_reason(other):
                best = max(best, self.use(other, article) * 3 // 4)
        return best

    def gain(self, one: Piece, given: Article, other: Piece, back: Article | None) -> int:
        """Return what an Exchange brings to both pieces together."""
        keeps, leaves = without(one.articles, given), other.articles
        gets = (*leaves, Carried(given))
        if back is not None:
            keeps = (*keeps, Carried(back))
            gets = (*without(leaves, back), Carried(given))
        before = self.worth(one, one.articles) + self.worth(other, other.articles)
        return self.worth(one, keeps) + self.worth(other, gets) - before


def without(articles: tuple[Carried, ...], kind: Article) -> tuple[Carried, ...]:
    """Return articles less one of a kind that is among them."""
    index = next(number for number, carried in enumerate(articles) if carried.kind == kind)
    return (*articles[:index], *articles[index + 1 :])
