"""Leases: one owner at a time, epochs that only grow, and processes that are there or not."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import redis.asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.session.domain.ids import session_key
from services.session.store.commits import Unwritten, Write, head_of
from services.session.store.store import Store
from services.sharding.leases import CHANNEL, MEMBERS, Leases, Peer, Token
from services.sharding.shards import Member, lease_key
from tests.night import examples
from tests.services.sharding.all_leases import look

NAME = "05" + "a" * 22


class World:
    """A store, and processes that use it."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self.client = client
        self.tokens: dict[int, Token] = {}
        self.store = Store(client, 0, self.tokens.get)

    def process(self, place: str = "", lease_ms: int = 60_000, format_: int = 1) -> Leases:
        return self.store.leases(place or f"place {id(object())}", format_, lease_ms)

    async def run_out(self, shard: int) -> None:
        """Let the time of a lease be over."""
        await self.client.hset(lease_key(shard), "until", 1)


@pytest.fixture
async def world(redis_url: str) -> AsyncIterator[World]:
    client = redis.asyncio.Redis.from_url(redis_url)
    await client.flushdb()
    made = World(client)
    yield made
    await made.store.close()


def peer(format_: int = 1) -> Peer:
    return Peer(Member(format_), "elsewhere")


async def test_a_lease_is_claimed_once_and_renewed_by_its_owner_alone(world: World) -> None:
    first, second = world.process(), world.process()
    mine = await first.claim(5, 0)
    assert mine[:2] == (first.own, 1)
    assert 59_000 < mine.left_ms <= 60_000
    assert (await second.claim(5, 0))[:2] == (first.own, 1)
    await world.client.hset(lease_key(5), "until", 10**13 * 2)
    assert (await second.look_at(5)).left_ms > 60_000, "who does not own it leaves it as it is"
    assert (await first.look_at(5)).left_ms <= 60_000
    assert [lease.owner for lease in await look(second)] == [first.own if n == 5 else "" for n in range(16)]


async def test_a_lease_that_ran_out_is_anybodys_and_still_its_owners_until_somebody_takes_it(world: World) -> None:
    first, second = world.process(), world.process()
    await first.claim(5, 0)
    await world.run_out(5)
    assert (await second.look_at(5)).holding.is_free
    assert (await first.look_at(5))[:2] == (first.own, 1)
    await world.run_out(5)
    assert (await second.claim(5, 1))[:2] == (second.own, 2)
    assert (await first.look_at(5))[:2] == (second.own, 2)


async def test_of_many_that_claim_a_lease_one_has_it(world: World) -> None:
    processes = [world.process() for _ in range(20)]
    claimed = await asyncio.gather(*(one.claim(3, 0) for one in processes))
    assert len({lease[:2] for lease in claimed}) == 1


async def test_epochs_grow_even_when_the_store_has_forgotten_them(world: World) -> None:
    first = world.process()
    await first.claim(5, 0)
    await world.client.delete(lease_key(5))
    assert (await first.claim(5, 7)).epoch == 8


async def test_a_process_in_the_place_of_an_owner_need_not_wait(world: World) -> None:
    first, other = world.process("host:1"), world.process("host:2")
    await first.claim(5, 0)
    assert (await other.seize(5, 0)).owner == first.own
    again = world.process("host:1")
    assert (await again.seize(5, 0))[:2] == (again.own, 2)
    assert (await first.look_at(5)).owner == again.own


async def test_a_given_lease_is_the_others_at_once_and_they_are_told(world: World) -> None:
    first, second = world.process(), world.process(format_=2)
    await first.claim(5, 0)
    async with world.client.pubsub() as heard:
        await heard.subscribe(CHANNEL)
        await heard.get_message(timeout=30)
        assert (await first.give(5, 9, second.own, peer(2)))[:2] == (first.own, 1), "of another epoch"
        assert (await first.give(5, 1, second.own, peer(2)))[:2] == (second.own, 2)
        received = await heard.get_message(timeout=30)
        assert received["data"].decode() == second.own
        lease = await second.look_at(5)
        assert (lease.owner, lease.format) == (second.own, 2)
        assert (await first.release(5, 1)).owner == second.own
        assert (await second.release(5, 2)).holding.is_free
        assert (await heard.get_message(timeout=30))["data"] == b""
    assert (await first.claim(5, 0))[:2] == (first.own, 3)


async def test_processes_see_each_other_until_they_go_or_say_nothing(world: World) -> None:
    first, second = world.process(), world.process()
    said = Peer(Member(3, is_leaving=True, unreadable=frozenset({1, 15})), 'a "place"')
    await first.say(said)
    assert await second.say(peer()) == {first.own: said, second.own: peer()}
    await first.go()
    assert set(await second.say(peer())) == {second.own}
    await first.say(said)
    await world.client.hset(MEMBERS, first.own, "1 " + said.encode())
    assert set(await second.say(peer())) == {second.own}
    await first.say(said)
    assert set(await second.say(peer(), [first.own])) == {second.own}
    await world.client.hset(MEMBERS, "stranger", "9999999999999 what a later release says")
    assert set(await second.say(peer())) == {second.own}


STEPS = st.lists(
    st.tuples(st.sampled_from(["claim", "look", "give", "release", "run out", "write"]), st.integers(0, 2), st.integers(0, 2)),
    max_size=30,
)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
async def test_writes_under_a_lease_that_is_anothers_by_now_are_refused(world: World, steps: list[tuple[str, int, int]]) -> None:
    """Each process writes with what it last heard of its lease; that must be what the store has, whatever happened since."""
    await world.client.flushdb()
    processes = [world.process() for _ in range(3)]
    known = [Token("", 0)] * 3
    length, epoch = 0, 0
    for what, who, whom in steps:
        one = processes[who]
        match what:
            case "claim":
                known[who] = Token(*(await one.claim(5, 0))[:2])
            case "look":
                known[who] = Token(*(await one.look_at(5))[:2])
            case "give":
                await one.give(5, known[who].epoch, processes[whom].own, peer())
            case "release":
                await one.release(5, known[who].epoch)
            case "run out":
                await world.run_out(5)
            case "write":
                owner, now = await world.client.hmget(lease_key(5), "owner", "epoch")
                world.tokens[5] = Token(one.own, known[who].epoch)
                before = head_of(length, b"%d" % length) if length else None
                result = await world.store.commit(Write(NAME, before, [b"%d" % (length + 1)]))
                is_owner = owner == one.own.encode() and int(now or 0) == known[who].epoch
                assert result == (head_of(length + 1, b"%d" % (length + 1)) if is_owner else Unwritten.MOVED)
                length += is_owner
        new = int(await world.client.hget(lease_key(5), "epoch") or 0)
        assert new >= epoch
        epoch = new
    assert await world.client.llen(session_key(NAME, "log")) == length
