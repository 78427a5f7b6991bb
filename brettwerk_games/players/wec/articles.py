"""The actions beside the Move and the Fires: articles, transports, reinforcements, and shots at what is farther away."""

from collections.abc import Iterable, Iterator

from brettwerk_games.players.wec.holdings import Holdings, without
from brettwerk_games.players.wec.values import PIECE
from brettwerk_games.rules.wec import items, reinforcement, transits, weapon_fire
from brettwerk_games.rules.wec.actions import Action, Drop, Exchange, Fire, Home, Move, PickUp, Reinforce, Route, Travel
from brettwerk_games.rules.wec.board import GROUND, NEIGHBOURS, NEXT, OFF, SQUARES, distance
from brettwerk_games.rules.wec.kinds import FLIGHT_LEVEL, LAUNCHERS, PRIMARIES, TRANSPORTS, TRAVEL_LEVEL, Article, Kind
from brettwerk_games.rules.wec.options import Actions
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.pieces import Piece, counters
from brettwerk_games.rules.wec.visibility import elusive
from brettwerk_games.rules.wec.weapons import battery, has

_MIN_USE = 10
"""The least gain for which an article is picked up."""
_MIN_EXCHANGE = 40
_MIN_SHOT = 14
_MIN_TRAVEL = 20
_COVER = 15
_HUNT = 80
"""The worth of arriving beside the enemy primary with a weapon that it does not withstand."""
_RANGE_OF_SHOT = 6
"""Squares that a projectile is followed; what is farther away has time to go."""
_SLOW = 300
"""Only pieces worth less go on a transit, since they stand still otherwise."""


class ArticleWishes:
    """The other wishes of a seat, seen in its view."""

    def __init__(self, perspective: Perspective) -> None:
        """Look at a view that is made ready."""
        self._perspective = perspective
        self._all = perspective.options.actions != Actions.MOVES_ONLY
        self._holdings = Holdings(perspective)
        self._calls = {
            r.square: PIECE[r.kind] for r in perspective.view.reserves if r.seat == perspective.seat and r.kind is not None
        }

    def of_move(self, move: Move) -> float:
        """Return what a Move brings besides: an article to pick up where it ends, a reinforcement to call where it began."""
        if not self._all:
            return 0.0
        perspective = self._perspective
        piece = perspective.field.pieces[move.piece]
        worth = 0.0
        if not perspective.turn.picked and move.place < SQUARES:
            there = piece._replace(place=move.place)
            worth += 0.5 * max(
                (self._holdings.use_by_all(there, lying.kind) for lying in perspective.view.ground[move.place]), default=0
            )
        if not perspective.turn.reinforced and piece.level == GROUND and piece.square in self._calls:
            left = len(perspective.field.at[piece.place]) - 1 - (move.carry and 1)
            if left == 0:
                worth += 0.75 * self._calls[piece.square]
        return worth

    def wanted(self) -> Iterator[Action]:
        """Yield what is worth doing when Move and Fires are done, one of each kind, the most urgent kind first."""
        if self._all:
            kinds = (self.reinforcement, self.pick_up, self.drop, self.exchange, self.shot, self.travel)
            yield from (action for kind in kinds if (action := kind()) is not None)

    def next(self) -> Action | None:
        """Return the first thing that is wanted, or None when the Turn is over."""
        return next(self.wanted(), None)

    def reinforcement(self) -> Reinforce | None:
        """Return the call for the best reinforcement that can come."""
        kinds = {reserve.id: reserve.kind for reserve in self._perspective.view.reserves}
        calls = list(reinforcement.reinforcements(self._perspective))
        return max(calls, key=lambda call: PIECE[kinds[call.piece] or Kind.DOZER], default=None)

    def pick_up(self) -> PickUp | None:
        """Return the best Pick-up that is worth it."""
        pieces = self._perspective.field.pieces
        best = max(
            items.pick_ups(self._perspective), key=lambda a: self._holdings.use_by_all(pieces[a.piece], a.article), default=None
        )
        return best if best is not None and self._holdings.use_by_all(pieces[best.piece], best.article) >= _MIN_USE else None

    def before(self, move: Move) -> PickUp | None:
        """Return what the mover had better pick up where it stands before it goes."""
        perspective = self._perspective
        piece = perspective.field.pieces[move.piece]
        if not self._all or piece.level != GROUND or not perspective.view.ground[piece.square]:
            return None
        mine = [action for action in items.pick_ups(perspective) if action.piece == piece.id]
        best = max(mine, key=lambda action: self._holdings.use(piece, action.article), default=None)
        if best is None:
            return None
        lying = perspective.view.ground[move.place] if move.place < SQUARES else ()
        moved = piece._replace(place=move.place)
        least = max((self._holdings.use_by_all(moved, article.kind) for article in lying), default=_MIN_USE)
        return best if self._holdings.use(piece, best.article) >= max(_MIN_USE, least) else None

    def exchange(self) -> Exchange | None:
        """Return the Exchange after which articles are in better hands by much."""
        best = max(items.exchanges(self._perspective), key=self._gain, default=None)
        return best if best is not None and self._gain(best) >= _MIN_EXCHANGE else None

    def _gain(self, exchange: Exchange) -> int:
        one, other = self._perspective.field.pieces[exchange.piece], self._perspective.field.pieces[exchange.other]
        return self._holdings.gain(one, exchange.article, other, exchange.back)

    def drop(self) -> Drop | None:
        """Return the Drop that makes room for something better that lies there."""
        perspective = self._perspective
        if perspective.turn.picked:
            return None
        best, most = None, _MIN_EXCHANGE - 1
        for action in items.drops(perspective):
            piece = perspective.field.pieces[action.piece]
            if piece.level != GROUND:
                continue
            rest = piece._replace(articles=without(piece.articles, action.article))
            loss = self._holdings.worth(piece, piece.articles) - self._holdings.worth(rest, rest.articles)
            for lying in perspective.view.ground[piece.square]:
                gain = self._holdings.use(rest, lying.kind) - loss
                if gain > most and lying.kind != action.article:
                    best, most = action, gain
        return best

    # Shots at what is farther away

    def shot(self) -> Fire | Home | None:
        """Return a projectile that is worth it though it does not hit at once."""
        perspective = self._perspective
        if perspective.turn.fires >= weapon_fire.MAX_FIRES:
            return None
        best, most = None, _MIN_SHOT - 1
        for piece in perspective.own():
            if perspective.idle_reason(piece):
                continue
            shown = self._cover(piece)
            for weapon in LAUNCHERS:
                times = battery(piece, weapon, perspective.ply, perspective.turn.spent).strength if has(piece, weapon) else 0
                if not times:
                    continue
                for action, worth in self._shots(piece, weapon, times):
                    if worth - shown > most:
                        best, most = action, worth - shown
        return best

    def _cover(self, piece: Piece) -> int:
        """Return what it is worth that the other side does not see a piece, as far as its own side can know (WEC-OBS-13)."""
        options = self._perspective.options
        return _COVER if options.reveal_on_fire and elusive(piece, options) else 0

    def _shots(self, piece: Piece, weapon: Article, times: int) -> Iterable[tuple[Fire | Home, int]]:
        for number in weapon_fire.homing_targets(self._perspective, piece, weapon):
            target = self._perspective.field.pieces[number]
            yield Home(piece.id, weapon, number), self._harm(piece, target, weapon, times) // 6
        base = FLIGHT_LEVEL[weapon] * SQUARES
        for direction, near in enumerate(NEXT[piece.square]):
            square = near
            for step in range(1, _RANGE_OF_SHOT + 1):
                if square == OFF:
                    break
                there = self._perspective.field.on(base + square)
                if there:
                    worth = sum(self._harm(piece, other, weapon, times) for other in there)
                    yield Fire(piece.id, weapon, direction), min(worth, 300) // (3 + 2 * step)
                    break
                square = NEXT[square][direction]

    def _harm(self, piece: Piece, target: Piece, weapon: Article, times: int) -> int:
        if times <= counters(target, weapon):
            return 0
        worth = min(PIECE[target.kind], 1200)
        # It cannot move out of the way of a shot that arrives later.
        if target.stunned > self._perspective.ply:
            worth *= 2
        return worth if target.seat != piece.seat else -3 * worth

    # Transports

    def travel(self) -> Travel | None:
        """Return a transit of a slow piece to where a reinforcement can be called, or beside the enemy primary."""
        perspective = self._perspective
        if perspective.turn.fires >= weapon_fire.MAX_FIRES:
            return None
        best, most = None, _MIN_TRAVEL - 1
        goals = self._goals()
        for piece in perspective.own():
            slow = PIECE[piece.kind] < _SLOW and not perspective.idle_reason(piece) and piece.square not in self._calls
            for transport in TRANSPORTS if slow and piece.articles else ():
                if transits.can_start(perspective, perspective.field, piece, transport):
                    continue
                hunts = self._hunts(piece)
                for square, worth in goals.items():
                    if square not in self._calls and not hunts:
                        continue
                    gain = worth - 6 * distance(piece.square, square)
                    if gain <= most or square == piece.square:
                        continue
                    ways = (way for way in transits.routes(piece.square, square) if self._is_free(piece, transport, square, way))
                    if way := next(ways, None):
                        best, most = Travel(piece.id, transport, square, way), gain
        return best

    def _is_free(self, piece: Piece, transport: Article, square: int, way: Route) -> bool:
        """Tell whether a piece gets through on a route as everybody it sees stands now: what is in the way ends the ride."""
        field, base = self._perspective.field, TRAVEL_LEVEL[transport] * SQUARES
        squares = transits.route(piece.square, square, way)
        places = list(squares) if base == GROUND else [*(base + one for one in (piece.square, *squares)), square]
        return all(field.room_for(piece, place) for place in places if place != piece.place)

    def _hunts(self, piece: Piece) -> bool:
        """Tell whether a piece has a weapon that the enemy primary does not withstand."""
        perspective = self._perspective
        primaries = [other for other in perspective.view.pieces if other.seat != perspective.seat and other.kind in PRIMARIES]
        return any(
            has(piece, weapon) and not counters(primary, weapon)
            for primary in primaries
            for weapon in (Article.FLAME, Article.STUN, Article.CONVERSION, Article.ROCKET)
        )

    def _goals(self) -> dict[int, int]:
        field = self._perspective.field
        goals = {square: worth // 6 for square, worth in self._calls.items() if square not in field.at}
        for piece in self._perspective.view.pieces:
            if piece.seat != self._perspective.seat and piece.kind in PRIMARIES:
                goals |= {near: _HUNT for near in NEIGHBOURS[piece.square] if near not in field.at}
        return goals
