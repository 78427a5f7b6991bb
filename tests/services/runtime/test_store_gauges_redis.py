from prometheus_client import REGISTRY

from services.runtime.redis_url import open_redis
from services.runtime.store_gauges import look_at_redis, of_client
from tests.ports import free_port
from tests.redis_server import running_redis


def shown(name: str, store: str) -> float | None:
    return REGISTRY.get_sample_value(name, {"store": store})


async def test_a_redis_tells_what_operators_ask_for() -> None:
    with running_redis() as url:
        client = open_redis(url)
        await look_at_redis(of_client(client), "tested")
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
    await look_at_redis(of_client(client), "absent")
    await client.aclose()
    assert shown("brettwerk_redis_up", "absent") == 0


async def test_a_store_of_several_servers_is_up_when_all_answer_and_shows_the_fullest() -> None:
    full, empty = ({"used_memory": used, "maxmemory": 100, "connected_clients": 2, "uptime_in_seconds": 5} for used in (70, 10))

    async def both() -> list[dict[str, int]]:
        return [empty, full]

    async def one() -> list[dict[str, int]]:
        return [{}, empty]

    await look_at_redis(both, "several")
    assert (shown("brettwerk_redis_up", "several"), shown("brettwerk_redis_memory_bytes", "several")) == (1, 70)
    assert shown("brettwerk_redis_clients", "several") == 4
    await look_at_redis(one, "several")
    assert (shown("brettwerk_redis_up", "several"), shown("brettwerk_redis_memory_bytes", "several")) == (0, 10)
