"""What a Redis says of itself (INFO), as series of the process that uses it: no exporter of its own is needed."""

import asyncio
import contextlib
import time
from typing import Any

import redis.asyncio

from services.runtime import metrics

EVERY_S = 5.0
"""How often it is asked."""


async def watch(client: "redis.asyncio.Redis", store: str) -> None:
    """Ask a Redis again and again, until cancelled; `store` (sessions, broker) tells its series from others'."""
    while True:
        await look(client, store)
        await asyncio.sleep(EVERY_S)


async def look(client: "redis.asyncio.Redis", store: str) -> None:
    """Ask once. A Redis that does not answer is not up, and its other series stay what they were."""
    began = time.perf_counter()
    try:
        async with asyncio.timeout(EVERY_S):
            facts: dict[str, Any] = await client.info()
    except (redis.RedisError, OSError, TimeoutError):
        metrics.REDIS_UP.labels(store).set(0)
        return
    metrics.REDIS_ROUND_TRIP.labels(store).observe(time.perf_counter() - began)
    metrics.REDIS_UP.labels(store).set(1)
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
            value = float(facts[name])
            gauge.labels(store).set(time.time() - value if gauge is metrics.REDIS_RESTARTED else value)
    with contextlib.suppress(KeyError, TypeError, ValueError):
        cpu = float(facts["used_cpu_user"]) + float(facts["used_cpu_sys"])
        metrics.REDIS_CPU.labels(store).set(cpu)
    metrics.REDIS_REWRITE_OK.labels(store).set(facts.get("aof_last_bgrewrite_status", "ok") == "ok")
    metrics.REDIS_AOF_OK.labels(store).set(facts.get("aof_last_write_status", "ok") == "ok")
