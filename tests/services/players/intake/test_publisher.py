"""Feeding the queue: what is not delivered is published, and published again, and nothing is published for ever."""

import asyncio
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from services.archive.archive import Archive
from services.archive.outbox import Outbox
from services.players.intake.app import RESULTS
from services.players.intake.publisher import AGAIN_S, IN_A_MESSAGE, IN_FLIGHT, MAX_AGAIN_S, Publisher
from services.runtime.bell import Bell, path_of
from services.runtime.redis_url import QUEUE_PREFIX, open_blocking_redis
from tests.redis_server import running_redis
from tests.services.players.intake.finished_games import computer, kept, outcome, person, session_id


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/archive.sqlite3"


@pytest.fixture
def outbox(url: str) -> Iterator[Outbox]:
    made = Outbox.open(url)
    yield made
    made.close()


async def archive(url: str, games: int) -> list[str]:
    store = Archive.open(url)
    for number in range(games):
        await store.keep(kept(number, person("anna"), computer(), ended=outcome(0)))
    store.close()
    return [session_id(number) for number in range(games)]


async def test_waiting_results_are_published_oldest_first_in_messages_of_a_bounded_size(url: str, outbox: Outbox):
    ids = await archive(url, IN_A_MESSAGE + 1)
    lots: list[Sequence[str]] = []
    feeding = Publisher(outbox, lots.append)
    assert feeding.feed(0.0) == len(ids)
    assert [len(lot) for lot in lots] == [IN_A_MESSAGE, 1]
    assert sorted(one for lot in lots for one in lot) == sorted(ids)
    assert feeding.feed(1.0) == 0


@pytest.mark.nightly
async def test_undelivered_results_are_published_again_less_and_less_often(url: str, outbox: Outbox):
    (only,) = await archive(url, 1)
    at: list[float] = []
    now = 0.0
    feeding = Publisher(outbox, lambda _ids: at.append(now))
    for hour in range(0, 24 * 3600, 10):
        now = float(hour)
        feeding.feed(now)
    waits = [later - earlier for earlier, later in itertools.pairwise(at)]
    assert waits[0] == AGAIN_S and max(waits) == MAX_AGAIN_S and waits == sorted(waits)
    outbox.mark_delivered([only])
    assert feeding.feed(now + MAX_AGAIN_S) == 0


async def test_a_broker_that_is_away_costs_nothing_but_time(url: str, outbox: Outbox):
    ids = await archive(url, 2)
    lots: list[Sequence[str]] = []

    def publish(session_ids: Sequence[str]) -> None:
        if not lots:
            lots.append([])
            raise OSError("away")
        lots.append(session_ids)

    feeding = Publisher(outbox, publish)
    with pytest.raises(OSError, match="away"):
        feeding.feed(0.0)
    assert feeding.feed(1.0) == 2
    assert sorted(lots[-1]) == sorted(ids)


async def test_the_worker_is_rung_for_while_something_waits(url: str, outbox: Outbox, tmp_path: Path):
    with running_redis() as redis_url, open_blocking_redis(redis_url) as broker, Bell(path_of(tmp_path, RESULTS)) as bell:
        publishing = asyncio.create_task(Publisher(outbox, lambda _ids: None).run(broker, tmp_path))
        await archive(url, 1)
        for _ in range(2):  # a worker that died has to come again
            await asyncio.to_thread(bell.wait)
        publishing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await publishing


async def test_the_worker_is_rung_for_when_something_was_queued_by_others(outbox: Outbox, tmp_path: Path):
    with running_redis() as redis_url, open_blocking_redis(redis_url) as broker, Bell(path_of(tmp_path, RESULTS)) as bell:
        broker.lpush(QUEUE_PREFIX + RESULTS, "a puzzle that was found")
        publishing = asyncio.create_task(Publisher(outbox, lambda _ids: None).run(broker, tmp_path))
        await asyncio.to_thread(bell.wait)
        publishing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await publishing


async def test_only_so_many_are_in_flight(url: str, outbox: Outbox):
    await archive(url, IN_FLIGHT + 5)
    seen: list[str] = []
    feeding = Publisher(outbox, seen.extend)
    assert feeding.feed(0.0) == IN_FLIGHT
    assert feeding.feed(1.0) == 0
    outbox.mark_delivered(seen)
    assert feeding.feed(2.0) == 5
