"""Puts the parts of a session process together, and starts and stops them."""

import asyncio
import math
import secrets
import time
from collections.abc import Callable, Sequence

from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from brettwerk.v1 import ai_pb2, session_state_pb2
from services.archive.archive import Archive
from services.runtime import disk_gauges, redis_gauges
from services.runtime.ending import ended
from services.runtime.redis_url import open_redis, replicas_of
from services.runtime.settings import Settings
from services.session.app.archivist import Archivist
from services.session.app.calls import Calls
from services.session.app.capacity import Bounds, Capacity
from services.session.app.founding import Founding
from services.session.app.listing import Listing
from services.session.app.reading import Reading
from services.session.app.saves import Saves
from services.session.app.sweeper import Sweeper
from services.session.app.timekeeper import Timekeeper
from services.session.computers.ai_client import AiClient
from services.session.computers.asking import Asking
from services.session.computers.fallback import Fallback
from services.session.computers.moving import Computers
from services.session.computers.noting import Noting
from services.session.computers.waits import Waits
from services.session.computers.wants import Wants
from services.session.computers.workforce import Workforce
from services.session.domain import seals
from services.session.domain.clocks import Outage
from services.session.domain.due import Patience
from services.session.domain.state import State
from services.session.domain.updates import EVERYBODY
from services.session.live.histories import Histories
from services.session.live.rules_client import Games, RulesClient
from services.session.live.shelf import Shelf
from services.session.live.writer import Writer
from services.session.store.store import Store
from services.session.watching.tail import Tails


def wall_clock_ms() -> int:
    """Return the time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class House:
    """All parts of one process. Nothing in it must survive it."""

    def __init__(
        self,
        config: Settings,
        now_ms: Callable[[], int] = wall_clock_ms,
        draw: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Take the settings, the clock and where the secrets of sessions come from. Raises ValueError for impossible settings."""
        self._config = config
        self._now_ms = now_ms
        self._tasks: list[asyncio.Task[None]] = []
        # No socket timeouts: commands have one for each pipeline, and what listens means to wait.
        self._commands = open_redis(
            config.redis_url,
            socket_timeout=None,
            socket_connect_timeout=2,
            retry=Retry(NoBackoff(), 1),  # a connection that broke while it was idle; who waits longer is refused
        )
        # It must see that its connection broke, and not go on over another: the store may have been set back in between.
        self._reader = open_redis(config.redis_url, socket_timeout=None, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0))
        outages: dict[int, list[Outage]] = {}
        self.archive = Archive.open(config.database_url)
        self.store = Store(self._commands, replicas_of(config.redis_url, config.redis_replicas))
        self.rules = RulesClient(config.rules_link_address, config.call_timeout_s)
        self.ai = AiClient(config.ai_address, config.call_timeout_s)
        self.games = Games(self.rules)
        self.shelf = Shelf(self.store, self.rules, self._watched, self._moved)
        self.workforce = Workforce(now_ms)
        wants = Wants(config.key("mark"), config.key("ticket"))
        self.noting = Noting(self.ai, self.workforce, now_ms, self._cannot_play)
        self.asking = Asking(wants, self.noting, self._is_watched)
        seal = seals.fernet(config.key("answer"))
        self.writer = Writer(self.store, self.shelf, self.rules, now_ms, self.patience, seal, self._committed)
        self.histories = Histories(self.store, self.shelf, self.rules, self.archive)
        self.timekeeper = Timekeeper(self.writer, self.shelf, self.rules, now_ms, outages)
        self.fallback = Fallback(self.rules)
        self.computers = Computers(
            self.asking,
            wants,
            self.workforce,
            self.fallback,
            self.store,
            self.shelf,
            self.writer,
            self.timekeeper.settle,
            now_ms,
            self.patience,
            self._is_watched,
            self._overdue,
            round(config.ai_silence_s * 1000),
        )
        self.waits = Waits(
            self.ai,
            self.workforce,
            self.noting,
            self.asking,
            self.shelf,
            now_ms,
            self.computers.waiting,
            self.computers.give_up,
        )
        archivist = Archivist(self.archive, self.store, self.shelf, now_ms, round(config.keep_finished_s * 1000))
        self.sweeper = Sweeper(
            self.store,
            self.shelf,
            self.writer,
            self.timekeeper,
            self.computers,
            archivist,
            now_ms,
            self.patience,
            outages,
            config.sweep_s,
        )
        saves = Saves(self.histories, self.rules, self.games, seals.fernet(config.key("seal")))
        bounds = Bounds(
            config.sessions_per_address, config.sessions_total, config.memory_share, kept_s=math.ceil(config.abandon_s)
        )
        capacity = Capacity(self.store, self.workforce, config.key("address"), bounds)
        founding = Founding(
            self.writer, capacity, self.store, self.histories, self.rules, self.games, saves, config.key("session id"), draw
        )
        self.calls = Calls(
            self.writer,
            self.shelf,
            self.timekeeper,
            self.rules,
            self.games,
            Reading(self.shelf, self.histories, self.rules, self.ai),
            Listing(self.store, self.shelf, self.archive),
            founding,
            saves,
            self.archive,
            self.workforce,
            draw,
        )
        self.tails = Tails(self._reader, self.store, self.histories, self.waits, now_ms, config.heartbeat_s)

    def _cannot_play(self, want: ai_pb2.Want) -> None:
        """Move for a seat whose move no player can make."""
        self.computers.give_up(want.session_id, want.seat, want.version)

    def _watched(self, session_id: str) -> int:
        """Return the audiences for which a session is followed, as bits: all, where it may be followed elsewhere, too."""
        return EVERYBODY if self.store.notices.has_others else self.tails.watched(session_id)

    def _moved(self, session_id: str, version: int) -> None:
        """Let watches look what others have done to a session."""
        self.tails.moved(session_id, version)

    def _is_watched(self, session_id: str) -> bool:
        """Return whether somebody follows a session by way of this process."""
        return self.waits.is_watched(session_id)

    def _committed(self, state: State, before: State | None, updates: Sequence[session_state_pb2.PackedUpdate]) -> None:
        """Tell all parts of a commit that must know of it."""
        self.asking.committed(state, before)
        self.waits.committed(state)
        for packed in updates:
            self.tails.deliver(state.id, packed)

    def _overdue(self, wants: Sequence[ai_pb2.Want]) -> None:
        """Look into moves that are wanted for long."""
        self.waits.remind(wants)

    async def patience(self, game: str) -> Patience:
        """Return how long a game's sessions wait."""
        return Patience(
            await self.games.think_ms(game),
            round(self._config.ai_grace_s * 1000),
            round(self._config.abandon_s * 1000),
            unmoved_ms=round(self._config.unmoved_s * 1000),
        )

    def start(self) -> None:
        """Begin to sweep, to listen to other processes and to send heartbeats."""
        for work in (
            self.sweeper.run(),
            self.tails.events.run(),
            self.tails.run(),
            self.waits.run(self.tails.tell_waits),
            redis_gauges.watch(self._reader, "sessions"),
        ):
            self._tasks.append(asyncio.create_task(work))
        if self.archive.folder is not None:
            self._tasks.append(asyncio.create_task(disk_gauges.watch(self.archive.folder, "archive")))

    async def is_ready(self) -> bool:
        """Return whether calls can be answered: the store and the rules are there, and clocks can be judged."""
        await self.store.is_ready()
        await self.rules.games(1)
        await asyncio.gather(self.sweeper.ready(), self.tails.events.ready())
        return True

    async def stop(self) -> None:
        """Let go of everything."""
        await ended(*self._tasks)
        await asyncio.gather(self.sweeper.close(), self.computers.close(), self.tails.close())
        await asyncio.gather(self.noting.close(), self.fallback.close())
        await self.rules.close()
        await self.ai.close()
        await self.store.close()
        await self._reader.aclose()
        self.archive.close()
