"""Follows the news of players for clients: one stream to the players service for each watch.

Messages go to clients as the bytes that arrived. If the service is down for a while, a watch goes on from the version that its
client last received; clients notice only a pause.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import errors_pb2, news_pb2
from gateway.calls.handler import PEER
from gateway.identity import scopes
from gateway.identity.caller import Caller
from gateway.identity.players import Player, Players
from gateway.watches.feeds import MAX_ATTEMPTS, pause_s
from gateway.watches.interface import Sink
from services.runtime.logs import logger
from services.runtime.refusal import Refused, internal, leaving, of_rpc_error, unavailable
from services.runtime.tasks import ended

log = logger(__name__)


class NewsWatch:
    """One client's watch of its news."""

    __slots__ = ("_on_leave", "_sink", "caller", "last", "running")

    def __init__(self, caller: Caller, last: int, sink: Sink, on_leave: Callable[["NewsWatch"], None]) -> None:
        """`on_leave` is told when the client no longer wants it."""
        self.caller = caller
        """The caller of the watch."""
        self.last = last
        """The last version that the client received."""
        self.running: asyncio.Task[None] | None = None
        self._sink = sink
        self._on_leave = on_leave

    def leave(self) -> None:
        """End it, because its client no longer wants it. Does nothing if it is over."""
        self._on_leave(self)

    def give(self, message: bytes, version: int) -> None:
        """Hand a message on."""
        self.last = version or self.last
        self._sink.message(message)

    def end(self, refused: Refused) -> None:
        """Tell the client why it is over, and the last version it received."""
        refusal = errors_pb2.Refusal()
        refusal.CopyFrom(refused.refusal)
        refusal.head_version = self.last
        self._sink.ended(refusal)


class NewsWatches:
    """All such watches of this process."""

    def __init__(self, channel: grpc.aio.Channel, players: Players) -> None:
        """Take the channel to the players service, and what knows whose tokens are void."""
        self._stub: Any = players_pb2_grpc.PlayersServiceStub(channel)
        self._players = players
        self._watches: set[NewsWatch] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def begin(self, request: news_pb2.WatchPlayerRequest, caller: Caller, endpoint: str, sink: Sink) -> NewsWatch:
        """Begin and return a watch; its messages go to the sink.

        Raises Refused: NO_SCOPE for an API token that may not do it, NO_TOKEN for a caller who is not a player, UNAVAILABLE while
        this process shuts down.
        """
        scopes.check("WatchPlayer", caller.player)
        if self._is_closed:
            raise leaving("gateway")
        if caller.player is None:
            raise Refused(errors_pb2.REASON_NO_TOKEN, "only players have news")
        self._players.check_good(caller.player)
        watch = NewsWatch(caller, request.after_version, sink, self._end)
        self._watches.add(watch)
        watch.running = asyncio.create_task(self._run(watch, caller.player))
        return watch

    def cut_off(self, token_id: str, refused: Refused) -> None:
        """End all watches that were begun with an API token."""
        for watch in [watch for watch in self._watches if watch.caller.is_proved_by(token_id)]:
            self._end(watch)
            watch.end(refused)

    async def close(self) -> None:
        """End all watches with UNAVAILABLE and the last version."""
        self._is_closed = True
        for watch in list(self._watches):
            self._end(watch)
            watch.end(leaving("gateway"))
        await ended(*self._ending)

    def _end(self, watch: NewsWatch) -> None:
        if watch in self._watches and watch.running is not None:
            self._watches.discard(watch)
            watch.running.cancel()
            self._ending.add(watch.running)
            watch.running.add_done_callback(self._ending.discard)

    async def _run(self, watch: NewsWatch, player: Player) -> None:
        attempts = 0
        while True:
            before = watch.last
            refused = await self._follow(watch, player)
            attempts = 1 if watch.last != before else attempts + 1
            if refused.reason != errors_pb2.REASON_UNAVAILABLE or attempts > MAX_ATTEMPTS:
                self._watches.discard(watch)
                watch.end(refused)
                return
            await asyncio.sleep(pause_s(attempts))

    async def _follow(self, watch: NewsWatch, player: Player) -> Refused:
        """Pass on what comes over a new stream. Returns why it ended."""
        request = players_pb2.FollowNewsRequest(player_id=player.id, after_version=watch.last)
        try:
            async for response in self._stub.FollowNews(request):
                self._players.check_good(player)  # a player who has since signed out everywhere gets nothing more
                watch.give(response.message, response.version)
        except grpc.RpcError as error:
            return of_rpc_error(error, PEER)
        except Refused as refused:
            return refused.alone()
        except Exception as error:
            log.error("news cannot be handed on", exc_info=error)
            return internal()
        return unavailable(PEER)
