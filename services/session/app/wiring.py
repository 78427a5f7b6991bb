"""Puts the parts of a session process together, and starts and stops them."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable

from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from brettwerk.internal.v1 import rules_pb2
from services.archive.archive import Archive
from services.archive.saved_games import SavedGames
from services.archive.session_totals import Counting
from services.archive.statistics_feed import StatisticsFeed
from services.archive.talk_reports import TalkReports
from services.runtime import metrics, store_gauges
from services.runtime.logs import logger
from services.runtime.redis_client.servers import close_client
from services.runtime.redis_url import open_store, replicas_of
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from services.runtime.sign_out_feed import SignOuts
from services.runtime.talk_rules import TalkRules
from services.runtime.tasks import ended
from services.runtime.wall_clock import wall_ms
from services.runtime.word_list import WordFile
from services.session.app.background.archivist import Archivist, SessionGauges
from services.session.app.background.news_sender import NewsSender
from services.session.app.background.sweeper import Chores, Sweeper
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.calls import Calls, handlers_of, while_stored, writing
from services.session.app.calls.continuations import Continuations, Imports
from services.session.app.calls.creation import Arrangements, Capacity, Creation, NewSessions
from services.session.app.calls.play_calls import COMMANDS, HintCalls, PlayCalls
from services.session.app.calls.prepared_calls import PreparedCalls
from services.session.app.calls.queries import Queries
from services.session.app.calls.saves import Saves
from services.session.app.calls.seat_calls import SeatCalls
from services.session.app.calls.session_lists import SessionLists
from services.session.app.calls.statistics import Statistics
from services.session.app.calls.talk_calls import OFF, Speech, TalkCalls, TalkReview
from services.session.app.calls.viewing_calls import ViewingCalls
from services.session.app.peers import Batches, Peers
from services.session.computers.ai_client import AiClient, Workforce
from services.session.computers.computer_moves import ComputerMoves
from services.session.computers.overdue_moves import Fallback, OverdueMoves, Recovery
from services.session.computers.waits import Waits
from services.session.computers.wants import WantReporter, Wants
from services.session.domain import records
from services.session.domain.clocks import Outage
from services.session.domain.storage_format import FORMAT
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache, SessionEvents
from services.session.live.writer import ClockEnforcer, WriteBuilder, Writer
from services.session.store.store import Store
from services.session.watch.followers import Followers, Presence
from services.session.watch.tail import Tails
from services.session.watch.talk import Talk
from services.session.watch.viewings import Company, Viewings
from services.sharding.leases import LEASE_MS, place_of
from services.sharding.ownership import OwnedShards, Ownership, ShardEvents
from services.sharding.shard_channel import ShardChannel

log = logger(__name__)


_THERE_S = 1.5
"""How long what calls need may take to answer before it counts as missing."""


class Wiring:
    """All parts of one process. Nothing in them needs to survive it."""

    def __init__(
        self,
        config: Settings,
        now_ms: Callable[[], int] = wall_ms,
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
        commands = open_store(
            config.redis_url,
            socket_timeout=None,
            socket_connect_timeout=2,
            retry=Retry(NoBackoff(), 1),  # a connection that broke while it was idle; callers who wait longer are refused
        )
        # It must notice that its connection broke, rather than go on over another: the store may have been set back in between.
        self._reader = open_store(config.redis_url, socket_timeout=None, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0))
        events, shard_events = SessionEvents(), ShardEvents()
        # The followers and the owned shards come first, since all else asks for them.
        self._followers, self.presence = Followers(), Presence(now_ms)
        self.shards = shards = OwnedShards(shard_events)
        self.store = Store(commands, replicas_of(config.redis_url, config.redis_replicas), shards.token)
        leases = self.store.leases(place or place_of(config), FORMAT, lease_ms)
        self.ownership = Ownership(leases, shards, shard_events, self.store.drain_writes)
        self.shard_channel = ShardChannel(self._reader, self.ownership.note_announcement, shard_events.doubt, self.store.place_of)
        self.archive = Archive.open(config.database_url)
        self.rules = RulesClient(config.rules_link_address, config.call_timeout_s)
        self.games = Games(self.rules, config)
        self._open_sessions(events)
        self._open_computers(events)
        self._open_calls(draw)
        self._open_background()
        self._subscribe(events, shard_events)

    def _open_sessions(self, events: SessionEvents) -> None:
        config, now_ms = self._config, self._now_ms
        self._outages: dict[int, list[Outage]] = {}
        self.sign_outs = SignOuts(config.players_address)
        self.session_cache = SessionCache(
            self.store, self.rules, self._followers.audiences, self._believes, events, self.sign_outs.numbers
        )
        self.writer = Writer(
            self.store,
            self.session_cache,
            self.games,
            WriteBuilder(self.session_cache, records.fernet(config.key("answer")), events),
            ClockEnforcer(self.session_cache, self.rules, now_ms, self._outages),
            self.shards.check,
            now_ms,
        )
        self.rebuilds = Rebuilds(self.store, self.session_cache, self.rules, self.games, self.archive)
        self.talk = Talk(self.store, self._believes, self.rebuilds, self.games.hides, config.talk, self._followers)
        self.blocks = Blocks(config.players_address)
        self.viewings = Viewings(self.store, self._followers, self.blocks.found, config.talk, now_ms)

    def _open_computers(self, events: SessionEvents) -> None:
        config, now_ms, cache = self._config, self._now_ms, self.session_cache
        self.ai = AiClient(config.ai_address, config.call_timeout_s)
        self.workforce = Workforce(now_ms, round(config.ai_silence_s * 1000))
        self.want_reporter = WantReporter(self.ai, self.workforce, now_ms, events)
        keys = config.key("mark"), config.key("ticket")
        self.wants = wants = Wants(*keys, self.want_reporter, self._followers.__contains__, self.presence.is_attended)
        self.computers = ComputerMoves(wants, cache, self.games, self.writer, now_ms, events)
        self.fallback = Fallback(self.rules, cache, self.writer)
        grace_ms = round(config.ai_grace_s * 1000)
        self.recovery = Recovery(self.store, cache, wants, now_ms, self.shards.serves, grace_ms)
        self.waits = waits = Waits(self.ai, self.workforce, self.want_reporter, wants, cache, now_ms, events)
        self.overdue_moves = OverdueMoves(wants, self.workforce, self.fallback, cache, self.games, now_ms, waits)
        company = Company(self.talk, self.viewings)
        self.tails = Tails(cache, self.rebuilds, waits, self._followers, self.presence, company, self.shards.check)

    def _open_background(self) -> None:
        config, now_ms = self._config, self._now_ms
        self.news_sender = NewsSender(config.players_address, config.call_timeout_s, self.presence.seats)
        archivist = Archivist(self.archive, self.store, self.session_cache, now_ms, round(config.keep_finished_s * 1000))
        chores = Chores(self.store, self.writer, self.overdue_moves, self.games, self.presence.is_attended, now_ms)
        owned = self.shards.owned
        self.sweeper = Sweeper(self.store, self.session_cache, archivist, chores, self._outages, owned, now_ms)
        self.statistics_feed = StatisticsFeed(self._counting, self.rules.survey, owned)

    def _open_calls(self, draw: Callable[[int], bytes]) -> None:
        config, now_ms = self._config, self._now_ms
        writer, cache, rebuilds, rules, games = self.writer, self.session_cache, self.rebuilds, self.rules, self.games
        self._counting = Counting(self.archive)
        self.peers = Peers(config.session_link_address)
        self.batches = Batches(self.computers, self.peers, self.shards.serves, self.shards.owns)
        words = WordFile(config.talk_words)
        self.talk_rules = TalkRules(config.players_address, words, config.appeal_address, now_ms)
        seal, saved_games = records.fernet(config.key("seal")), SavedGames(self.archive)
        saves = Saves(rebuilds, rules, games, seal, saved_games, now_ms, lambda: self.ownership.newer_runs)
        capacity = Capacity(self.store, self.workforce, config, self._now_ms)
        id_key = config.key("session id")
        new_sessions = NewSessions(writer, capacity, rules, id_key, self.shards.check, draw, config.spectator_delay)
        self.arrangements = Arrangements(new_sessions, rebuilds, games, writer, capacity, words)
        self.hints = HintCalls(writer, cache, rebuilds, rules, self.ai)
        speech = Speech(games, words, self.talk_rules)
        review = TalkReview(self.talk, self.viewings, cache, rebuilds, games, TalkReports(self.archive), now_ms)
        about_stored = (
            {name: writing(writer, command) for name, command in COMMANDS.items()},
            handlers_of(PlayCalls(writer, cache, rules, saves)),
            handlers_of(SeatCalls(writer, cache, games, self.blocks, self.workforce, words, new_sessions.secret)),
            handlers_of(TalkCalls(self.talk, cache, speech, self.blocks, now_ms)),
            handlers_of(review),
        )
        others = (
            Queries(cache, rebuilds, rules, games),
            self.hints,
            SessionLists(self.store, cache, self.archive, games, now_ms),
            Creation(new_sessions, rebuilds, rules, games, writer, self.blocks),
            Imports(new_sessions, Continuations(rebuilds, id_key), games, saves, writer, self.blocks),
            saves,
            Statistics(self._counting, rules, games, self.ai, config.key("mark"), id_key),
            ViewingCalls(self.viewings, rebuilds, rules, speech, self.blocks, id_key, now_ms),
            PreparedCalls(self.store, cache, rules, games, writer),
        )
        rows = [*(while_stored(some, self.archive) for some in about_stored), *map(handlers_of, others)]
        if not config.talk:
            rows.append(OFF)
        self.calls = Calls(rows, saves.check, cache, self.store.require_absent, self.shards.check)

    def _subscribe(self, events: SessionEvents, shard_events: ShardEvents) -> None:
        """Let the parts be told of what concerns them, in this order."""
        cache, tails = self.session_cache, self.tails
        committed = self.wants, self.hints, self.waits, tails, self.news_sender
        events.committed.extend(part.committed for part in committed)
        events.moved.append(tails.moved)
        events.forgotten.append(self.recovery.note)
        events.unreadable.append(self.ownership.note_unreadable)
        events.voided.append(tails.signed_out)
        events.noted.append(self.sweeper.pause)
        events.unplayable.append(self.overdue_moves.give_up)
        # Before it is known when nobody served a shard, no clock may be judged there.
        shard_events.coming.extend((self.sweeper.prepare, self.store.forget_events))
        shard_events.begun.extend((cache.forget_shards, self.talk.doubt, self.recovery.shards, self.presence.begin))
        shard_events.ended.extend((cache.forget_shards, self.talk.doubt, self.want_reporter.forget, tails.end))
        shard_events.doubted.extend((cache.validity.doubt, self.recovery.shards, self.talk.doubt, tails.doubt))

    def _believes(self, shard: int) -> bool:
        """Return whether what is known of a shard's sessions is right: nobody else writes them, or has set the store back."""
        return self.shard_channel.hears(shard) and self.shards.owns(shard)

    def start(self) -> None:
        """Start keeping leases, sweeping and sending heartbeats, and show what caches hold."""
        metrics.CACHES.show("sessions", self.session_cache.use)
        metrics.CACHES.show("histories", self.rebuilds.use)
        for work in (
            self.ownership.run(),
            self.shard_channel.run(),
            self.sweeper.run(self._config.sweep_s),
            self.session_cache.run(),
            self.rebuilds.run(),
            self.statistics_feed.run(),
            self.news_sender.run(),
            self.tails.run(self._config.heartbeat_s),
            self.viewings.run(),
            self.waits.run(self.tails.tell_waits),
            self.sign_outs.run(self.session_cache.void_tokens),
            self.talk_rules.run(),
            self.blocks.run(),
            store_gauges.watch_redis(self.store.info, "sessions"),
            SessionGauges(self.store, self.archive, self.shards.owned).run(),
        ):
            self._tasks.append(asyncio.create_task(work))
        if self.archive.folder is not None:
            self._tasks.append(asyncio.create_task(store_gauges.watch_disk(self.archive.folder, "archive")))

    async def missing(self) -> list[str]:
        """Return what calls need and is not there: the store, the rules, or knowledge of who owns the shards."""
        needed: dict[str, Callable[[], Awaitable[object]]] = {
            "store": self.store.is_ready,
            "rules": lambda: self.rules.ask.FindGames(rules_pb2.FindGamesRequest(page_size=1)),
            "shards": self._are_shards_known,
        }
        looks = {name: asyncio.ensure_future(look()) for name, look in needed.items()}
        try:
            await asyncio.wait(looks.values(), timeout=_THERE_S)
            return [name for name, look in looks.items() if not look.done() or look.exception() is not None]
        finally:
            for look in looks.values():
                look.cancel()

    async def _are_shards_known(self) -> None:
        # A coroutine: to cancel it is no error in the log, as it would be for what `gather` returns.
        await asyncio.gather(self.ownership.ready(), self.shard_channel.ready())

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
        await asyncio.gather(
            self.sweeper.close(), self.recovery.close(), self.computers.close(), self.overdue_moves.close(), self.tails.close()
        )
        await asyncio.gather(self.want_reporter.close(), self.fallback.close())
        await self.peers.close()
        await asyncio.gather(self.news_sender.close(), self.sign_outs.close(), self.talk_rules.close(), self.blocks.close())
        await self.rules.close()
        await self.ai.close()
        await self.store.close()
        await close_client(self._reader)
        self.archive.close()
