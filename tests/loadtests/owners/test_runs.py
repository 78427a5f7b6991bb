"""Verdicts on a run in which owners moved or were hurt, and when others own what one had."""

import asyncio
import json
import math
from collections.abc import Iterator

import pytest
import redis

from loadtests.owners.leases import Leases
from loadtests.owners.runs import KINDS, Outcome, Plan
from tests.redis_server import running_redis

HURT = ("kill", "stop", "cut")


def good(kind: str) -> Outcome:
    hurt = kind in HURT
    return Outcome(Plan(kind), moved=0 if hurt else 3, hurt=16 if hurt else 0, replaced_s=[3.2, 0.4] if hurt else [])


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_run_misses_nothing(kind: str):
    assert good(kind).missed() == []


@pytest.mark.parametrize("kind", ["move", "watchers"])
def test_a_call_that_fails_and_a_watch_that_breaks_off_are_missed_bars_where_owners_move(kind: str):
    outcome = good(kind)
    outcome.figures.failures["ActRequest: UNAVAILABLE"] += 1
    outcome.figures.breaks["ended"] += 1
    outcome.figures.gaps = 1
    outcome.moved = 1
    assert len(outcome.missed()) == 4


@pytest.mark.parametrize("kind", HURT)
def test_hurt_owners_have_to_be_replaced_within_five_seconds(kind: str):
    outcome = good(kind)
    outcome.figures.failures["ActRequest: UNAVAILABLE"] += 1
    assert outcome.missed() == []
    for seconds in (5.1, math.inf):
        assert "others owned" in Outcome(Plan(kind), replaced_s=[1.0, seconds]).missed()[0]
    assert "nobody was hurt" in Outcome(Plan(kind)).missed()[0]
    assert json.loads(json.dumps(Outcome(Plan(kind), replaced_s=[math.inf]).kept()))["replaced_s"] == [None]


@pytest.fixture
def store() -> Iterator[str]:
    with running_redis() as address:
        yield address


def own(store: str, shard: int, owner: str, place: str) -> None:
    with redis.Redis.from_url(store) as client:
        client.hset(f"bw:{{s{shard:02x}}}:lease", mapping={"owner": owner, "place": place, "epoch": 1})


async def test_shards_have_the_owners_that_their_leases_name(store: str):
    own(store, 0, "a", "here 127.0.0.1:7001")
    own(store, 15, "b", "here 127.0.0.1:7002")
    async with Leases(store) as leases:
        assert await leases.owners() == {0: "a", 15: "b"}
        assert await leases.owners("127.0.0.1:7002") == {15: "b"}


async def test_others_own_what_one_had_when_no_lease_names_it_any_more(store: str):
    own(store, 1, "a", "here")
    own(store, 2, "a", "here")
    async with Leases(store) as leases:
        before = await leases.owners()
        assert await leases.others_own(before, 0.1) == math.inf
        asked = asyncio.create_task(leases.others_own(before, 30.0))
        await asyncio.to_thread(own, store, 1, "b", "there")
        await asyncio.to_thread(own, store, 2, "c", "there")
        assert await asked < 30.0
