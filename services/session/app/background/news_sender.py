"""Passes news on to the players service, after the commit that it comes from. Nothing waits for it, and play goes on without it.

If a process dies, what it has not passed on yet is lost, and so is the oldest news if the players service is down for long: the
list of their sessions shows returning players how things stand.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeAlias

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import news_pb2
from services.runtime import trace
from services.runtime.channel import open_channel
from services.runtime.logs import logger
from services.session.domain.news import changed_vacation, is_awaited, news_of, no_longer_invited, offered_seats
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate

log = logger(__name__)

MAX_WAITING = 10_000
"""How much news may wait for the players service; the oldest is dropped first."""
MAX_AWAITED = 10_000
"""For how many tables it remembers who was notified of their turn; for others, mail may reach somebody who has already moved."""
IN_A_CALL = 200
TOGETHER_S = 0.1
"""How long news waits for more, so that it is sent together."""
MAX_PAUSE_S = 30.0
_AWAITED = (
    news_pb2.News.KIND_YOUR_TURN,
    news_pb2.News.KIND_PROPOSED,
    news_pb2.News.KIND_NUDGED,
    news_pb2.News.KIND_SUBSTITUTE_ASKED,
)
_Waiting: TypeAlias = players_pb2.NotedNews | players_pb2.HandledNews | players_pb2.OfferedSeat
_PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNAUTHENTICATED,  # a clock that is wrong, or a key that is being replaced
)


class NewsSender:
    """The news that waits to be passed on."""

    def __init__(self, address: str, timeout_s: float, present: Callable[[str], int]) -> None:
        """Take the players service's address, and what returns the watched seats of a session, as bits."""
        self._channel = open_channel(address, "session")
        self._stub: Any = players_pb2_grpc.PlayersServiceStub(self._channel)
        self._timeout_s = timeout_s
        self._present = present
        self._waiting: deque[_Waiting] = deque(maxlen=MAX_WAITING)
        self._awaited: OrderedDict[str, set[str]] = OrderedDict()
        """The players who were notified that a session is waiting for them."""
        self._trace: tuple[tuple[str, str], ...] = ()
        """The trace of what has brought the oldest news that waits."""
        self._has_news = asyncio.Event()

    def committed(self, state: State, before: State | None, updates: Sequence[PackedUpdate]) -> None:
        """Accept a commit, without waiting or raising."""
        present = self._present(state.id)
        handled = self._handled(before, state)
        if not handled and before is not None and present.bit_count() == len(state.seats):
            return  # everybody is there, and sees it
        found: list[_Waiting] = [
            *news_of(before, state, present, next((update.ruled for update in updates if update.ruled is not None), None)),
            *offered_seats(before, state),
            *handled,
        ]
        if found:
            self._remember(state.id, found)
            if not self._waiting:
                self._trace = trace.metadata()
            self._waiting.extend(found)
            self._has_news.set()

    def _handled(self, before: State | None, state: State) -> list[players_pb2.HandledNews]:
        """Return who has dealt with the news of a session, so that it no longer waits for them."""
        done: set[str] = set()
        if before is not None and (before.seats is not state.seats or before.is_over != state.is_over):
            done = no_longer_invited(before, state)
        awaited = self._awaited.get(state.id)
        if awaited is not None:
            away = set() if before is None else changed_vacation(before, state)
            acted = [player for player in awaited if player in away or not is_awaited(state, player)]
            awaited.difference_update(acted)
            done.update(acted)
            if not awaited:
                del self._awaited[state.id]
        # what this commit brings is still news
        version = state.version - 1
        return [players_pb2.HandledNews(player_id=one, session_id=state.id, session_version=version) for one in sorted(done)]

    def _remember(self, session_id: str, found: Sequence[_Waiting]) -> None:
        noted = {one.player_id for one in found if isinstance(one, players_pb2.NotedNews) and one.news.kind in _AWAITED}
        if noted:
            self._awaited.setdefault(session_id, set()).update(noted)
            self._awaited.move_to_end(session_id)
            if len(self._awaited) > MAX_AWAITED:
                self._awaited.popitem(last=False)

    async def run(self) -> None:
        """Pass on news as it comes, until cancelled."""
        pause_s = TOGETHER_S
        while True:
            await self._has_news.wait()
            await asyncio.sleep(pause_s)
            pause_s = TOGETHER_S if await self._hand_on() else min(MAX_PAUSE_S, pause_s * 2)

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()

    async def _hand_on(self) -> bool:
        """Pass some news on. Returns whether that is finished: accepted, or permanently refused."""
        taken = list(islice(self._waiting, IN_A_CALL))
        notes = [one for one in taken if isinstance(one, players_pb2.NotedNews)]
        handled = [one for one in taken if isinstance(one, players_pb2.HandledNews)]
        offered = [one for one in taken if isinstance(one, players_pb2.OfferedSeat)]
        try:
            request = players_pb2.NoteNewsRequest(notes=notes, handled=handled, offered=offered)
            await self._stub.NoteNews(request, timeout=self._timeout_s, metadata=self._trace)
        except grpc.RpcError as error:
            if error.code() in _PASSING:
                return False
            log.warning("news were refused", count=len(taken), code=error.code().name)
        # New ones may have pushed out old ones in the meantime.
        for one in taken:
            if self._waiting and self._waiting[0] is one:
                self._waiting.popleft()
        self._trace = ()  # what is left, or comes, was brought by something else
        if not self._waiting:
            self._has_news.clear()
        return True
