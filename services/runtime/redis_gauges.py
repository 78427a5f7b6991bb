"""The figures of a Redis on itself (INFO), as series of the process that uses it: no exporter of its own is needed."""

import asyncio
import contextlib
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

import redis.asyncio

from services.runtime import metrics
from services.runtime.refusal import Refused

EVERY_S = 5.0
"""How often it is asked."""


Ask: TypeAlias = Callable[[], Awaitable[Sequence[Mapping[str, Any]]]]
"""Returns what each server of a store says of itself; nothing for one that is away. Raises redis' errors, Refused, OSError."""
_LEAST = frozenset({"uptime_in_seconds"})
_FULLEST = frozenset({"used_memory", "maxmemory"})


def of_client(client: "redis.asyncio.Redis") -> Ask:
    """Return the question to one server."""

    async def ask() -> Sequence[Mapping[str, Any]]:
        return [await client.info()]

    return ask


async def watch(ask: Ask, store: str) -> None:
    """Ask again and again, until cancelled; `store` (sessions, broker) tells its series from others'."""
    while True:
        await look(ask, store)
        await asyncio.sleep(EVERY_S)


async def look(ask: Ask, store: str) -> None:
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
