"""What a process does when it gets a shard, and when it gives one up."""

from services.session.app.background.sweeper import Sweeper
from services.session.computers.recovery import Recovery
from services.session.computers.wants import WantReporter
from services.session.live.session_cache import SessionCache
from services.session.live.talk import Talk
from services.session.store.store import Store
from services.session.watch.tail import Tails


class Shards:
    """Prepares and clears away (live/ownership.py)."""

    def __init__(
        self,
        store: Store,
        session_cache: SessionCache,
        sweeper: Sweeper,
        recovery: Recovery,
        want_reporter: WantReporter,
        tails: Tails,
        talk: Talk,
    ) -> None:
        self._store = store
        self._session_cache = session_cache
        self._sweeper = sweeper
        self._recovery = recovery
        self._want_reporter = want_reporter
        self._tails = tails
        self._talk = talk

    async def prepare(self, shard: int) -> None:
        """Find out when nobody served the shard: before that is known, no clock may be judged. Raises Refused (UNAVAILABLE)."""
        await self._sweeper.prepare(shard)
        await self._store.forget_events(shard)

    def begin(self, shard: int) -> None:
        """Read its sessions afresh, note what their computers are to do, and wait for their watchers."""
        self._session_cache.doubt_shard(shard)
        self._talk.doubt([shard])
        self._recovery.shards([shard])
        self._tails.presence.begin(shard)

    def end(self, shard: int) -> None:
        """Forget its sessions and their wants, and send their watchers to its new owner."""
        self._session_cache.doubt_shard(shard)
        self._talk.doubt([shard])
        self._want_reporter.forget(shard)
        self._tails.end(shard)

    async def drain_writes(self) -> None:
        """Return when pending writes have finished."""
        await self._store.drain_writes()
