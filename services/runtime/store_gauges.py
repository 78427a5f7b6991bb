"""How stores are, as series of the process that uses them: the figures of a Redis on itself (INFO), and the space of a disk.

So no exporter of its own is needed, and a full disk is noticed before it stops games.
"""

import asyncio
import contextlib
import math
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import redis.asyncio

from services.runtime import metrics
from services.runtime.refusal import Refused

EVERY_S = 5.0
"""How often they are looked up."""


Ask: TypeAlias = Callable[[], Awaitable[Sequence[Mapping[str, Any]]]]
"""Returns what each server of a store says of itself; nothing for one that is away. Raises redis' errors, Refused, OSError."""
_LEAST = frozenset({"uptime_in_seconds"})
_FULLEST = frozenset({"used_memory", "maxmemory"})


def of_client(client: "redis.asyncio.Redis") -> Ask:
    """Return the question to one server."""

    async def ask() -> Sequence[Mapping[str, Any]]:
        return [await client.info()]

    return ask


async def watch_redis(ask: Ask, store: str) -> None:
    """Ask again and again, until cancelled; `store` (sessions, broker) tells its series from others'."""
    while True:
        await look_at_redis(ask, store)
        await asyncio.sleep(EVERY_S)


async def look_at_redis(ask: Ask, store: str) -> None:
    """Ask once. A store of which a server does not answer is not up; of one without an answer other series stay as they were.

    Where there are several servers, memory is that of the fullest, time that of the youngest, and the rest is added up.
    """
    began = time.perf_counter()
    try:
        async with asyncio.timeout(EVERY_S):
            reports = await ask()
    except (redis.RedisError, Refused, OSError, TimeoutError):
        metrics.REDIS_UP.labels(store).set(0)
        return
    metrics.REDIS_ROUND_TRIP.labels(store).observe(time.perf_counter() - began)
    metrics.REDIS_UP.labels(store).set(all(reports))
    reporting = [facts for facts in reports if facts]
    fullest = max(reporting, key=_fullness)
    for gauge, name in (
        (metrics.REDIS_MEMORY, "used_memory"),
        (metrics.REDIS_MEMORY_LIMIT, "maxmemory"),
        (metrics.REDIS_CLIENTS, "connected_clients"),
        (metrics.REDIS_CLIENTS_LIMIT, "maxclients"),
        (metrics.REDIS_COMMANDS, "total_commands_processed"),
        (metrics.REDIS_EVICTED, "evicted_keys"),
        (metrics.REDIS_RESTARTED, "uptime_in_seconds"),
        (metrics.REDIS_AOF_BYTES, "aof_current_size"),
    ):
        with contextlib.suppress(KeyError, TypeError, ValueError):  # managed ones do not tell everything
            values = [float(facts[name]) for facts in ([fullest] if name in _FULLEST else reporting)]
            value = min(values) if name in _LEAST else sum(values)
            gauge.labels(store).set(time.time() - value if gauge is metrics.REDIS_RESTARTED else value)
    with contextlib.suppress(KeyError, TypeError, ValueError):
        cpu = sum(float(facts["used_cpu_user"]) + float(facts["used_cpu_sys"]) for facts in reporting)
        metrics.REDIS_CPU.labels(store).set(cpu)
    metrics.REDIS_REWRITE_OK.labels(store).set(all(facts.get("aof_last_bgrewrite_status", "ok") == "ok" for facts in reporting))
    metrics.REDIS_AOF_OK.labels(store).set(all(facts.get("aof_last_write_status", "ok") == "ok" for facts in reporting))


def _fullness(facts: Mapping[str, Any]) -> float:
    with contextlib.suppress(KeyError, TypeError, ValueError):
        return float(facts["used_memory"]) / (float(facts["maxmemory"]) or math.inf)
    return 0.0


async def watch_disk(folder: Path, disk: str) -> None:
    """Keep checking the disk that a folder is on, until cancelled; `disk` (archive) names it."""
    while True:
        await asyncio.to_thread(look_at_disk, folder, disk)
        await asyncio.sleep(EVERY_S)


def look_at_disk(folder: Path, disk: str) -> None:
    """Check once. A disk that cannot be queried keeps its figures."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return
    metrics.DISK_FREE.labels(disk).set(usage.free)
    metrics.DISK_SIZE.labels(disk).set(usage.total)
