"""Sends news to those who follow it: immediately what is noted here, and within two seconds what another process has noted."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from functools import partial

from sqlalchemy import Connection

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2
from services.archive.access import Access
from services.players.news import backlog, feed, seat_wishes
from services.runtime.refusal import Refused, unavailable
from services.runtime.wall_clock import wall_ms

HEARTBEAT_S = 15.0
"""How often a follower without news gets a sign of life."""
LOOK_S = 2.0
"""How often to check whether another process has noted news."""
_CLEAN_EVERY = 1800
"""After how many checks old news is removed."""
_AT_ONCE = 500


class Following:
    """The followers of this process. Methods that read the database raise Refused (UNAVAILABLE)."""

    def __init__(
        self,
        store: Access,
        now_ms: Callable[[], int] = wall_ms,
        heartbeat_s: float = HEARTBEAT_S,
        noted: Callable[[], None] = lambda: None,
        blocks: seat_wishes.Blocks = lambda _connection, _players: set(),
    ) -> None:
        """`noted` is called whenever there are news; `blocks` says who is not to hear of whose table."""
        self._store = store
        self._noted = noted
        self._blocks = blocks
        self._now_ms = now_ms
        self._heartbeat_s = heartbeat_s
        self._followers: dict[str, set[asyncio.Event]] = {}
        self._heads: dict[str, int] = {}
        self._is_closing = False

    async def note(self, request: players_pb2.NoteNewsRequest) -> None:
        """Store news, tell those who follow them here, and have the others notified. News that is seen to is handled."""

        def write(connection: Connection) -> dict[str, int]:
            seats = seat_wishes.notes(connection, request.offered, self._now_ms(), self._blocks)
            heads = feed.note(connection, [*request.notes, *seats])
            backlog.handled(connection, request.handled)
            return heads

        heads = await self._store.run(write)
        self.wake(heads)

    async def follow(self, player: str, after: int) -> AsyncGenerator[players_pb2.FollowNewsResponse, None]:
        """Yield a player's news from a version on, for ever, and signs of life with the time: at the beginning and in silence.

        Raises Refused (UNAVAILABLE) when this process ends.
        """
        if self._is_closing:
            raise unavailable("players service")
        mail = asyncio.Event()
        # Set from the start: what came before this follower is sent without anybody waking it.
        mail.set()
        self._followers.setdefault(player, set()).add(mail)
        last, begins, knows_time = after, after == 0, False
        try:
            while not self._is_closing:
                has_come = await self._has_come(mail)
                if has_come:
                    # Before the page is read: news that come meanwhile set it again, so none waits for the next.
                    mail.clear()
                    page = await self._store.run(partial(feed.page, player=player, after=last, begins=begins))
                    for response in _each(page.news) if page.cause is None else [_resync(page, page.cause)]:
                        yield response
                    last, begins = page.head, False
                if not (has_come and knows_time):
                    knows_time = True
                    beat = news_pb2.NewsHeartbeat(head_version=last, at_ms=self._now_ms())
                    yield _response(news_pb2.WatchPlayerResponse(heartbeat=beat), 0)
        finally:
            self._leave(player, mail)
        raise unavailable("players service")

    async def run(self) -> None:
        """Check repeatedly for news noted elsewhere, until cancelled."""
        looks, changes = 0, self._store.changes()
        while True:
            await asyncio.sleep(LOOK_S)
            looks += 1
            try:
                if changes.may_have_come():
                    await self.look()
                if looks % _CLEAN_EVERY == 0:
                    await self._store.run(lambda connection: feed.forget_old(connection, self._now_ms()))
            except Refused:
                pass  # the database is away, and its access has said so

    async def look(self) -> None:
        """Check for such news once."""
        players = list(self._followers)
        for first in range(0, len(players), _AT_ONCE):
            some = players[first : first + _AT_ONCE]
            found = await self._store.run(partial(feed.heads, players=some))
            self.wake({player: head for player, head in found.items() if self._heads.get(player) != head})

    def close(self) -> None:
        """End all streams."""
        self._is_closing = True
        for mails in self._followers.values():
            for mail in mails:
                mail.set()

    async def _has_come(self, mail: asyncio.Event) -> bool:
        try:
            async with asyncio.timeout(self._heartbeat_s):
                await mail.wait()
        except TimeoutError:
            return False
        return True

    def wake(self, heads: dict[str, int]) -> None:
        """Send players what was stored, by their newest versions."""
        if heads:
            self._noted()
        for player, head in heads.items():
            mails = self._followers.get(player)
            if mails:
                self._heads[player] = head
                for mail in mails:
                    mail.set()

    def _leave(self, player: str, mail: asyncio.Event) -> None:
        mails = self._followers[player]
        mails.discard(mail)
        if not mails:
            del self._followers[player]
            self._heads.pop(player, None)


def _resync(page: feed.Page, cause: news_pb2.NewsResync.Cause.ValueType) -> players_pb2.FollowNewsResponse:
    resync = news_pb2.NewsResync(cause=cause, head_version=page.head, news=page.news)
    return _response(news_pb2.WatchPlayerResponse(resync=resync), page.head)


def _each(news: Iterable[news_pb2.News]) -> Iterable[players_pb2.FollowNewsResponse]:
    return (_response(news_pb2.WatchPlayerResponse(news=one), one.version) for one in news)


def _response(message: news_pb2.WatchPlayerResponse, version: int) -> players_pb2.FollowNewsResponse:
    return players_pb2.FollowNewsResponse(message=message.SerializeToString(), version=version)
