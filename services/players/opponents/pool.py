"""Pools: who looks for an opponent is paired with somebody of similar strength.

All of it is in SQL, with leases: any process of the service pairs, and one that dies leaves nothing half done. A pair is ordered
in the same transaction (session_orders.py).
"""

import asyncio
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import errors_pb2, news_pb2, opponents_pb2
from services.archive.access import Access
from services.players.accounts import rows
from services.players.calls import Answered, Caller, Handler
from services.players.conduct.departures import pace_of
from services.players.conduct.description import require_no_pause
from services.players.game_data import every_game, require_game
from services.players.opponents import blocks, pool_pairing, seek_rows, session_orders, strength
from services.players.opponents.arrangement import asked, lot
from services.players.opponents.pool_clocks import PoolName, clock_of, clock_text, names
from services.players.opponents.session_orders import Maker
from services.players.request_ids import derived_id
from services.runtime import metrics
from services.runtime.bots import is_bot
from services.runtime.refusal import Refused, listed, malformed
from services.runtime.wall_clock import wall_ms

LEASE_MS = 20_000
"""A seeker who has not asked for so long has left."""
MAX_ADDRESSES = 10_000
"""Network addresses that are remembered."""
_LOOK_S = 1.0
"""How often a waiting call checks whether another process has paired its player."""
_State = opponents_pb2.Seek


class Pool:
    """The calls about pools, and the pairing. Raises Refused."""

    def __init__(self, store: Access, make: Maker, now_ms: Callable[[], int] = wall_ms) -> None:
        """`make` creates the session of an order."""
        self._store = store
        self._make = make
        self._now_ms = now_ms
        self._bells: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        """The bells of those who wait in a call here."""
        self._addresses: OrderedDict[str, str] = OrderedDict()
        """The network addresses of those who have begun a search here, the newest last: what comes of it counts for one."""

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "list_pools": self.list_pools,
            "start_seek": self.start,
            "follow_seek": self.follow,
            "stop_seek": self.stop,
        }

    async def list_pools(self, request: opponents_pb2.ListPoolsRequest, caller: Caller) -> Answered:
        """Return the pools of a game."""
        require_game(request.game)
        now_ms = self._now_ms()
        counts = await self._store.run(lambda connection: seek_rows.counts(connection, now_ms))
        pools = [
            opponents_pb2.Pool(clock=clock_of(name.clock), competitive=name.competitive, waiting=counts.get(str(name), 0))
            for name in names(request.game)
        ]
        return Answered(opponents_pb2.ListPoolsResponse(pools=pools))

    async def start(self, request: opponents_pb2.StartSeekRequest, caller: Caller) -> Answered:
        """Begin a search and return it, or return the one that there is when it has led to a session that waits.

        Raises Refused: NO_TOKEN, UNKNOWN for a game that there is not, MALFORMED for a clock without a pool, BOT where games
        count, LEFT_GAMES for one who has left too many.
        """
        caller.require_player()
        require_game(request.game)
        name = PoolName(request.game, clock_text(request.clock), request.competitive)
        if name not in names(request.game):
            there = listed(one.clock for one in names(request.game) if one.competitive == request.competitive)
            raise malformed("clock", f"there is no pool for {name.clock} (kind:time:increment in ms); there are: {there}")
        seek_id = derived_id("seek", caller.player_id, request.request_id)
        if request.competitive and is_bot(caller.player_id):
            raise Refused(errors_pb2.REASON_BOT, "bots look for opponents only where games do not count for ratings")
        now_ms = self._now_ms()

        def write(connection: Connection) -> Row[Any] | None:
            rows.own(connection, caller)
            known = strength.strengths(connection, [caller.player_id], [request.game])
            before = seek_rows.find(connection, caller.player_id)
            if before is not None and before.seek_id == seek_id and seek_rows.is_live(before, now_ms):
                seek_rows.renew(connection, caller.player_id, seek_id, now_ms + LEASE_MS)
            else:
                conduct = require_no_pause(connection, caller.player_id, now_ms)
                seek = {
                    "player_id": caller.player_id,
                    "seek_id": seek_id,
                    "name": caller.name,
                    "pool": str(name),
                    "rating": strength.rating_of(known, caller.player_id, request.game),
                    "since_ms": now_ms,
                    "lease_ms": now_ms + LEASE_MS,
                    "least_reliability": request.least_reliability,
                    "reliability": conduct.percent(pace_of(request.clock), now_ms),
                }
                if seek_rows.begin(connection, seek, now_ms):
                    metrics.SEEKS.labels(request.game, "began").inc()
            return seek_rows.find(connection, caller.player_id)

        self._addresses[caller.player_id] = caller.address
        self._addresses.move_to_end(caller.player_id)
        if len(self._addresses) > MAX_ADDRESSES:
            self._addresses.popitem(last=False)
        row = await self._store.run(write)
        if row is not None and not row.arrangement_id:
            await self.pair(str(name))
        return Answered(opponents_pb2.StartSeekResponse(seek=await self._seek(caller.player_id)))

    async def follow(self, request: opponents_pb2.FollowSeekRequest, caller: Caller) -> Answered:
        """Renew a search, and return it when it has an opponent, is over, or `wait_ms` are over. Raises Refused (NO_TOKEN)."""
        caller.require_player()
        lease_ms = self._now_ms() + request.wait_ms + LEASE_MS
        renew = partial(seek_rows.renew, player_id=caller.player_id, seek_id=request.seek_id, lease_ms=lease_ms)
        await self._store.run(renew)
        bell = asyncio.Event()
        self._bells[caller.player_id].add(bell)
        try:
            seek = await self._wait(caller.player_id, request, bell)
        finally:
            self._bells[caller.player_id].discard(bell)
            if not self._bells[caller.player_id]:
                del self._bells[caller.player_id]
        return Answered(opponents_pb2.FollowSeekResponse(seek=seek))

    async def stop(self, request: opponents_pb2.StopSeekRequest, caller: Caller) -> Answered:
        """End a search, if it is still the caller's, and return an empty answer. Raises Refused (NO_TOKEN)."""
        caller.require_player()
        await self._store.run(partial(seek_rows.stop, player_id=caller.player_id, seek_id=request.seek_id))
        return Answered(opponents_pb2.StopSeekResponse())

    async def pair_all(self) -> None:
        """Pair in all pools in which two or more wait."""
        now_ms = self._now_ms()
        counts = await self._store.run(lambda connection: seek_rows.counts(connection, now_ms))
        _measure(counts)
        for pool, count in counts.items():
            if count > 1:
                await self.pair(pool)

    async def pair(self, pool: str) -> None:
        """Pair those who wait in a pool, as far as they may meet, and create their sessions."""
        now_ms = self._now_ms()
        ordered = []
        for pair in await self._store.run(lambda connection: _matched(connection, pool, now_ms)):
            try:
                write = partial(_bring_together, pool=pool, pair=pair, now_ms=now_ms)
                ordered.append((await self._store.run(write), [row.player_id for row in pair]))
            except seek_rows.Taken:
                continue  # another process was faster, or one has left: they are looked at again in a moment
            for row in pair:
                metrics.SEEK_WAIT.labels(PoolName.read(pool).game).observe(max(0, now_ms - row.since_ms) / 1000)
        for arrangement_id, players in ordered:
            address = next((self._addresses[player] for player in players if player in self._addresses), "")
            await self._make(arrangement_id, address)

    def ring(self, players: Sequence[str]) -> None:
        """Let the calls of players that wait here look at once."""
        for player in players:
            for bell in self._bells.get(player, ()):
                bell.set()

    def announce(self, connection: Connection, arrangement_id: str, session_id: str) -> list[players_pb2.NotedNews]:
        """Return the news of a session that was made for two of a pool (Announce in session_orders.py)."""
        found = seek_rows.paired(connection, arrangement_id)
        if not session_id:
            return []
        seats = {row.player_id: row for row in found}
        request = session_orders.request_of(connection, arrangement_id)
        noted = []
        for seat, player in enumerate(request.kept_for):
            other = next((row.name for row in found if row.player_id != player), "")
            if player in seats:
                news = news_pb2.News(
                    kind=news_pb2.News.KIND_PAIRED,
                    session_id=session_id,
                    game=request.create.game,
                    seat=seat,
                    at_ms=self._now_ms(),
                    name=other,
                )
                noted.append(players_pb2.NotedNews(player_id=player, news=news))
        return noted

    async def _wait(self, player_id: str, request: opponents_pb2.FollowSeekRequest, bell: asyncio.Event) -> opponents_pb2.Seek:
        loop = asyncio.get_running_loop()
        until = loop.time() + request.wait_ms / 1000
        while True:
            bell.clear()
            seek = await self._seek(player_id, request.seek_id)
            left_s = until - loop.time()
            if seek.state in (_State.STATE_READY, _State.STATE_OVER) or left_s <= 0:
                return seek
            try:
                async with asyncio.timeout(min(left_s, _LOOK_S)):
                    await bell.wait()
            except TimeoutError:
                pass

    async def _seek(self, player_id: str, seek_id: str = "") -> opponents_pb2.Seek:
        """Return a player's search as it is now; over where there is none, or another one."""
        now_ms = self._now_ms()
        return await self._store.run(lambda connection: _described(connection, player_id, seek_id, now_ms))


def _described(connection: Connection, player_id: str, seek_id: str, now_ms: int) -> opponents_pb2.Seek:
    row = seek_rows.find(connection, player_id)
    if row is None or (seek_id and row.seek_id != seek_id) or not seek_rows.is_live(row, now_ms):
        return opponents_pb2.Seek(seek_id=seek_id, state=_State.STATE_OVER, at_ms=now_ms)
    name = PoolName.read(row.pool)
    seek = opponents_pb2.Seek(
        seek_id=row.seek_id,
        game=name.game,
        clock=clock_of(name.clock),
        competitive=name.competitive,
        since_ms=row.since_ms,
        at_ms=now_ms,
        rating=row.rating,
        least_reliability=row.least_reliability,
    )
    if not row.arrangement_id:
        seek.state = _State.STATE_WAITING
        seek.window = pool_pairing.shown_window((now_ms - row.since_ms) / 1000)
        seek.others = max(0, seek_rows.counts(connection, now_ms).get(row.pool, 1) - 1)
        return seek
    for other in seek_rows.paired(connection, row.arrangement_id):
        if other.player_id != player_id:
            known = strength.strengths(connection, [other.player_id], [name.game])
            seek.opponent.CopyFrom(strength.rated(known, other.player_id, other.name, name.game, other.reliability))
    seek.state = _State.STATE_READY if row.session_id else _State.STATE_PAIRED
    seek.session_id = row.session_id
    if row.session_id:
        seek.come_until_ms = row.due_ms
    return seek


def _matched(connection: Connection, pool: str, now_ms: int) -> list[tuple[Row[Any], Row[Any]]]:
    found = {row.player_id: row for row in seek_rows.waiting(connection, pool, now_ms)}
    name = PoolName.read(pool)
    last = strength.last_games(connection, found, name.game) if name.competitive and len(found) > 1 else {}
    seekers = [seek_rows.seeker(row, now_ms, last.get(player, (0, ""))[1]) for player, row in found.items()]
    made = pool_pairing.pairs(seekers, blocks.among(connection, list(found)))
    return [(found[one.player_id], found[other.player_id]) for one, other in made]


def _bring_together(connection: Connection, pool: str, pair: tuple[Row[Any], Row[Any]], now_ms: int) -> str:
    """Give two their arrangement, and order it; return its id. Raises Taken."""
    arrangement_id = secrets.token_hex(16)
    seek_rows.take(connection, pair, arrangement_id, now_ms)
    name = PoolName.read(pool)
    players = [row.player_id for row in pair]
    last = strength.last_games(connection, players, name.game)
    seats = [last[player][0] if player in last else -1 for player in players]
    # The player who had the first seat last has the other one now; where that settles nothing, lots are drawn.
    swapped = seats[0] == 0 and seats[1] != 0 if (seats[0] == 0) != (seats[1] == 0) else lot(arrangement_id, 2) == 1
    seated = players[::-1] if swapped else players
    request = asked(arrangement_id, name.game, seated, options=None, clock=clock_of(name.clock), competitive=name.competitive)
    session_orders.order(connection, session_orders.POOL, request, now_ms)
    metrics.SEEKS.labels(name.game, "paired").inc(2)
    return arrangement_id


def _measure(counts: Mapping[str, int]) -> None:
    waiting: dict[str, int] = dict.fromkeys(every_game(), 0)
    for pool, count in counts.items():
        game = PoolName.read(pool).game
        waiting[game] = waiting.get(game, 0) + count
    for game, count in waiting.items():
        metrics.SEEKS_WAITING.labels(game).set(count)
