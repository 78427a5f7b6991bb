"""Follows sessions for clients: one TailSessions stream to each session process that owns shards feeds all watches of theirs.

When a shard gets another owner, its watches move there and go on after the last version that their clients received; while it has
none, they wait. As long as no session process announces what it owns, there is one stream, to any of them.
"""

import asyncio
import itertools

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.identity.caller import Caller
from gateway.watches.feeds import MAX_ATTEMPTS, Feed, TailMethod, Watch, pause_s
from gateway.watches.interface import Sink
from services.runtime import metrics
from services.runtime.link import LinkChannel
from services.runtime.logs import logger
from services.runtime.refusal import Refused, leaving, unavailable
from services.sharding.shards import SHARDS, shard_if_any

log = logger(__name__)

OWNERLESS_S = 30.0
"""How long a watch waits for an owner of its shard before it ends (UNAVAILABLE)."""
_LOOK_S = 1.0


class SessionWatches:
    """All watches of this process."""

    def __init__(self, channel: LinkChannel, method: TailMethod) -> None:
        """Take the channel to the session service, and its TailSessions."""
        self._channel = channel
        self._method = method
        self._numbers = itertools.count(1)
        self._watches: set[Watch] = set()
        self._feeds: dict[object | None, Feed] = {}
        """By the owner that feeds them; None for a stream to any session process."""
        self._ownerless: dict[Watch, float] = {}
        """Watches waiting for an owner of their shard, and until when (loop.time)."""
        self._looking: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._is_closed = False
        channel.follow_owners(self._follow_owners)

    def __len__(self) -> int:
        return len(self._watches)

    def begin(self, request: play_pb2.WatchRequest, caller: Caller, endpoint: str, sink: Sink) -> Watch:
        """Begin and return a watch, whose request is within its bounds; its messages go to the sink.

        Raises Refused (UNAVAILABLE) while this process ends.
        """
        if self._is_closed:
            raise leaving("gateway")
        watch = Watch(request, caller, endpoint, sink, self._left)
        self._watches.add(watch)
        metrics.WATCHES.labels(endpoint).inc()
        metrics.WATCH_RESUMES.labels("resumed" if watch.last else "new").inc()
        self._place(watch)
        return watch

    def cut_off(self, token_id: str, refused: Refused) -> None:
        """End all watches that were begun with an API token."""
        for watch in [watch for watch in self._watches if watch.caller.is_proved_by(token_id)]:
            if self._forget(watch, is_over=True):
                watch.end(refused.refusal)

    async def close(self) -> None:
        """End all watches with UNAVAILABLE and the last version, and the streams."""
        self._is_closed = True
        for watch in list(self._watches):
            self._lost(watch, leaving("gateway"))
        await asyncio.gather(*(feed.close() for feed in self._feeds.values()), *self._ending)

    # Which stream feeds a watch.

    def _place(self, watch: Watch) -> None:
        """Let the owner of its shard feed a watch, or make it wait for one."""
        owner = None
        if self._channel.has_owners:
            shard = shard_if_any(watch.request.session_id)
            owner = next(iter(self._owners()), None) if shard is None else self._channel.owner(shard)
            if owner is None:
                self._let_wait(watch)
                return
        feed = self._feeds.get(owner)
        if feed is None:
            feed = self._feeds[owner] = Feed(self._method, owner, self._refused, self._lost)
        if feed is watch.feed:
            return
        self._ownerless.pop(watch, None)
        if watch.feed is not None:
            watch.feed.remove(watch, is_over=True)
        watch.number, watch.feed = next(self._numbers), feed
        feed.add(watch)

    def _let_wait(self, watch: Watch) -> None:
        if watch in self._ownerless:
            return
        if watch.feed is not None:
            watch.feed.remove(watch, is_over=True)
            watch.feed = None
        loop = asyncio.get_running_loop()
        self._ownerless[watch] = loop.time() + OWNERLESS_S
        if self._looking is None:
            self._looking = loop.call_later(_LOOK_S, self._look)

    def _look(self) -> None:
        """End watches that have waited long enough."""
        loop = asyncio.get_running_loop()
        late = [watch for watch, until in self._ownerless.items() if until <= loop.time()]
        if late:
            log.warning("watches ended: nobody owns their shards", watches=len(late))
        for watch in late:
            self._lost(watch, unavailable("session service"))
        self._looking = loop.call_later(_LOOK_S, self._look) if self._ownerless else None

    def _owners(self) -> dict[object, None]:
        owners = (self._channel.owner(shard) for shard in range(SHARDS))
        return {owner: None for owner in owners if owner is not None}

    def _follow_owners(self) -> None:
        """Move every watch to where its shard has gone. A stream that happens to lead to an owner is that owner's from now on."""
        owners = self._owners()
        default_feed = self._feeds.get(None)
        if default_feed is not None and default_feed.server in owners.keys() - self._feeds.keys():
            default_feed.owner = default_feed.server
            self._feeds[default_feed.owner] = self._feeds.pop(None)
        before = {watch: watch.feed for watch in self._watches}
        for watch in before:
            self._place(watch)
        moved = sum(watch.feed not in (None, feed) for watch, feed in before.items())
        if moved:
            metrics.WATCH_RESUMES.labels("moved").inc(moved)
        for owner, feed in list(self._feeds.items()):
            if not feed and owner not in owners and (owner is not None or owners):
                task = asyncio.create_task(self._feeds.pop(owner).close())
                self._ending.add(task)
                task.add_done_callback(self._ending.discard)

    # How it ends.

    def _left(self, watch: Watch) -> None:
        self._forget(watch, is_over=True)

    def _forget(self, watch: Watch, *, is_over: bool = False) -> bool:
        if watch not in self._watches:
            return False
        self._watches.discard(watch)
        self._ownerless.pop(watch, None)
        if watch.feed is not None:
            watch.feed.remove(watch, is_over=is_over)
            watch.feed = None
        metrics.WATCHES.labels(watch.endpoint).dec()
        return True

    def _lost(self, watch: Watch, refused: Refused) -> None:
        if self._forget(watch):
            watch.end(refused.refusal)

    def _refused(self, watch: Watch, refusal: errors_pb2.Refusal) -> None:
        watch.attempts += 1
        watch.is_asked = False
        feed = watch.feed
        if refusal.reason != errors_pb2.REASON_UNAVAILABLE or watch.attempts > MAX_ATTEMPTS or feed is None:
            if self._forget(watch):
                watch.end(refusal)
        else:
            # A session that its process no longer owns, or is too old for, moves once the shard has another owner.
            asyncio.get_running_loop().call_later(pause_s(watch.attempts), feed.ask_for, watch)
