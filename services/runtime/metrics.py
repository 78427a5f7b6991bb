"""All series of the system, by the names that dashboards and alerts use. Labels never hold ids, tokens or names of players.

The series of prometheus_client take a lock for every number and try one bucket after the other. Every call is counted in every
process on its way, so those of calls only add, and caches count for themselves. Beside each bucket of calls stands the last one
in it that is traced, as an exemplar, for readers who ask for OpenMetrics (Prometheus does).
https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md#exemplars
"""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from wsgiref.types import WSGIApplication

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Exemplar
from prometheus_client.utils import floatToGoString

from services.runtime import small_http
from services.runtime.bounded_cache import CacheUse


class Durations:
    """The durations of a method's calls: how many fall into each bucket, and their sum in seconds."""

    __slots__ = ("buckets", "seconds", "traced")

    def __init__(self, buckets: int) -> None:
        self.buckets = [0] * buckets
        self.seconds = 0.0
        self.traced: dict[int, Exemplar] = {}
        """By the bucket."""


class Answered:
    """The calls of a method that were answered with one code."""

    __slots__ = ("_bounds", "_durations", "count")

    def __init__(self, bounds: Sequence[float], durations: Durations) -> None:
        self.count = 0
        self._bounds = bounds
        self._durations = durations

    def add(self, seconds: float, trace_id: str = "") -> None:
        """Count a call that took that long, of a trace that is sent if there is an id."""
        self.count += 1
        durations = self._durations
        durations.seconds += seconds
        bucket = bisect_left(self._bounds, seconds)
        durations.buckets[bucket] += 1
        if trace_id:
            durations.traced[bucket] = Exemplar({"trace_id": trace_id}, seconds, time.time())

    def add_stream(self) -> None:
        """Count a stream: the time that it was open is not a response time."""
        self.count += 1


class CallSeries(Collector):
    """Counts the calls of a process. Its methods are called in one thread; it may be read in another."""

    labelnames = ("service", "method", "code")

    def __init__(self, bounds: Sequence[float]) -> None:
        """Take the upper bounds of the buckets, in seconds."""
        self._bounds = tuple(bounds)
        self._answered: dict[tuple[str, str, str], Answered] = {}
        self._durations: dict[tuple[str, str], Durations] = {}

    def of(self, service: str, method: str, code: str) -> Answered:
        """Return what counts the calls of a service's method (Act) that are answered with a gRPC code (OK)."""
        found = self._answered.get((service, method, code))
        if found is None:
            durations = self._durations.setdefault((service, method), Durations(len(self._bounds) + 1))
            found = self._answered[service, method, code] = Answered(self._bounds, durations)
        return found

    def collect(self) -> Iterator[Metric]:
        """Yield what was counted."""
        calls = CounterMetricFamily("brettwerk_calls", "Calls answered.", labels=self.labelnames)
        for labels, answered in list(self._answered.items()):
            calls.add_metric(labels, answered.count)
        yield calls
        took = HistogramMetricFamily("brettwerk_call_duration_seconds", "Time to answer a call.", labels=self.labelnames[:2])
        bounds = [*map(floatToGoString, self._bounds), "+Inf"]
        for method, durations in list(self._durations.items()):
            if any(durations.buckets):
                counts = accumulate(durations.buckets)
                traced = map(durations.traced.get, range(len(bounds)))
                buckets = [
                    (bound, count, last) if last else (bound, count)
                    for bound, count, last in zip(bounds, counts, traced, strict=True)
                ]
                took.add_metric(method, buckets, durations.seconds)
        yield took


class CacheSeries(Collector):
    """Shows the caches that a process has named. They count for themselves; it only reads them."""

    def __init__(self) -> None:
        self._uses: dict[str, CacheUse] = {}

    def show(self, cache: str, use: CacheUse) -> None:
        """Show the figures of a cache under a name (sessions) from now on, instead of an earlier one's."""
        self._uses[cache] = use

    def collect(self) -> Iterator[Metric]:
        """Yield what caches hold now, and how often something was found in them."""
        entries = GaugeMetricFamily("brettwerk_cache_entries", "What a cache holds.", labels=["cache"])
        held = GaugeMetricFamily("brettwerk_cache_bytes", "Bytes that it holds, as it counts them.", labels=["cache"])
        limit = GaugeMetricFamily("brettwerk_cache_limit_bytes", "Bytes that it holds at most.", labels=["cache"])
        lookups = CounterMetricFamily("brettwerk_cache_lookups", "Lookups in a cache, by outcome.", labels=["cache", "outcome"])
        for cache, use in list(self._uses.items()):
            entries.add_metric([cache], use.entries)
            held.add_metric([cache], use.bytes)
            limit.add_metric([cache], use.limit_bytes)
            lookups.add_metric([cache, "hit"], use.hits)
            lookups.add_metric([cache, "miss"], use.misses)
        yield from (entries, held, limit, lookups)


_QUICK = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_SLOW = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
_WAITS = (*_SLOW, 60, 300, 1800)
"""Games that nobody looks at wait as long as it takes."""
_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 1)

BUILD_INFO = Gauge("brettwerk_build_info", "Which service of which version this is; always 1.", ["service", "version"])
LOOP_LATE = Gauge(
    "brettwerk_loop_late_seconds",
    "The longest time within the last minute that an event loop did not turn.",
    ["service"],
)
GAMES_LEFT_OUT = Gauge("brettwerk_games_left_out", "Installed games that are left out, since their package is broken.", ["game"])
CALLS = CallSeries(_QUICK)
REGISTRY.register(CALLS)
CACHES = CacheSeries()
"""brettwerk_cache_entries, _bytes, _limit_bytes and _lookups_total, of the caches that a process names."""
REGISTRY.register(CACHES)
ACTIONS = Counter("brettwerk_actions_total", "Actions.", ["game", "seat_kind", "outcome"])
REFUSALS = Counter("brettwerk_refusals_total", "Refusals.", ["game", "reason"])
COMMIT_DURATION = Histogram("brettwerk_commit_duration_seconds", "Time of the script that commits an action.", buckets=_QUICK)
STORE_CONFLICTS = Counter("brettwerk_store_conflicts_total", "Commits that lost against another writer and were tried again.")
COMMITS_MOVED = Counter("brettwerk_commits_moved_total", "Commits that were refused since another process owns the shard.")
SHARDS_OWNED = Gauge("brettwerk_shards_owned", "Shards of sessions that this process serves.")
SHARD_CHANGES = Counter("brettwerk_shard_changes_total", "Shards that a session process began or ceased to serve.", ["kind"])
STORE_UNREPLICATED = Counter(
    "brettwerk_store_unreplicated_total", "Pipelines acknowledged before the replicas had what they wrote."
)
SESSIONS_PASSED_ON = Counter(
    "brettwerk_sessions_passed_on_total", "Refusals of sessions that only a newer release understands: others are asked."
)
SESSIONS = Counter("brettwerk_sessions_total", "Sessions, by what became of them.", ["game", "outcome"])
SESSIONS_UNFINISHED = Gauge("brettwerk_sessions_unfinished", "Sessions of this process's shards that are not over.")
AI_WANTED = Gauge("brettwerk_ai_wanted", "Moves and hints that wait for a worker, by who waits for them.", ["class"])
AI_WANTED_SECONDS = Counter(
    "brettwerk_ai_wanted_seconds_total", "Thinking time that was wanted, in full, by who waits.", ["class"]
)
AI_OLDEST = Gauge("brettwerk_ai_oldest_wait_seconds", "How long the oldest want waits, by who waits; 0 for none.", ["class"])
AI_BACKLOG = Gauge("brettwerk_ai_backlog_seconds", "Thinking time that all that waits will take, in full.")
AI_BOARD_ENTRIES = Gauge("brettwerk_ai_board_entries", "Moves and hints on the board, waiting or in hand.")
AI_BOARD_LIMIT = Gauge("brettwerk_ai_board_entries_limit", "How many the board takes.")
AI_SLOTS = Gauge("brettwerk_ai_slots", "Thoughts that the living workers can have at once.")
AI_WORKERS = Gauge("brettwerk_ai_workers", "Workers that live.")
AI_TICKETS = Counter("brettwerk_ai_tickets_total", "Messages to workers that somebody should think.")
AI_WAIT = Histogram("brettwerk_ai_wait_seconds", "Time from want to worker, by who waits.", ["class"], buckets=_WAITS)
AI_THINK_SHARE = Histogram(
    "brettwerk_ai_think_share", "Thinking time that was granted, of what the level names.", ["class"], buckets=_SHARES
)
AI_THOUGHT = Counter("brettwerk_ai_thought_seconds_total", "Time that computers thought, by what became of it.", ["outcome"])
AI_THINK = Histogram("brettwerk_ai_think_seconds", "Time a computer player thought.", ["game", "level"], buckets=_SLOW)
AI_CACHE_HITS = Counter("brettwerk_ai_cache_hits_total", "Moves that were answered by a thought about an equal position.")
AI_ATTEMPTS = Counter("brettwerk_ai_attempts_total", "Requests for computer moves, by what became of them.", ["outcome"])
AI_WANTS = Counter("brettwerk_ai_wants_total", "What was newly wanted of computer players.", ["game", "level"])
AI_LEVEL_WAIT = Histogram("brettwerk_ai_level_wait_seconds", "From want to worker.", ["game", "level"], buckets=(0.2, 1, 5, 30))
AI_LEVEL_ATTEMPTS = Counter("brettwerk_ai_level_attempts_total", "Orders, by how they ended.", ["game", "level", "outcome"])
AI_OVERDUE = Gauge("brettwerk_ai_overdue_sessions", "Sessions whose computer player is overdue.")
AI_FALLBACK = Counter(
    "brettwerk_ai_fallback_moves_total", "Moves that the session made itself, since no player answered.", ["game"]
)
RUNS = Counter("brettwerk_runs_total", "Runs of games for statistics.", ["game", "outcome"])
RUNS_OPEN = Gauge("brettwerk_runs_open", "Runs that have not ended.")
RUNS_WORKERS = Gauge("brettwerk_runs_workers", "Workers that play runs, and live.")
RUNS_IN_HAND = Gauge("brettwerk_runs_in_hand", "Batches of runs that are being played.")
RUN_GAMES = Counter("brettwerk_run_games_total", "Games of runs, by what became of them.", ["game", "outcome"])
RUN_SECONDS = Counter("brettwerk_run_seconds_total", "Time that games of runs took.", ["game"])
WATCHES = Gauge("brettwerk_watch_streams", "Open watches.", ["endpoint"])
WATCH_RESUMES = Counter("brettwerk_watch_resumes_total", "Watches begun, by kind.", ["kind"])
TALK_LINES = Counter("brettwerk_talk_lines_total", "Lines said at tables, by who hears them.", ["game", "kind"])
TALK_REPORTS = Counter("brettwerk_talk_reports_total", "Lines said at tables that players reported.", ["game"])
REPORTS = Counter("brettwerk_reports_total", "What players reported to the moderators, besides lines at tables.", ["kind"])
ORDERS = Counter("brettwerk_orders_total", "What was played by orders of seats, and what became of them.", ["game", "outcome"])
CLOCK_EXPIRATIONS = Counter("brettwerk_clock_expirations_total", "Clocks that ran out.", ["game"])
RATE_LIMITED = Counter("brettwerk_rate_limited_total", "Calls refused by a rate limit.", ["rule"])
POOL_WAITING = Gauge("brettwerk_pool_waiting", "Heavy requests that wait for a process.", ["pool"])
POOL_REQUESTS = Counter("brettwerk_pool_requests_total", "Heavy requests, by what became of them.", ["pool", "outcome"])
POOL_CPU = Counter("brettwerk_pool_cpu_seconds_total", "CPU time that heavy requests took.", ["pool"])
RESULTS_WAITING = Gauge("brettwerk_results_waiting", "Finished games that the players service has not taken yet; 500 at most.")
RESULTS_OLDEST = Gauge("brettwerk_results_oldest_wait_seconds", "How long ago the oldest of them ended; 0 for none.")
FED_WINS = Gauge(
    "brettwerk_fed_wins", "Rated wins of a week against accounts that met nobody else, of the ten players with most."
)
SEEKS = Counter("brettwerk_seeks_total", "Searches for an opponent in a pool, by what became of them.", ["game", "outcome"])
SEEKS_WAITING = Gauge("brettwerk_seeks_waiting", "Players who wait in pools, as the database has it.", ["game"])
SEEK_WAIT = Histogram("brettwerk_seek_wait_seconds", "Time until an opponent was found.", ["game"], buckets=_WAITS)
CHALLENGES = Counter("brettwerk_challenges_total", "Challenges, by what became of them.", ["game", "outcome"])
TOURNAMENTS = Counter("brettwerk_tournaments_total", "Tournaments, by what became of them.", ["kind", "outcome"])
PAIRINGS = Counter("brettwerk_pairings_total", "Pairings of tournaments, by what became of them.", ["game", "outcome"])
NOTIFICATIONS = Counter("brettwerk_notifications_total", "Messages to players, by what became of them.", ["channel", "outcome"])
NOTIFICATIONS_OLDEST = Gauge(
    "brettwerk_notifications_oldest_wait_seconds", "For how long the first of them has been due; 0 for none.", ["channel"]
)
ARCHIVED = Counter("brettwerk_archived_total", "Sessions that the archive took.", ["game"])
ARCHIVE_UP = Gauge("brettwerk_archive_up", "Whether the archive's database answers.")
ARCHIVE_WAITING = Gauge("brettwerk_archive_waiting", "Sessions of this process's shards that ended and wait for the archive.")
ARCHIVE_OLDEST = Gauge("brettwerk_archive_oldest_wait_seconds", "How long ago the first of them ended; 0 for none.")
CERTIFICATE_EXPIRES = Gauge(
    "brettwerk_certificate_expires_timestamp_seconds", "When this process's certificate expires; 0 without one."
)
BACKUP = Gauge("brettwerk_backup_timestamp_seconds", "When a backup last succeeded; 0 for never.", ["marker"])
REDIS_UP = Gauge("brettwerk_redis_up", "Whether a Redis answers.", ["store"])
REDIS_ROUND_TRIP = Histogram("brettwerk_redis_round_trip_seconds", "Time of a question to a Redis.", ["store"], buckets=_QUICK)
REDIS_MEMORY = Gauge("brettwerk_redis_memory_bytes", "Memory that a Redis uses.", ["store"])
REDIS_MEMORY_LIMIT = Gauge("brettwerk_redis_memory_limit_bytes", "Memory that it may use; 0 for no limit.", ["store"])
REDIS_CLIENTS = Gauge("brettwerk_redis_clients", "Connections to a Redis.", ["store"])
REDIS_CLIENTS_LIMIT = Gauge("brettwerk_redis_clients_limit", "Connections that it takes.", ["store"])
REDIS_COMMANDS = Gauge("brettwerk_redis_commands", "Commands since a Redis was started.", ["store"])
REDIS_CPU = Gauge("brettwerk_redis_cpu_seconds", "CPU time since a Redis was started.", ["store"])
REDIS_EVICTED = Gauge("brettwerk_redis_evicted_keys", "Keys that a Redis threw away; any is a loss.", ["store"])
REDIS_RESTARTED = Gauge("brettwerk_redis_start_time_seconds", "When a Redis was started, in seconds since 1970.", ["store"])
REDIS_AOF_OK = Gauge("brettwerk_redis_aof_ok", "Whether a Redis could last write its append-only file.", ["store"])
REDIS_AOF_BYTES = Gauge("brettwerk_redis_aof_bytes", "Size of the append-only file of a Redis.", ["store"])
REDIS_REWRITE_OK = Gauge("brettwerk_redis_rewrite_ok", "Whether a Redis could last write its append-only file anew.", ["store"])
DISK_FREE = Gauge("brettwerk_disk_free_bytes", "Room on a disk, for those who are not root.", ["disk"])
DISK_SIZE = Gauge("brettwerk_disk_size_bytes", "Size of a disk.", ["disk"])


def serve(
    listen: str, service: str, version: str, beside: Callable[[WSGIApplication], WSGIApplication] = lambda only: only
) -> None:
    """Show /metrics at `listen` (host:port; empty for nowhere) from a thread of its own, and what `beside` adds to it.

    Raises what `listener.bind` raises.
    """
    BUILD_INFO.labels(service, version).set(1)
    if listen:
        small_http.serve(listen, beside(make_wsgi_app()))
