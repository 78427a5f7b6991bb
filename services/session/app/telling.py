"""Hands news on to the players service, after the commit they come from. Nothing waits for it, and play goes on without it.

What a process that dies has not handed on yet is lost, and so is the oldest news when the players service is away for long: a
player who comes back reads in the list of their sessions how these stand.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Any

import grpc

from brettwerk.v1 import players_pb2, players_pb2_grpc
from services.runtime.channel import open_channel
from services.runtime.logs import logger
from services.session.domain.news import news_of
from services.session.domain.state import State

log = logger(__name__)

MAX_WAITING = 10_000
"""News that wait for the players service; the oldest go first."""
IN_A_CALL = 200
TOGETHER_S = 0.1
"""How long news wait for others that go with them."""
MAX_PAUSE_S = 30.0
_PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED)


class Telling:
    """The news that wait to be handed on."""

    def __init__(self, address: str, timeout_s: float, present: Callable[[str], int]) -> None:
        """Take where the players service is, and what returns the seats of a session that are watched, as bits."""
        self._channel = open_channel(address, "session")
        self._stub: Any = players_pb2_grpc.PlayersServiceStub(self._channel)
        self._timeout_s = timeout_s
        self._present = present
        self._waiting: deque[players_pb2.NotedNews] = deque(maxlen=MAX_WAITING)
        self._has_news = asyncio.Event()

    def committed(self, state: State, before: State | None) -> None:
        """Take in a commit. It neither waits nor raises."""
        present = self._present(state.id)
        if before is not None and present.bit_count() == len(state.seats):
            return  # all are there, and see it
        found = news_of(before, state, present)
        if found:
            self._waiting.extend(found)
            self._has_news.set()

    async def run(self) -> None:
        """Hand on what comes, until cancelled."""
        pause_s = TOGETHER_S
        while True:
            await self._has_news.wait()
            await asyncio.sleep(pause_s)
            pause_s = TOGETHER_S if await self._hand_on() else min(MAX_PAUSE_S, pause_s * 2)

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()

    async def _hand_on(self) -> bool:
        """Hand some news on. Returns whether they are off hand: taken, or refused for good."""
        notes = list(islice(self._waiting, IN_A_CALL))
        try:
            await self._stub.NoteNews(players_pb2.NoteNewsRequest(notes=notes), timeout=self._timeout_s)
        except grpc.RpcError as error:
            if error.code() in _PASSING:
                return False
            log.warning("news were refused", count=len(notes), code=error.code().name)
        # New ones may have pushed old ones out meanwhile.
        for note in notes:
            if self._waiting and self._waiting[0] is note:
                self._waiting.popleft()
        if not self._waiting:
            self._has_news.clear()
        return True
