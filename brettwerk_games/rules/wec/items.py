"""Pick-up, Drop and Exchange (WEC-ITEM, WEC-RUL-17, WEC-RUL-36, WEC-RUL-37, WEC-RUL-42)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec.actions import Drop, Exchange, PickUp
from brettwerk_games.rules.wec.board import GROUND, LEVELS, NEIGHBOURS, distance, place_of
from brettwerk_games.rules.wec.kinds import PRIMARIES, SECONDARIES, Article, Kind
from brettwerk_games.rules.wec.options import ExchangeLevels
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Carried, Piece, in_use, within_capacity
from brettwerk_games.rules.wec.visibility import target_for
from brettwerk_games.rules.wec.working_copy import WorkingCopy

ROOM = 2
"""Articles that find room on a square (WEC-BOARD-6)."""


def _without(piece: Piece, kind: Article) -> tuple[Carried | None, tuple[Carried, ...]]:
    """Return the first article of a kind that is not in use for a transit, and what the piece then still carries."""
    used = in_use(piece)
    for index, article in enumerate(piece.articles):
        if article.kind == kind and index != used:
            return article, (*piece.articles[:index], *piece.articles[index + 1 :])
    return None, piece.articles


def _kinds(piece: Piece) -> list[Article]:
    if not piece.articles:
        return []
    used = in_use(piece)
    return sorted({article.kind for index, article in enumerate(piece.articles) if index != used})


def _fault(perspective: Perspective, piece: Piece, articles: Sequence[Carried], got: Article | None) -> str:
    """Return the rule by which a piece may not carry these articles after getting one of them, or an empty string."""
    return _kind_fault(piece.kind, articles, got, king_may_be_stealthy=perspective.options.king_may_be_stealthy)


def _kind_fault(kind: Kind, articles: Sequence[Carried], got: Article | None, *, king_may_be_stealthy: bool) -> str:
    if got == Article.STEALTH and kind in PRIMARIES and not king_may_be_stealthy:
        return "WEC-RUL-42"
    return "" if within_capacity(kind, articles) else "WEC-CAP-5"


def _pick_up_fault(perspective: Perspective, piece: Piece, kind: Article) -> str:
    lying = perspective.view.ground[piece.square]
    if piece.level != GROUND or all(article.kind != kind for article in lying):
        return "WEC-ITEM-1"
    return _fault(perspective, piece, (*piece.articles, Carried(kind)), kind)


def _drop_fault(perspective: Perspective, piece: Piece, kind: Article) -> str:
    article, rest = _without(piece, kind)
    if piece.level != GROUND or article is None:
        return "WEC-RUL-17"
    if len(perspective.view.ground[piece.square]) >= ROOM:
        return "WEC-RUL-17"
    return _fault(perspective, piece, rest, None)


def _exchange_fault(perspective: Perspective, a: Piece, kind: Article, b: Piece, back: Article | None) -> str:
    apart = distance(a.square, b.square) > 1 or (
        a.level != b.level and perspective.options.exchange_levels == ExchangeLevels.SAME
    )
    if apart and a.kind not in SECONDARIES and b.kind not in SECONDARIES:
        return "WEC-ITEM-4"
    given, keeps = _without(a, kind)
    if given is None:
        return "WEC-ITEM-3"
    taken, leaves = (None, b.articles) if back is None else _without(b, back)
    if back is not None and taken is None:
        return "WEC-ITEM-3"
    to_a = keeps if taken is None else (*keeps, taken)
    return _fault(perspective, a, to_a, back) or _fault(perspective, b, (*leaves, given), kind)


def pick_ups(perspective: Perspective) -> Iterator[PickUp]:
    """Yield all Pick-ups."""
    if perspective.turn.picked or not any(perspective.view.ground):
        return
    for piece in perspective.own():
        if piece.level == GROUND and perspective.view.ground[piece.square] and not perspective.idle_reason(piece):
            for kind in sorted({article.kind for article in perspective.view.ground[piece.square]}):
                if not _pick_up_fault(perspective, piece, kind):
                    yield PickUp(piece.id, kind)


def drops(perspective: Perspective) -> Iterator[Drop]:
    """Yield all Drops."""
    if perspective.turn.dropped:
        return
    for piece in perspective.own():
        if piece.articles and not perspective.idle_reason(piece):
            for kind in _kinds(piece):
                if not _drop_fault(perspective, piece, kind):
                    yield Drop(piece.id, kind)


def exchanges(perspective: Perspective) -> Iterator[Exchange]:
    """Yield all Exchanges: gifts, and swaps with the lower id first."""
    if perspective.turn.exchanged or not any(piece.articles for piece in perspective.own()):
        return
    able = [piece for piece in perspective.own() if not perspective.idle_reason(piece)]
    gives = [_kinds(piece) for piece in able]
    if not any(gives):
        return
    rooms = _rooms(perspective, able)
    partners = _partners(perspective, able)
    for one, a in enumerate(able):
        if not gives[one]:
            continue
        room_of_a = rooms[one]
        for other in partners(one):
            b, room_of_b = able[other], rooms[other]
            for kind in gives[one]:
                if room_of_a[kind][NOTHING] and room_of_b[NOTHING][kind]:
                    yield Exchange(a.id, kind, b.id)
                if a.id < b.id:
                    for back in gives[other]:
                        if room_of_a[kind][back] and room_of_b[back][kind]:
                            yield Exchange(a.id, kind, b.id, back)


def _partners(perspective: Perspective, able: Sequence[Piece]) -> Callable[[int], Iterable[int]]:
    """Return what tells with whom each may exchange (WEC-ITEM-4); all are told by their places in `able`."""
    ranks = {piece.id: rank for rank, piece in enumerate(able)}
    free = {rank for rank, piece in enumerate(able) if piece.kind in SECONDARIES}

    def partners(rank: int) -> Iterable[int]:
        if rank in free:
            return (other for other in range(len(able)) if other != rank)
        piece = able[rank]
        levels = LEVELS if perspective.options.exchange_levels == ExchangeLevels.ALL else (piece.level,)
        places = [place_of(square, level) for level in levels for square in (piece.square, *NEIGHBOURS[piece.square])]
        near = {ranks[number] for place in places for number in perspective.field.at.get(place, ()) if number in ranks}
        return sorted((near | free) - {rank})

    return partners


Room = Sequence[Sequence[bool]]
"""By the number of the article that a piece loses, and of the one it gets: whether it may. NOTHING stands for none."""
NOTHING = 0
_NEVER = (False,) * (1 + len(Article))


def _rooms(perspective: Perspective, pieces: Iterable[Piece]) -> list[Room]:
    """Return what each may lose and get."""
    stealthy_kings = perspective.options.king_may_be_stealthy
    return [
        _room(piece.kind, in_use(piece), tuple([article.kind for article in piece.articles]), king_may_be_stealthy=stealthy_kings)
        for piece in pieces
    ]


@lru_cache(maxsize=4096)
def _room(kind: Kind, used: int, carried: tuple[Article, ...], *, king_may_be_stealthy: bool) -> Room:
    """Return what a piece may lose and get that carries these articles; that of number `used` is in use for a transit."""

    def may_carry(kinds: Sequence[Article], got: Article | None) -> bool:
        return not _kind_fault(kind, [Carried(one) for one in kinds], got, king_may_be_stealthy=king_may_be_stealthy)

    room: list[Sequence[bool]] = [_NEVER] * (1 + len(Article))
    losses = {article: index for index, article in reversed(list(enumerate(carried))) if index != used}
    for lost, rest in [(NOTHING, carried), *((lost, carried[:n] + carried[n + 1 :]) for lost, n in losses.items())]:
        room[lost] = (may_carry(rest, None), *(may_carry((*rest, got), got) for got in Article))
    return room


def require_legal(perspective: Perspective, action: PickUp | Drop | Exchange) -> None:
    """Raise Illegal with the rule that forbids it."""
    perspective.require_all_actions()
    piece = perspective.require_own(action.piece)
    perspective.require_able(piece)
    if isinstance(action, PickUp):
        done, rule = perspective.turn.picked, _pick_up_fault(perspective, piece, action.article)
    elif isinstance(action, Drop):
        done, rule = perspective.turn.dropped, _drop_fault(perspective, piece, action.article)
    else:
        other = perspective.require_own(action.other)
        perspective.require_able(other)
        if other.id == piece.id:
            raise Illegal("an Exchange is between two pieces", rule="WEC-ITEM-3")
        done, rule = perspective.turn.exchanged, _exchange_fault(perspective, piece, action.article, other, action.back)
    if done:
        raise Illegal("that has already been done in this Turn", rule="WEC-TURN-2")
    if rule:
        raise Illegal("the article cannot go there", rule=rule)


def carry_out(work: WorkingCopy, action: PickUp | Drop | Exchange) -> None:
    """Hand the article over; a Counter-Stealth that is acquired locks on (WEC-RUL-44)."""
    piece = work.field.pieces[action.piece]
    if isinstance(action, Exchange):
        other = work.field.pieces[action.other]
        given, keeps = _without(piece, action.article)
        taken, leaves = (None, other.articles) if action.back is None else _without(other, action.back)
        assert given is not None
        work.field.put(piece._replace(articles=keeps))
        work.field.put(other._replace(articles=leaves))
        _give(work, other.id, given)
        if taken is not None:
            _give(work, piece.id, taken)
        acted = (*work.turn.acted, piece.id, other.id)
        work.turn = work.turn._replace(exchanged=True, acted=acted)
        return
    acted = (*work.turn.acted, piece.id)
    lying = work.ground[piece.square]
    if isinstance(action, PickUp):
        index = [article.kind for article in lying].index(action.article)
        work.ground[piece.square] = (*lying[:index], *lying[index + 1 :])
        _give(work, piece.id, lying[index])
        work.turn = work.turn._replace(picked=True, acted=acted)
    else:
        article, rest = _without(piece, action.article)
        assert article is not None
        work.field.put(piece._replace(articles=rest))
        work.ground[piece.square] = (*lying, article._replace(lock=0))
        work.turn = work.turn._replace(dropped=True, acted=acted)


def _give(work: WorkingCopy, number: int, article: Carried) -> None:
    piece = work.field.pieces[number]
    lock = 0
    if article.kind == Article.COUNTER_STEALTH and work.options.stealth_lock_on:
        lock = target_for(piece, work.field.pieces.values(), work.options, work.ply)
    work.field.put(piece._replace(articles=(*piece.articles, article._replace(lock=lock))))
