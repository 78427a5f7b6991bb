"""That a session is not there is only believed of a server of the store that could write it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis import Redis

from brettwerk.v1 import errors_pb2, play_pb2
from tests.ports import free_port
from tests.redis_server import server, wait_for
from tests.services.session.player import request_id
from tests.services.session.refusing import refused
from tests.services.session.running import running_rules
from tests.services.session.table import Table
from tests.services.session.two_players import two
from tests.services.session.watcher import watching

NOBODY = "05aaaaaaaaaaaaaaaaaaaaaa"
"""The id of a session that never was."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[str]:
    port = free_port()
    with server(tmp_path / "store", port, "--save", "") as process:
        url = f"redis://127.0.0.1:{port}/0"
        wait_for(url, process)
        yield url


@pytest.fixture
async def table(store: str, tmp_path: Path) -> AsyncIterator[Table]:
    async with running_rules() as rules:
        made = Table(store, rules, f"sqlite:///{tmp_path}/archive.sqlite3")
        await made.open()
        try:
            yield made
        finally:
            await made.close()


def resigning() -> play_pb2.ResignRequest:
    return play_pb2.ResignRequest(session_id=NOBODY, seat_token="t" * 24, request_id=request_id())


@pytest.mark.parametrize("fault", ["no replicas", "a replica"])
async def test_no_session_is_unknown_to_a_server_that_takes_no_writes(store: str, table: Table, fault: str) -> None:
    anna = table.player("Anna")
    with refused("UNKNOWN"):
        await anna.see(NOBODY)
    with Redis.from_url(store) as redis:
        if fault == "no replicas":
            redis.config_set("min-replicas-to-write", 1)
        else:
            redis.replicaof("127.0.0.1", free_port())
        with refused("UNAVAILABLE"):
            await anna.see(NOBODY)
        with refused("UNAVAILABLE"):
            await anna.ask(resign=resigning())
        async with watching(table.wiring) as watcher:
            await watcher.follow(0, NOBODY)
            assert (await watcher.until_refused(0)).reason == errors_pb2.REASON_UNAVAILABLE
        redis.config_set("min-replicas-to-write", 0)
        redis.replicaof("NO", "ONE")
    with refused("UNKNOWN"):
        await anna.ask(resign=resigning())


async def test_games_in_play_are_read_while_no_writes_are_taken(store: str, table: Table) -> None:
    anna, _, session = await two(table)
    with Redis.from_url(store) as redis:
        redis.config_set("min-replicas-to-write", 1)
        assert (await anna.see(session)).session.id == session
        redis.config_set("min-replicas-to-write", 0)
