"""Endgame tables as operators have them changed: each worker carries out an order once, and reports how it stands."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis
import redis.asyncio

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import operation_pb2
from brettwerk_games.players.endgame_tables import Fault, Offer, State
from services.ai.celery_worker.app import THINK
from services.ai.endgame_tables import board
from services.ai.endgame_tables.agent import TablesAgent
from services.ai.endgame_tables.board import TablesBoard, WorkerTablesBoard
from services.ai.endgame_tables.calls import TablesCalls
from services.runtime.bell import Bell, path_of
from services.runtime.refusal import Refused
from tests.e2e.stranger import eventually, in_background
from tests.ports import free_port
from tests.redis_server import running_redis

REST = State(4, 0, 10**10, 0, 0.0, 0.0, Fault.NONE, (Offer(5, 1_120_000_000, 70.0),))


class Tables:
    """Tables that only note what they are told."""

    def __init__(self) -> None:
        self.now = REST
        self.changes: list[int] = []

    def is_building(self) -> bool:
        return self.now.building > 0

    def state(self) -> State:
        return self.now

    def change(self, stones: int) -> None:
        self.changes.append(stones)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
async def tables_board(url: str) -> AsyncIterator[TablesBoard]:
    async with redis.asyncio.Redis.from_url(url) as client:
        await client.flushall()
        yield TablesBoard(client)


@pytest.fixture
def blocking(url: str) -> "Iterator[redis.Redis]":
    with redis.Redis.from_url(url) as client:
        yield client


async def test_each_worker_does_once_what_is_asked_for(tables_board: TablesBoard, blocking: "redis.Redis") -> None:
    tables = [Tables(), Tables()]
    agents = [TablesAgent(WorkerTablesBoard(blocking, f"w{number}"), each) for number, each in enumerate(tables)]

    def look() -> list[list[int]]:
        for agent in agents * 3:
            agent.look()
        return [each.changes for each in tables]

    assert look() == [[], []]
    await tables_board.ask(5)
    assert look() == [[5], [5]]
    await tables_board.ask(5)
    await tables_board.ask(4)
    assert look() == [[5, 4], [5, 4]]


async def test_a_worker_that_starts_late_does_not_do_what_was_asked_for_long_ago(
    tables_board: TablesBoard, blocking: "redis.Redis", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "ASKED_S", 1)
    await tables_board.ask(5)
    eventually(lambda: not blocking.exists("bw:{tables}:asked"), within_s=30)
    tables = Tables()
    TablesAgent(WorkerTablesBoard(blocking, "w"), tables).look()
    assert tables.changes == []


async def test_operators_see_how_it_stands_until_the_worker_ends(tables_board: TablesBoard, blocking: "redis.Redis") -> None:
    tables = Tables()
    agent = TablesAgent(WorkerTablesBoard(blocking, "w"), tables)
    tables.now = replace(REST, building=5, share=0.4567, left_s=33.4, fault=Fault.BUSY, large_bytes=7)
    agent.look()
    (reported,) = await tables_board.reports()
    assert reported.machine
    offer = operation_pb2.TablesOffer(stones=5, bytes=1_120_000_000, seconds=70)
    assert reported == operation_pb2.MachineTables(
        machine=reported.machine,
        stones=4,
        large_bytes=7,
        room_bytes=10**10,
        building=5,
        done_permille=457,
        left_s=33,
        fault=operation_pb2.TABLES_FAULT_BUSY,
        offers=[offer],
    )
    assert agent.is_building()
    agent.goodbye()
    assert await tables_board.reports() == []


async def test_only_the_newest_workers_are_known(
    tables_board: TablesBoard, blocking: "redis.Redis", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "MAX_WORKERS", 2)
    for number in range(5):
        TablesAgent(WorkerTablesBoard(blocking, f"w{number}"), Tables()).look()
    assert len(await tables_board.reports()) == 2


async def test_a_worker_that_rests_is_woken_where_none_reports(tables_board: TablesBoard, tmp_path: Path) -> None:
    calls = TablesCalls(tables_board, str(tmp_path))
    with Bell(path_of(tmp_path, THINK)) as bell:
        waiting = in_background(bell.wait)

        def is_rung() -> bool:
            return not waiting.is_alive()

        while not is_rung():
            assert not (await calls.find()).machines
        await calls.ask(ai_pb2.AskForEndgameTablesRequest(stones=5))


async def test_a_store_that_is_away_is_refused_and_does_not_stop_a_worker() -> None:
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    with redis.Redis.from_url(nowhere) as client:
        TablesAgent(WorkerTablesBoard(client, "w"), Tables()).look()
    async with redis.asyncio.Redis.from_url(nowhere) as away:
        calls = TablesCalls(TablesBoard(away), "")
        with pytest.raises(Refused, match="store of the endgame tables"):
            await calls.find()
        with pytest.raises(Refused, match="store of the endgame tables"):
            await calls.ask(ai_pb2.AskForEndgameTablesRequest(stones=4))
