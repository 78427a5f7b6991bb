from prometheus_client import REGISTRY

from services.runtime.redis_gauges import look
from services.runtime.redis_url import open_redis
from tests.ports import free_port
from tests.redis_server import running_redis


def shown(name: str, store: str) -> float | None:
    return REGISTRY.get_sample_value(name, {"store": store})


async def test_a_redis_tells_what_operators_ask_for() -> None:
    with running_redis() as url:
        client = open_redis(url)
        await look(client, "tested")
        await client.aclose()
    assert shown("brettwerk_redis_up", "tested") == 1
    assert shown("brettwerk_redis_aof_ok", "tested") == 1
    assert shown("brettwerk_redis_rewrite_ok", "tested") == 1
    for name in ("memory_bytes", "clients", "clients_limit", "commands", "cpu_seconds", "start_time_seconds"):
        assert (shown(f"brettwerk_redis_{name}", "tested") or 0) > 0, name
    assert shown("brettwerk_redis_memory_limit_bytes", "tested") == 0
    assert shown("brettwerk_redis_round_trip_seconds_count", "tested") == 1


async def test_a_redis_that_does_not_answer_is_not_up() -> None:
    client = open_redis(f"redis://127.0.0.1:{free_port()}/0")
    await look(client, "absent")
    await client.aclose()
    assert shown("brettwerk_redis_up", "absent") == 0
