"""The figures that operators look at first, put together from the metrics of all processes, without a Prometheus.

Every few seconds all processes are asked; rates and durations are those of the last minutes. Thresholds are those of the alerts
(deploy/observe/alerts.py), which also wait for a while before they fire.
"""

import asyncio
import contextlib
import itertools
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import operation_pb2
from gateway.calls import series
from gateway.calls.operator_key import OperatorKey
from gateway.calls.series import Labels, Series, values
from gateway.identity.caller import Caller
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.settings import Settings
from services.runtime.wall_clock import wall_ms

log = logger(__name__)

EVERY_S, SELDOM_S = 10.0, 60.0
"""How often the processes are asked, and how often while no operator looks."""
THREADS = 8
"""How many are asked at the same time."""
WINDOW_S = 300.0
_PLAYERS_S = 2.0
SLOWEST = 5
FAILED = frozenset({"INTERNAL", "UNAVAILABLE", "UNKNOWN", "DEADLINE_EXCEEDED", "DATA_LOSS"})
"""Codes of calls that failed through our fault, as in the recording rules."""
_FEWEST_CALLS = 20
"""Below so many calls in the window, a share of them says nothing."""
_CERTIFICATE_S = 7 * 86_400
_BACKUP_S = 36 * 3600
_ARCHIVE_S = 1800
_PERSON_WAITS_S = 5
_OVERDUE = 5
_WAKES_S = 15
"""How long a move may wait for workers that have to be started."""
_FAILED_SHARE = 0.02
_SLOW_S = 0.5
_MEMORY_SHARE = 0.7
_DISK_SHARE, _DISK_BYTES = 0.1, 256 * 1024 * 1024

_CALLS, _ACTIONS, _BUCKET = "brettwerk_calls_total", "brettwerk_actions_total", "brettwerk_call_duration_seconds_bucket"
_PREFIXES = (
    "brettwerk_build_info",
    f"{_CALLS}{{",
    f"{_ACTIONS}{{",
    f"{_BUCKET}{{",
    "brettwerk_watch_streams",
    "brettwerk_sessions_unfinished",
    "brettwerk_ai_workers",
    "brettwerk_ai_wanted{",
    "brettwerk_ai_oldest_wait_seconds",
    "brettwerk_ai_overdue_sessions",
    "brettwerk_archive_",
    "brettwerk_redis_up",
    "brettwerk_redis_aof_ok",
    "brettwerk_redis_memory_",
    "brettwerk_disk_",
    "brettwerk_backup_",
    "brettwerk_certificate_",
    "process_start_time_seconds",
)

Counts = Mapping[tuple[str, str, Labels], float]
"""Counters by process, name and labels."""
Concern = operation_pb2.Concern


class Overview:
    """Keeps asking all processes, and answers operators."""

    def __init__(self, config: Settings, key: OperatorKey) -> None:
        self._key = key
        self._addresses, self._on_demand = config.metrics_addresses, config.metrics_on_demand
        self._is_asked = asyncio.Event()
        self._counts: deque[tuple[float, Counts]] = deque()
        self._current = operation_pb2.GetOverviewResponse()
        self._threads = ThreadPoolExecutor(THREADS, "overview")
        """Of their own: those of the loop look names up, and must not wait for processes that are silent."""
        if config.backup_marker:
            marker = Path(config.backup_marker)
            metrics.BACKUP.labels(marker.name).set_function(lambda: _changed_s(marker))

    async def follow(self, players: grpc.aio.Channel) -> None:
        """Keep asking until cancelled, without a key from when an operator looks; `players` leads to the players service."""
        try:
            if not self._key.is_set:
                await self._is_asked.wait()
            while True:
                try:
                    await self.look(players)
                except Exception as error:
                    log.error("the overview could not be made", exc_info=error)
                await self._pause()
        finally:
            self._threads.shutdown(wait=False, cancel_futures=True)

    async def _pause(self) -> None:
        """Wait until it is time for the next look: seldom while no operator looks."""
        self._is_asked.clear()
        await asyncio.sleep(EVERY_S)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SELDOM_S - EVERY_S):
                await self._is_asked.wait()

    async def look(self, players: grpc.aio.Channel) -> None:
        """Ask all processes once."""
        run = partial(asyncio.get_running_loop().run_in_executor, self._threads)
        if self._addresses:
            on_demand = await run(series.places, self._on_demand)
            found = [*await run(series.places, self._addresses), *on_demand]
            read = await asyncio.gather(*(run(series.read, each, _PREFIXES) for each in found))
            processes = [one for one in read if one.samples is not None or one.address not in on_demand]
        else:
            processes = [await run(series.own, _PREFIXES)]
        now = time.monotonic()
        self._counts.append((now, counts(processes)))
        while len(self._counts) > 2 and self._counts[1][0] < now - WINDOW_S:
            self._counts.popleft()
        made = overview(processes, *self._counts[0], *self._counts[-1], may_rest=bool(self._on_demand))
        made.fed_wins.extend(await self._fed_wins(players))
        self._current = made

    async def _fed_wins(self, players: grpc.aio.Channel) -> Sequence[operation_pb2.FedWins]:
        """Return what the players service has counted last; what was known before while it is down."""
        stub: Any = players_pb2_grpc.PlayersServiceStub(players)
        try:
            found: players_pb2.ListFedWinsResponse = await stub.ListFedWins(players_pb2.ListFedWinsRequest(), timeout=_PLAYERS_S)
        except grpc.RpcError as error:
            log.debug("wins cannot be asked for", error=str(error)[:200])
            return self._current.fed_wins
        return found.fed_wins

    def check_key(self, key: str, caller: Caller) -> None:
        """Return if that is the operator's key. Raises Refused (UNKNOWN, TOO_MANY_REQUESTS)."""
        self._key.check(key, caller)

    def newest(self) -> operation_pb2.GetOverviewResponse:
        """Return the newest figures; empty until they have been looked for."""
        self._is_asked.set()
        return self._current


def overview(
    processes: Sequence[Series], began: float, before: Counts, ended: float, after: Counts, *, may_rest: bool = False
) -> operation_pb2.GetOverviewResponse:
    """Return what processes show now, and what they have counted between two moments (monotonic, in seconds).

    `may_rest`: whether workers may be missing as long as no moves are wanted of them.
    """
    grown = _growth(before, after)
    seconds = ended - began
    ai, session = _of("ai", processes), _of("session", processes)
    calls = [(dict(labels), count) for (_, name, labels), count in grown.items() if name == _CALLS]
    made = operation_pb2.GetOverviewResponse(
        at_ms=wall_ms(),
        window_ms=round(seconds * 1000),
        watches=round(sum(values(processes, "brettwerk_watch_streams"))),
        sessions=round(sum(values(processes, "brettwerk_sessions_unfinished"))),
        actions_per_s=sum(n for (_, name, _), n in grown.items() if name == _ACTIONS) / seconds if seconds else 0,
        calls=round(sum(count for _, count in calls)),
        calls_failed=round(sum(count for labels, count in calls if labels.get("code") in FAILED)),
        slowest=sorted(_methods(grown), key=lambda method: -method.p95_ms)[:SLOWEST],
        workers=round(_largest(ai, "brettwerk_ai_workers")),
        wanted=round(sum(_largest_by(ai, "brettwerk_ai_wanted", "class").values())),
        oldest_wait_ms=_ms(_largest(processes, "brettwerk_ai_oldest_wait_seconds", **{"class": "person"})),
        overdue=round(sum(values(processes, "brettwerk_ai_overdue_sessions"))),
        archive_answers=_largest(session, "brettwerk_archive_up") == 1,
        archive_waiting=round(sum(values(processes, "brettwerk_archive_waiting"))),
        archive_oldest_wait_ms=_ms(_largest(processes, "brettwerk_archive_oldest_wait_seconds")),
        last_backup_ms=_ms(_largest(processes, "brettwerk_backup_timestamp_seconds")),
        processes=sorted((_process(one) for one in processes), key=lambda one: (one.service, one.address)),
    )
    made.concerns.extend(_concerns(processes, made, _quantile_s(grown, "Act", 0.99), may_rest=may_rest))
    return made


def _concerns(
    processes: Sequence[Series], made: operation_pb2.GetOverviewResponse, act_s: float, *, may_rest: bool
) -> Iterator[Concern.ValueType]:
    """Yield what needs attention, the causes before what follows from them."""
    now = time.time()
    if not all(one.answers for one in made.processes):
        yield operation_pb2.CONCERN_PROCESS_SILENT
    if any(up == 0 for up in _largest_by(processes, "brettwerk_redis_up", "store").values()):
        yield operation_pb2.CONCERN_STORE_DOWN
    if 0 in values(processes, "brettwerk_redis_aof_ok"):
        yield operation_pb2.CONCERN_STORE_CANNOT_WRITE
    if any(_shares(processes, "brettwerk_redis_memory_bytes", "brettwerk_redis_memory_limit_bytes", _MEMORY_SHARE)):
        yield operation_pb2.CONCERN_STORE_FILLS_UP
    roomy = _shares(processes, "brettwerk_disk_free_bytes", "brettwerk_disk_size_bytes", _DISK_SHARE)
    if not all(roomy) or any(free < _DISK_BYTES for free in values(processes, "brettwerk_disk_free_bytes")):
        yield operation_pb2.CONCERN_DISK_FILLS_UP
    if _of("session", processes) and not made.archive_answers:
        yield operation_pb2.CONCERN_ARCHIVE_DOWN
    if _of("ai", processes) and not made.workers and (made.oldest_wait_ms > _WAKES_S * 1000 or not may_rest):
        yield operation_pb2.CONCERN_NO_WORKERS
    if made.calls >= _FEWEST_CALLS and made.calls_failed > _FAILED_SHARE * made.calls:
        yield operation_pb2.CONCERN_CALLS_FAIL
    if act_s > _SLOW_S:
        yield operation_pb2.CONCERN_ACTIONS_SLOW
    if made.oldest_wait_ms > _PERSON_WAITS_S * 1000:
        yield operation_pb2.CONCERN_PLAYERS_WAIT
    if made.overdue > _OVERDUE:
        yield operation_pb2.CONCERN_COMPUTERS_OVERDUE
    if made.archive_oldest_wait_ms > _ARCHIVE_S * 1000:
        yield operation_pb2.CONCERN_ARCHIVE_BEHIND
    if any(0 < one.certificate_expires_ms < (now + _CERTIFICATE_S) * 1000 for one in made.processes):
        yield operation_pb2.CONCERN_CERTIFICATE_EXPIRES
    if (backups := values(processes, "brettwerk_backup_timestamp_seconds")) and max(backups) < now - _BACKUP_S:
        yield operation_pb2.CONCERN_BACKUP_OLD
    if _has_mixed_versions(made.processes):
        yield operation_pb2.CONCERN_VERSIONS_MIXED


def _of(service: str, processes: Iterable[Series]) -> list[Series]:
    """Return the processes of a service: those of others show its series, too, at zero."""
    return [one for one in processes if any(one.select("brettwerk_build_info", service=service))]


def _process(one: Series) -> operation_pb2.ProcessFigures:
    labels = next((labels for labels, _ in one.select("brettwerk_build_info")), {})
    return operation_pb2.ProcessFigures(
        service=labels.get("service", ""),
        version=labels.get("version", ""),
        address=one.address,
        answers=one.samples is not None,
        certificate_expires_ms=_ms(_largest([one], "brettwerk_certificate_expires_timestamp_seconds")),
        started_ms=_ms(_largest([one], "process_start_time_seconds")),
    )


def _has_mixed_versions(processes: Iterable[operation_pb2.ProcessFigures]) -> bool:
    versions = defaultdict(set)
    for one in processes:
        versions[one.service].add(one.version)
    return any(len(each) > 1 for service, each in versions.items() if service)


def _methods(grown: Counts) -> Iterator[operation_pb2.MethodFigures]:
    names = {dict(labels).get("method", "") for _, name, labels in grown if name == _BUCKET}
    for method in names:
        if calls := round(max(_buckets(grown, method).values())):
            yield operation_pb2.MethodFigures(method=method, calls=calls, p95_ms=_quantile_s(grown, method, 0.95) * 1000)


def _buckets(grown: Counts, method: str) -> Mapping[float, float]:
    """Return how many calls took at most so many seconds."""
    found: dict[float, float] = defaultdict(float)
    for (_, name, labels), count in grown.items():
        if name == _BUCKET and (of := dict(labels)).get("method", "") == method:
            found[float(of["le"])] += count
    return dict(sorted(found.items()))


def _quantile_s(grown: Counts, method: str, share: float) -> float:
    """Return within how many seconds that share of a method's calls was answered, as Prometheus' histogram_quantile does."""
    buckets = _buckets(grown, method)
    wanted = share * max(buckets.values(), default=0)
    if not wanted:
        return 0.0
    pairs = [(0.0, 0.0), *buckets.items()]
    for (low, below), (high, count) in itertools.pairwise(pairs):
        if count >= wanted:
            return low if high == float("inf") else low + (high - low) * (wanted - below) / (count - below)
    return 0.0


def counts(processes: Iterable[Series]) -> Counts:
    """Return what processes have counted so far; that they answered is known by a counter without a name."""
    found: dict[tuple[str, str, Labels], float] = {(one.address, "", ()): 0.0 for one in processes if one.samples is not None}
    for one in processes:
        for (name, labels), value in (one.samples or {}).items():
            if name == _ACTIONS or (name in (_CALLS, _BUCKET) and ("service", "gateway") in labels):
                found[one.address, name, labels] = value
    return found


def _growth(before: Counts, after: Counts) -> Counts:
    """Return by how much each counter has grown; one that is smaller began anew with its process.

    A counter that was not there began at zero if its process was there. Counts of a process from before it was first asked belong
    to no window.
    """
    grown = {}
    for key, value in after.items():
        was = before.get(key, 0.0 if (key[0], "", ()) in before else value)
        grown[key] = value - was if value >= was else value
    return grown


def _largest(processes: Iterable[Series], name: str, **where: str) -> float:
    return max(values(processes, name, **where), default=0.0)


def _largest_by(processes: Iterable[Series], name: str, label: str) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for one in processes:
        for labels, value in one.select(name):
            found[labels.get(label, "")] = max(value, found.get(labels.get(label, ""), value))
    return found


def _shares(processes: Iterable[Series], part: str, whole: str, share: float) -> Iterator[bool]:
    """Yield for each thing of which there is a whole whether its part is more than that share of it."""
    for one in processes:
        wholes = {tuple(sorted(labels.items())): value for labels, value in one.select(whole) if value}
        for labels, value in one.select(part):
            if (of := wholes.get(tuple(sorted(labels.items())))) is not None:
                yield value > share * of


def _changed_s(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))
