"""Several processes keep their leases on one Redis: each shard is served by one of them, whoever comes, goes or is cut off."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Any

import pytest
import redis.asyncio

from services.runtime.refusal import Refused, moved_shard, unavailable
from services.session.domain.ids import derived_id
from services.session.store.store import Store
from services.sharding.leases import LEASE_MS, Leases
from services.sharding.ownership import BEAT_S, FOUND_S, OwnedShards, Ownership, ShardEvents
from services.sharding.shard_channel import ShardChannel
from services.sharding.shards import SHARDS, lease_key
from tests.services.session.cutting import network
from tests.services.sharding.all_leases import look


class Process:
    """The part of a process that sees to shards: it notes what it is told."""

    def __init__(self, url: str, place: str, format_: int = 1, lease_ms: int = LEASE_MS, findable_s: float = 0) -> None:
        self.client = redis.asyncio.Redis.from_url(url)
        self.store = Store(self.client, 0, lambda _: None)
        events = ShardEvents([self.prepare], [self.begin], [self.end])
        self.shards = OwnedShards(events)
        leases = self.store.leases(place, format_, lease_ms)
        self.ownership = Ownership(leases, self.shards, events, self.drain_writes, findable_s)
        self.listening = ShardChannel(self.client, self.ownership.note_announcement, lambda _shards: None)
        self.done: list[tuple[str, int]] = []
        self.is_away = False
        self.announced: Mapping[int, int] = {}
        self.shards.announce(self._announced)
        self._tasks: list[asyncio.Task[None]] = []

    def _announced(self, shards: Mapping[int, int]) -> None:
        self.announced = shards

    async def prepare(self, shard: int) -> None:
        if self.is_away:
            raise unavailable("store")
        self.done.append(("prepare", shard))

    def begin(self, shards: Collection[int]) -> None:
        for shard in shards:
            assert self.done[-1] != ("begin", shard)
            assert ("prepare", shard) in self.done
            self.done.append(("begin", shard))

    def end(self, shards: Collection[int]) -> None:
        for shard in shards:
            assert shard not in self.announced, "nobody is sent here any more"
            self.done.append(("end", shard))

    async def drain_writes(self) -> None:
        self.done.append(("drain_writes", -1))

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self.ownership.run()), asyncio.create_task(self.listening.run())]

    async def die(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()

    @property
    def leases(self) -> Leases:
        return self.ownership._leases


Opened = Callable[..., Process]


@pytest.fixture
async def opened(redis_url: str) -> AsyncIterator[Opened]:
    """Make processes, which end with the test."""
    client = redis.asyncio.Redis.from_url(redis_url)
    await client.flushdb()
    await client.aclose()
    made: list[Process] = []

    def make(url: str = redis_url, place: str = "", **terms: Any) -> Process:
        made.append(Process(url, place or f"place {len(made)}", **terms))
        return made[-1]

    yield make
    for one in made:
        with contextlib.suppress(RuntimeError):
            await one.die()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.01)


def shared(*processes: Process) -> bool:
    """Whether the processes serve all shards, each one once, and each its share of them."""
    served = [one.shards.served for one in processes]
    counts = [len(shards) for shards in served]
    return sorted(shard for shards in served for shard in shards) == list(range(SHARDS)) and max(counts) - min(counts) <= 1


async def test_a_process_that_is_alone_serves_all_after_its_first_beat(opened: Opened) -> None:
    alone = opened()
    with pytest.raises(Refused) as refused:
        alone.shards.check("05" + "a" * 22)
    assert moved_shard(refused.value.refusal) == 5
    await alone.ownership.beat()
    assert alone.announced == dict.fromkeys(range(SHARDS), 1)
    assert all(alone.shards.owns(shard) for shard in range(SHARDS))
    assert alone.shards.token(5) == (alone.leases.own, 1)
    await alone.ownership.ready()
    alone.shards.check(derived_id(b"key", "any"))
    alone.shards.check("no id at all")


async def test_processes_that_come_and_go_in_order_share_what_there_is(opened: Opened) -> None:
    first, second, third = opened(), opened(), opened()
    first.start()
    await until(lambda: shared(first))
    second.start()
    third.start()
    await until(lambda: shared(first, second, third))
    assert ("drain_writes", -1) in first.done, "what was under way came to an end before others had the shards"
    epochs = {shard: epoch for one in (first, second, third) for shard, epoch in one.announced.items()}
    await second.ownership.leave()
    assert not second.announced
    await until(lambda: shared(first, third))
    await second.ownership.close()
    for one in (first, third):
        assert all(epoch >= epochs[shard] for shard, epoch in one.announced.items())
    await first.ownership.close()
    await until(lambda: shared(third))
    await third.ownership.close()
    assert all(lease.holding.is_free for lease in await look(first.leases))


async def test_a_leaving_process_serves_its_shards_until_another_comes(opened: Opened) -> None:
    leaving, coming = opened(), opened()
    leaving.start()
    await until(lambda: shared(leaving))
    await leaving.ownership.hand_over()
    assert shared(leaving)
    await leaving.ownership.beat()
    assert shared(leaving)
    coming.start()
    await until(lambda: shared(coming))
    assert not leaving.announced
    await coming.ownership.hand_over()
    assert shared(coming), "who leaves, too, is given nothing"
    await coming.ownership.leave()
    assert not coming.announced


async def test_one_that_has_just_come_is_given_nothing_until_callers_can_have_found_it(opened: Opened) -> None:
    old, before = opened(findable_s=600), opened(findable_s=600)
    await before.ownership.beat()
    await old.ownership.beat()
    await before.ownership.close()
    await old.ownership.beat()
    assert shared(old), "one that was there before is given all at once"
    new = opened(findable_s=600)
    await new.ownership.beat()
    for _ in range(3):
        await old.ownership.beat()
        await new.ownership.beat()
    assert shared(old)
    await old.ownership.hand_over()
    await new.ownership.beat()
    assert shared(old), "who is about to leave goes on as long as it can"
    await old.ownership.leave()
    await new.ownership.beat()
    assert shared(new)


async def test_one_that_has_just_come_is_given_its_share_once_as_many_callers_have_found_it(opened: Opened) -> None:
    old, new = opened(findable_s=600), opened(findable_s=600)
    found = [2, 0]
    old.ownership.count_by(lambda: found[0])
    new.ownership.count_by(lambda: found[1])
    await old.ownership.beat()
    for found[1] in (0, 1):
        await new.ownership.beat()
        await old.ownership.beat()
        assert shared(old), "a caller that has not found it would wait"
    found[1] = 2
    await new.ownership.beat()
    await old.ownership.beat()
    await new.ownership.beat()
    assert shared(old, new)


async def test_one_that_fewer_callers_have_found_is_given_its_share_in_the_end(opened: Opened) -> None:
    old, new = opened(findable_s=0), opened(findable_s=0)
    now_s = [100.0]
    old.shards.now_s = lambda: now_s[0]
    old.ownership.count_by(lambda: 1)
    new.ownership.count_by(lambda: 0)
    await old.ownership.beat()
    await new.ownership.beat()
    await old.ownership.beat()
    now_s[0] += FOUND_S - 0.1
    await old.ownership.beat()
    await new.ownership.beat()
    assert not new.shards.served
    now_s[0] += 0.2
    await old.ownership.beat()
    await new.ownership.beat()
    assert shared(old, new)


async def test_one_that_callers_can_have_found_is_given_its_share(opened: Opened) -> None:
    old, new = opened(findable_s=0.5), opened(findable_s=0.5)
    await old.ownership.beat()
    new.start()
    await until(lambda: new.ownership._has_begun.is_set())
    await old.ownership.beat()
    assert shared(old)
    old.start()
    await until(lambda: shared(old, new))


async def test_unserved_shards_are_claimed_by_a_process_that_has_just_come(opened: Opened) -> None:
    old = opened(findable_s=600)
    await old.ownership.beat()
    await old.ownership.close()
    new = opened(findable_s=600)
    await new.ownership.beat()
    assert shared(new)


async def test_one_that_is_cut_off_is_replaced_and_learns_of_it_when_it_is_back(opened: Opened, redis_url: str) -> None:
    async with network(redis_url) as wire:
        lost, other = opened(wire.url), opened()
        lost.start()
        other.start()
        await until(lambda: shared(lost, other))
        theirs = lost.shards.served
        wire.cut()
        await until(lambda: shared(other))
        assert not any(lost.shards.owns(shard) for shard in theirs), "when others could claim them it was not certain any more"
        assert lost.shards.served == theirs, "as far as it knows; nobody is sent away as long as nobody else is known"
        before = dict(other.announced)
        wire.mend()
        await until(lambda: shared(lost, other))
        assert all(epoch > before[shard] for shard, epoch in lost.announced.items())
        assert {shard for what, shard in lost.done if what == "end"} == set(theirs), "it has forgotten what it knew of them"
    assert LEASE_MS / 1000 + BEAT_S < 5


async def test_one_that_comes_back_before_anybody_noticed_keeps_what_it_has(opened: Opened, redis_url: str) -> None:
    async with network(redis_url) as wire:
        alone = opened(wire.url, lease_ms=300)
        alone.start()
        await until(lambda: shared(alone))
        wire.cut()
        await until(lambda: not alone.shards.owns(0))
        wire.mend()
        await until(lambda: alone.shards.owns(0))
        assert ("end", 0) not in alone.done
        assert alone.announced == dict.fromkeys(range(SHARDS), 1)


async def test_one_that_is_started_again_where_it_was_killed_has_its_shards_at_once(opened: Opened) -> None:
    killed, other = opened(place="here", lease_ms=600_000), opened(lease_ms=600_000)
    await killed.ownership.beat()
    await other.ownership.beat()
    await killed.ownership.beat()
    await other.ownership.beat()
    assert shared(killed, other)
    theirs = killed.shards.served
    await killed.die()
    again = opened(place="here", lease_ms=600_000)
    await again.ownership.beat()
    assert again.shards.served == theirs


async def test_a_shard_is_served_only_once_it_is_prepared(opened: Opened) -> None:
    alone = opened()
    alone.is_away = True
    with pytest.raises(Refused):
        await alone.ownership.beat()
    assert not alone.announced
    assert alone.shards.token(0) is None
    alone.is_away = False
    await alone.ownership.beat()
    assert shared(alone)


async def test_the_next_look_is_due_when_a_lease_of_another_process_ends(opened: Opened) -> None:
    first, second = opened(lease_ms=600), opened()
    assert await first.ownership.beat() == BEAT_S, "all leases are its own"
    pause_s = await second.ownership.beat()
    left_s = min(lease.left_ms for lease in await look(second.leases)) / 1000
    assert left_s <= pause_s < BEAT_S


async def test_shards_that_are_free_but_not_for_this_process_are_looked_at_four_times_a_second(opened: Opened) -> None:
    leaving = opened()
    await leaving.ownership.beat()
    await leaving.ownership.leave()
    assert all(lease.holding.is_free for lease in await look(leaving.leases))
    assert await leaving.ownership.beat() == BEAT_S / 4


async def test_a_store_that_forgot_the_leases_is_noticed_and_epochs_go_on(opened: Opened, redis_url: str) -> None:
    alone = opened()
    await alone.ownership.beat()
    await alone.client.delete(lease_key(3))
    await alone.ownership.beat()
    assert alone.announced[3] == 2
    assert ("end", 3) in alone.done


async def test_shards_unreadable_for_an_older_release_go_to_a_newer_one(opened: Opened) -> None:
    old, new = opened(), opened(format_=2)
    await old.ownership.beat()
    for shard in (14, 15):
        old.ownership.note_unreadable(f"{shard:02x}" + "a" * 22)
    await new.ownership.beat()
    await old.ownership.beat()
    await new.ownership.beat()
    assert shared(old, new)
    assert {14, 15} <= set(new.shards.served)
