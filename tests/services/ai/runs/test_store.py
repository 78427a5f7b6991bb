"""Runs as Redis holds them: batches are given once unless they are lost, counted once, and bounded in number."""

import random
from collections.abc import AsyncIterator, Iterator

import pytest
import redis
import redis.asyncio

from brettwerk.v1 import statistics_pb2
from brettwerk_games.statistics.tally import Key, Tallies
from services.ai.runs.queue import HAND_MS, MAX_ATTEMPTS
from services.ai.runs.store import ROOT_KEY, Batch, Begun, Bounds, Ended, Hand, Runs
from tests.redis_server import running_redis

BOUNDS = Bounds(per_player=2, per_address=3, total=5, kept_per_player=4, keep_ms=3_600_000)
RUN = statistics_pb2.Run


class Clock:
    def __init__(self) -> None:
        self.now = 1_900_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def runs(url: str, clock: Clock) -> AsyncIterator[Runs]:
    async with redis.asyncio.Redis.from_url(url) as client:
        await client.flushall()
        yield Runs(client, BOUNDS, clock)


@pytest.fixture
def hand(url: str, clock: Clock) -> Iterator[Hand]:
    with redis.Redis.from_url(url) as client:
        yield Hand(client, clock)


def wish(games: int = 30) -> statistics_pb2.RunWish:
    made = statistics_pb2.RunWish(game="emperado", games=games, seed=7)
    for _ in range(2):
        made.seats.add(level="easy")
    return made


async def begin(
    runs: Runs, run_id: str = "one", player: str = "aa", address: str = "", asked: str = "x", batches: int = 3
) -> Begun:
    return await runs.begin(run_id, wish(), 10, batches, asked=asked, player=player, address=address)


def counted(games: int) -> Tallies:
    return Tallies.of([(Key("all", ""), games, games - 1), (Key("end", "EMP-END-2"), games, 1)])


async def state(runs: Runs, run_id: str = "one") -> "statistics_pb2.Run.State.ValueType":
    found = await runs.find(run_id)
    assert found is not None
    return found[0].message("aa", await runs.status()).state


async def test_a_run_is_given_in_batches_and_is_done_when_all_are_counted(runs: Runs, hand: Hand):
    assert await begin(runs) is Begun.NOTED
    assert await state(runs) == RUN.STATE_WAITING
    batches = [hand.take() for _ in range(4)]
    assert batches[3] is None
    assert [batch.number for batch in batches if batch] == [0, 1, 2]
    assert all(batch.wish == wish() for batch in batches if batch)
    for batch in batches[:3]:
        assert batch is not None
        assert await state(runs) == RUN.STATE_RUNNING
        assert hand.finish(batch, 10, counted(10))
    found = await runs.find("one")
    assert found is not None
    run = found[0].message("aa", await runs.status(), found[1])
    assert (run.state, run.games_done, run.mine) == (RUN.STATE_DONE, 30, True)
    assert run.ended_at_ms
    assert [(t.kind, t.key, t.games, t.wins) for t in run.sheet.tallies] == [("all", "", 30, 27), ("end", "EMP-END-2", 30, 3)]


async def test_a_batch_is_counted_once_however_often_it_is_played(runs: Runs, hand: Hand):
    await begin(runs)
    batch = hand.take()
    assert batch is not None
    assert [hand.finish(batch, 10, counted(10)) for _ in range(3)] == [True, False, False]
    found = await runs.find("one")
    assert found is not None
    assert found[0].number("played") == 10
    assert next(found[1].rows()) == (Key("all", ""), 10, 9)


async def test_a_batch_that_was_lost_is_given_again_and_one_that_is_held_is_not(runs: Runs, hand: Hand, clock: Clock):
    await begin(runs, batches=2)
    held, lost = hand.take(), hand.take()
    assert held is not None
    assert lost is not None
    clock.now += HAND_MS - 1
    assert hand.take() is None
    assert hand.hold(held)
    clock.now += 1
    assert hand.take() == lost
    assert hand.take() is None


async def test_runs_take_turns(runs: Runs, hand: Hand):
    await begin(runs, "one")
    await begin(runs, "two", player="bb")
    given = [hand.take() for _ in range(6)]
    assert [batch.run_id for batch in given if batch] == ["one", "two"] * 3


async def test_a_cancelled_run_is_played_no_further_and_keeps_what_was_counted(runs: Runs, hand: Hand):
    await begin(runs)
    first, second = hand.take(), hand.take()
    assert first is not None
    assert second is not None
    hand.finish(first, 10, counted(10))
    assert await runs.cancel("one", "bb") is Ended.NOT_YOURS
    assert await runs.cancel("none", "aa") is Ended.UNKNOWN
    assert await runs.cancel("one", "aa") is Ended.ENDED
    assert await runs.cancel("one", "aa") is Ended.ENDED
    assert await state(runs) == RUN.STATE_CANCELLED
    assert not hand.hold(second)
    assert not hand.finish(second, 10, counted(10))
    assert hand.take() is None
    found = await runs.find("one")
    assert found is not None
    assert found[0].number("played") == 10


async def test_a_batch_that_fails_again_and_again_ends_its_run(runs: Runs, hand: Hand, clock: Clock):
    await begin(runs, batches=1)
    for _ in range(MAX_ATTEMPTS):
        batch = hand.take()
        assert batch is not None
        hand.fail(batch)
        assert hand.take() is None
        clock.now += 1000
    assert await state(runs) == RUN.STATE_FAILED
    assert hand.take() is None


async def test_the_same_request_is_the_same_run_and_another_one_is_reported(runs: Runs):
    assert await begin(runs, asked="x") is Begun.NOTED
    assert await begin(runs, asked="x") is Begun.KNOWN
    assert await begin(runs, asked="y") is Begun.OTHER_REQUEST


async def test_open_runs_are_bounded_by_player_address_and_in_all(runs: Runs, hand: Hand):
    assert [await begin(runs, f"a{n}", "aa", "11") for n in range(3)] == [Begun.NOTED] * 2 + [Begun.PLAYER_FULL]
    assert [await begin(runs, f"b{n}", "bb", "11") for n in range(2)] == [Begun.NOTED, Begun.ADDRESS_FULL]
    assert [await begin(runs, f"c{n}", f"c{n}") for n in range(3)] == [Begun.NOTED] * 2 + [Begun.FULL]
    await runs.cancel("a0", "aa")
    assert await begin(runs, "a3", "aa", "11") is Begun.NOTED


async def test_the_oldest_runs_that_have_ended_go_for_new_ones(runs: Runs, clock: Clock):
    for number in range(7):
        assert await begin(runs, f"a{number}") is Begun.NOTED
        await runs.cancel(f"a{number}", "aa")
        clock.now += 1
    assert [stored.id for stored in await runs.of("aa")] == ["a6", "a5", "a4", "a3"]
    assert await runs.find("a0") is None


async def test_runs_go_when_their_time_is_over(url: str, hand: Hand):
    async with redis.asyncio.Redis.from_url(url) as client:
        await client.flushall()
        runs = Runs(client, Bounds(2, 3, 5, 4, keep_ms=50))
        await begin(runs)
        while await runs.find("one") is not None:
            pass
        with redis.Redis.from_url(url) as blocking:
            assert Hand(blocking).take() is None
        assert await runs.of("aa") == []
        assert await begin(runs, "two") is Begun.NOTED


async def test_a_run_without_workers_says_so(runs: Runs, hand: Hand, clock: Clock):
    await begin(runs)
    found = await runs.find("one")
    assert found is not None
    assert found[0].message("aa", await runs.status()).no_worker
    hand.beat("worker")
    assert not found[0].message("aa", await runs.status()).no_worker
    clock.now += 60_000
    assert found[0].message("aa", await runs.status()).no_worker


async def test_the_counts_are_right_whatever_is_lost_or_played_twice(runs: Runs, hand: Hand, clock: Clock):
    dice = random.Random(5)
    await begin(runs, batches=40)
    held: list[Batch] = []
    while await state(runs) != RUN.STATE_DONE:
        if dice.random() < 0.6 and (batch := hand.take()) is not None:
            held.append(batch)
        if held and dice.random() < 0.5:
            batch = dice.choice(held)
            hand.finish(batch, 10, Tallies.of([(Key("seat", str(batch.number)), 1, 1)]))
            if dice.random() < 0.7:
                held.remove(batch)
        if dice.random() < 0.2:
            clock.now += HAND_MS
    found = await runs.find("one")
    assert found is not None
    assert found[0].number("played") == 400
    assert {(key.key, games, wins) for key, games, wins in found[1].rows()} == {(str(n), 1, 1) for n in range(40)}


async def test_an_ended_run_leaves_only_its_result(runs: Runs, url: str, hand: Hand):
    await begin(runs, address="11")
    while (batch := hand.take()) is not None:
        hand.finish(batch, 10, counted(10))
    with redis.Redis.from_url(url) as client:
        keys = {key.decode().removeprefix(f"{ROOT_KEY}:") for key in client.keys(f"{ROOT_KEY}:*")}
        assert keys == {"run:one", "tally:one", "of:aa", "served"}
        assert all(client.pttl(f"{ROOT_KEY}:{key}") > 0 for key in keys - {"served"})
