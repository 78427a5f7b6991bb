"""Puts the parts of a session process together, and starts and stops them."""

import asyncio
import contextlib
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Sequence

from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from brettwerk.internal.v1 import ai_pb2
from services.archive.archive import Archive
from services.archive.saved_games import SavedGames
from services.archive.session_totals import Counting
from services.archive.talk_reports import TalkReports
from services.runtime import disk_gauges, redis_gauges
from services.runtime.logs import logger
from services.runtime.redis_url import open_store, replicas_of
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from services.runtime.task_cancel import ended
from services.session.app.background.archivist import Archivist
from services.session.app.background.news_sender import NewsSender
from services.session.app.background.session_gauges import SessionGauges
from services.session.app.background.statistics_feed import StatisticsFeed
from services.session.app.background.sweeper import Sweeper
from services.session.app.calls.batches import Batches
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.calls import Calls
from services.session.app.calls.capacity import Bounds, Capacity
from services.session.app.calls.conditional_calls import ConditionalCalls
from services.session.app.calls.creation import Creation
from services.session.app.calls.hint_calls import HintCalls
from services.session.app.calls.look_ahead import LookAhead
from services.session.app.calls.play_calls import PlayCalls
from services.session.app.calls.queries import Queries
from services.session.app.calls.rows import while_stored
from services.session.app.calls.saves import Saves
from services.session.app.calls.seat_calls import SeatCalls
from services.session.app.calls.server_saves import ServerSaves
from services.session.app.calls.session_lists import SessionLists
from services.session.app.calls.statistics import Statistics
from services.session.app.calls.talk_calls import TalkCalls
from services.session.app.calls.word_file import WordFile
from services.session.app.peers import Peers
from services.session.app.shards import Shards
from services.session.computers.ai_client import AiClient
from services.session.computers.computer_moves import ComputerMoves
from services.session.computers.fallback import Fallback
from services.session.computers.hints import Hints
from services.session.computers.recovery import Recovery
from services.session.computers.waits import Waits
from services.session.computers.wants import WantPlanner, WantReporter, Wants
from services.session.computers.workforce import Workforce
from services.session.domain import records
from services.session.domain.clocks import Outage
from services.session.domain.storage_format import FORMAT
from services.session.live.clock_enforcer import ClockEnforcer
from services.session.live.ownership import Ownership
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.session_events import SessionEvents
from services.session.live.session_timeouts import KnownTimeouts
from services.session.live.sign_outs import SignOuts
from services.session.live.talk import Talk
from services.session.live.write_builder import WriteBuilder
from services.session.live.writer import Writer
from services.session.store.leases import LEASE_MS, place_of
from services.session.store.servers import close_client
from services.session.store.shard_channel import ShardChannel
from services.session.store.store import Store
from services.session.watch.tail import Tails
from services.session.watch.talk_feed import TalkFeed

log = logger(__name__)


def wall_clock_ms() -> int:
    """Return the time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


_THERE_S = 1.5
"""How long what calls need may take to answer before it counts as missing."""


class Wiring:
    """All parts of one process. Nothing in them needs to survive it."""

    def __init__(
        self,
        config: Settings,
        now_ms: Callable[[], int] = wall_clock_ms,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        *,
        place: str = "",
        lease_ms: int = LEASE_MS,
    ) -> None:
        """Take the settings, the clock and the source of sessions' secrets. Raises ValueError for impossible settings.

        `place`: where the process is (leases.py); by default its host and the address of its links.
        """
        self._config = config
        self._now_ms = now_ms
        self._tasks: list[asyncio.Task[None]] = []
        # No socket timeouts: commands have one for each pipeline, and listeners are meant to wait.
        self._commands = open_store(
            config.redis_url,
            socket_timeout=None,
            socket_connect_timeout=2,
            retry=Retry(NoBackoff(), 1),  # a connection that broke while it was idle; callers who wait longer are refused
        )
        # It must notice that its connection broke, rather than go on over another: the store may have been set back in between.
        self._reader = open_store(config.redis_url, socket_timeout=None, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0))
        outages: dict[int, list[Outage]] = {}
        self.archive = Archive.open(config.database_url)
        self.store = Store(
            self._commands, replicas_of(config.redis_url, config.redis_replicas), lambda n: self.ownership.token(n)
        )
        self.rules = RulesClient(config.rules_link_address, config.call_timeout_s)
        self.ai = AiClient(config.ai_address, config.call_timeout_s)
        self.hints = Hints(self.ai)
        self.games = Games(self.rules)
        timeouts = KnownTimeouts(config, self.games)
        self.sign_outs = SignOuts(config.players_address)
        events = SessionEvents()
        self.session_cache = SessionCache(self.store, self.rules, self._watched, self._owns, events, self.sign_outs.good)
        self.workforce = Workforce(now_ms)
        wants = Wants(config.key("mark"), config.key("ticket"))
        self.want_reporter = WantReporter(self.ai, self.workforce, now_ms, self._cannot_play, self._noted)
        self.want_planner = WantPlanner(wants, self.want_reporter, self._is_watched)
        seal = records.fernet(config.key("answer"))
        write_builder = WriteBuilder(self.session_cache, seal, events)
        clock_enforcer = ClockEnforcer(self.session_cache, self.rules, now_ms, outages)
        self.writer = Writer(
            self.store,
            self.session_cache,
            self.rules,
            now_ms,
            timeouts.of,
            seal,
            write_builder,
            clock_enforcer,
            self._check_owner,
        )
        self.rebuilds = Rebuilds(self.store, self.session_cache, self.rules, self.games, self.archive)
        self.fallback = Fallback(self.rules)
        self.computers = ComputerMoves(
            self.want_planner,
            wants,
            self.workforce,
            self.fallback,
            self.store,
            self.session_cache,
            self.writer,
            now_ms,
            timeouts.of,
            self._is_watched,
            self._is_attended,
            self._overdue,
            events,
            round(config.ai_silence_s * 1000),
        )
        computers = self.computers
        self.recovery = Recovery(
            self.store,
            self.session_cache,
            self.want_planner,
            computers,
            now_ms,
            lambda n: self.ownership.serves(n),
            round(config.ai_grace_s * 1000),
        )
        self.waits = Waits(
            self.ai,
            self.workforce,
            self.want_reporter,
            self.want_planner,
            self.session_cache,
            now_ms,
            computers.waiting,
            computers.give_up,
        )
        self.talk = Talk(self.store, lambda n: self.ownership.token(n), self._owns)
        self.tails = Tails(
            self.session_cache,
            self.rebuilds,
            self.waits,
            self._check_owner,
            now_ms,
            config.heartbeat_s,
            TalkFeed(self.talk, self.rebuilds, self._hides, is_on=config.talk),
        )
        self.blocks = Blocks(config.players_address)
        self.news_sender = NewsSender(config.players_address, config.call_timeout_s, self.tails.presence.seats)
        archivist = Archivist(self.archive, self.store, self.session_cache, now_ms, round(config.keep_finished_s * 1000))
        self.sweeper = Sweeper(
            self.store,
            self.session_cache,
            self.writer,
            self.computers,
            archivist,
            now_ms,
            timeouts.of,
            self._is_attended,
            outages,
            self._shards_owned,
            config.sweep_s,
        )
        leases = self.store.leases(place or place_of(config), FORMAT, lease_ms)
        shards = Shards(self.store, self.session_cache, self.sweeper, self.recovery, self.want_reporter, self.tails, self.talk)
        self.ownership = Ownership(leases, shards)
        self.shard_channel = ShardChannel(self._reader, self.ownership.note_announcement, self._doubt, self.store.place_of)
        self.peers = Peers(config.session_link_address)
        self.batches = Batches(self.computers, self.peers, self.ownership.serves, self.ownership.owns)
        counting = Counting(self.archive)
        self.statistics_feed = StatisticsFeed(counting, self.rules, self._shards_owned)
        saves = Saves(self.rebuilds, self.rules, self.games, records.fernet(config.key("seal")))
        kept = ServerSaves(SavedGames(self.archive), saves, self.rebuilds, self.games, now_ms)
        bounds = Bounds(
            config.sessions_per_address, config.sessions_total, config.memory_share, kept_s=math.ceil(config.abandon_s)
        )
        capacity = Capacity(self.store, self.workforce, config.key("address"), bounds)
        id_key = config.key("session id")
        creation = Creation(
            self.writer,
            capacity,
            self.store,
            self.rebuilds,
            self.rules,
            self.games,
            saves,
            kept,
            self.blocks,
            self._check_owner,
            id_key,
            draw,
        )
        queries = Queries(self.session_cache, self.rebuilds, self.rules, self.games)
        talk = TalkCalls(
            self.talk,
            self.session_cache,
            self.games,
            TalkReports(self.archive),
            WordFile(config.talk_words),
            self.blocks,
            self.tails.say,
            now_ms,
            is_on=config.talk,
        )
        about_stored = (
            PlayCalls(self.writer, self.session_cache, self.rules, saves).rows,
            SeatCalls(self.writer, self.session_cache, self.games, self.blocks, self.workforce, draw).rows,
            talk.rows,
        )
        rows = [
            *(while_stored(some, self.archive) for some in about_stored),
            queries.rows,
            HintCalls(self.writer, self.session_cache, self.rebuilds, self.rules, queries, self.ai, self.hints).rows,
            SessionLists(self.store, self.session_cache, self.archive, now_ms).rows,
            creation.rows,
            saves.rows,
            kept.rows,
            Statistics(counting, self.rules, self.games, self.ai, config.key("mark"), id_key).rows,
            ConditionalCalls(self.store, self.session_cache, self.rules, self.games, self.writer).rows,
            LookAhead(self.session_cache, self.rules, self.games).rows,
        ]
        events.committed.extend(
            (
                self.want_planner.committed,
                self.hints.committed,
                self.waits.committed,
                self.tails.committed,
                self.news_sender.committed,
            )
        )
        events.moved.append(self.tails.moved)
        events.forgotten.append(self.recovery.session)
        events.unreadable.append(self.ownership.note_unreadable)
        self.calls = Calls(rows, creation, saves, talk, self.session_cache, self._check_owner)

    def _cannot_play(self, want: ai_pb2.Want) -> None:
        """Move for a seat whose move no computer player can make."""
        self.computers.give_up(want.session_id, want.seat, want.version)

    def _noted(self, session_id: str, version: int, pause_until_ms: int) -> None:
        """Leave a session alone for a while whose wants are all noted."""
        self.computers.noted(session_id, version, pause_until_ms)

    def _signed_out(self) -> None:
        """Void the seat tokens of players who have signed out."""
        self.tails.signed_out(self.session_cache.void_tokens())

    def _watched(self, session_id: str) -> int:
        """Return the audiences for which a session is followed, as bits."""
        return self.tails.watched(session_id)

    def _owns(self, shard: int) -> bool:
        """Return whether what is known of a shard's sessions is right: nobody else writes them, or has set the store back."""
        return self.shard_channel.hears(shard) and self.ownership.owns(shard)

    def _shards_owned(self) -> list[int]:
        """Return the shards that are this process's."""
        return [shard for shard in self.ownership.shards if self.ownership.owns(shard)]

    def _check_owner(self, session_id: str) -> None:
        """Check that a session belongs to a shard of this process. Raises Refused (moved)."""
        self.ownership.check(session_id)

    def _is_attended(self, session_id: str) -> bool:
        """Return whether somebody is connected to a seat of a session."""
        return self.tails.presence.is_attended(session_id)

    def _doubt(self, shards: Collection[int]) -> None:
        """Verify with the store everything that was believed of some shards: they may have been set back."""
        self.session_cache.validity.doubt(shards)
        self.recovery.shards(shards)
        self.talk.doubt(shards)
        self.tails.doubt(shards)

    async def _hides(self, game: str) -> bool:
        """Return whether anything is hidden in a game."""
        return (await self.games.facts(game)).hidden

    def _is_watched(self, session_id: str) -> bool:
        """Return whether somebody follows a session through this process."""
        return self.waits.is_watched(session_id)

    def _overdue(self, wants: Sequence[ai_pb2.Want]) -> None:
        """Check on moves that have been wanted for a long time."""
        self.waits.remind(wants)

    def start(self) -> None:
        """Start keeping leases, sweeping and sending heartbeats."""
        for work in (
            self.ownership.run(),
            self.shard_channel.run(),
            self.sweeper.run(),
            self.session_cache.run(),
            self.statistics_feed.run(),
            self.news_sender.run(),
            self.tails.run(),
            self.waits.run(self.tails.tell_waits),
            self.sign_outs.run(self._signed_out),
            redis_gauges.watch(self.store.facts, "sessions"),
            SessionGauges(self.store, self.archive, self._shards_owned).run(),
        ):
            self._tasks.append(asyncio.create_task(work))
        if self.archive.folder is not None:
            self._tasks.append(asyncio.create_task(disk_gauges.watch(self.archive.folder, "archive")))

    async def missing(self) -> list[str]:
        """Return what calls need and is not there: the store, the rules, or knowledge of who owns the shards."""
        needed: dict[str, Callable[[], Awaitable[object]]] = {
            "store": self.store.is_ready,
            "rules": lambda: self.rules.games(1),
            "shards": lambda: asyncio.gather(self.ownership.ready(), self.shard_channel.ready()),
        }
        are_there = await asyncio.gather(*map(_is_there, needed.values()))
        return [name for name, is_there in zip(needed, are_there, strict=True) if not is_there]

    async def hand_over(self) -> None:
        """Hand the shards to other processes, if there are any."""
        with contextlib.suppress(Refused):  # `leave` tries again
            await self.ownership.hand_over()

    async def leave(self) -> None:
        """Release all shards, and end all watches."""
        try:
            await self.ownership.leave()
        except Refused:
            log.warning("shards could not be handed over")  # others take them once the leases run out
        self.tails.drain()

    async def stop(self) -> None:
        """Let go of everything."""
        await ended(*self._tasks)
        with contextlib.suppress(Refused):  # the store is down: others will notice by themselves
            await self.ownership.close()
        await asyncio.gather(self.sweeper.close(), self.recovery.close(), self.computers.close(), self.tails.close())
        await asyncio.gather(self.want_reporter.close(), self.fallback.close())
        await self.peers.close()
        await asyncio.gather(self.news_sender.close(), self.sign_outs.close(), self.blocks.close())
        await self.rules.close()
        await self.ai.close()
        await self.store.close()
        await close_client(self._reader)
        self.archive.close()


async def _is_there(look: Callable[[], Awaitable[object]]) -> bool:
    """Return whether a look at something ends well, and in time."""
    try:
        async with asyncio.timeout(_THERE_S):
            await look()
    except Exception:  # noqa: BLE001 - whatever it is, it cannot be used
        return False
    return True
