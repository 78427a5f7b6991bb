"""Writes go in groups, and each succeeds or fails for itself."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis.asyncio
from redis.exceptions import ResponseError

from services.runtime import metrics
from services.session.domain.ids import session_key
from services.session.store import commits
from services.session.store.commits import Head, Kept, Unwritten, Write, head_of
from services.session.store.store import Admission, Store
from services.sharding.leases import Token
from services.sharding.shards import lease_key


def session(number: int) -> str:
    """Return an id; its shard is the last four bits of the number."""
    return f"{number % 16:02x}" + "a" * 18 + f"{number:04d}".translate(str.maketrans("0123456789", "abcdefghij"))


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    client = redis.asyncio.Redis.from_url(redis_url)
    await client.flushdb()
    made = Store(client, 0, lambda shard: tokens.get(shard))
    leases = made.leases("here", 1)
    tokens = {shard: Token(*(await leases.claim(shard, 0))[:2]) for shard in range(16)}
    yield made
    await made.close()


def found(name: str, **fields: Any) -> Write:
    return Write(session_id=name, before=None, elements=[b"first"], due_ms=1, secrets=b"secrets", **fields)


def after(name: str, head: Head, *elements: bytes, **fields: Any) -> Write:
    return Write(session_id=name, before=head, elements=elements, **fields)


async def check_admissions(store: Store) -> None:
    """Check who is admitted: a session once, a player with few unfinished ones, an address with few sessions."""
    tags = ["0" * 20, "7" + "0" * 19]

    async def admit(number: int, player: str = "ada", tag: str = "", limit: int = 1) -> Admission:
        return await store.admit(session(number), player, 2, tag, limit, 3600)

    assert [await admit(number) for number in (1, 2)] == [Admission.DONE] * 2
    for number in (1, 2):
        await store.commit(found(session(number), players={"ada": True}))
    assert await admit(1) is Admission.THERE, "whoever has too many is answered as before"
    assert await admit(3) is Admission.PLAYER
    assert await admit(3, "bob", tag=tags[0]) is Admission.DONE
    assert await admit(3, "bob", tag=tags[0]) is Admission.DONE, "it counts once"
    assert await admit(4, "bob", tag=tags[0]) is Admission.ADDRESS
    assert await admit(4, "bob", tag=tags[0], limit=2) is Admission.DONE
    assert await admit(5, "ada", tag=tags[1]) is Admission.PLAYER
    assert await admit(6, "bob", tag=tags[1]) is Admission.DONE, "what was refused was not counted"


async def test_a_store_says_whether_there_is_room(store: Store) -> None:
    await check_admissions(store)


async def test_each_write_of_a_group_succeeds_or_fails_for_itself(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [session(number) for number in range(40)]
    created = await asyncio.gather(*(store.commit(found(name)) for name in names))
    head = head_of(1, b"first")
    assert created == [head] * 40
    scripts: list[str] = []
    send = store._commits._send

    def counted(name: str, keys: Any, arguments: Any, whole: bool) -> Any:
        if not whole:
            scripts.append(name)
        return send(name, keys, arguments, whole)

    monkeypatch.setattr(store._commits, "_send", counted)
    await store._client.set(session_key(names[3], "state"), "not a hash")
    writes = [after(name, head, b"second", players={"p": True}, place="open", score=7) for name in names]
    writes[1] = after(names[1], Head(2, head.tip), b"second")
    writes[2] = after(session(99), head, b"second")
    writes[3] = after(names[3], head, b"second", kept=Kept(1, b"state", 5))
    writes[4] = after(names[4], head_of(1, b"other"), b"second")
    results = await asyncio.gather(*(store.commit(write) for write in writes), return_exceptions=True)
    assert scripts == ["commit"]
    assert results[1:5:3] == [Unwritten.LOST] * 2
    assert results[2] == Unwritten.GONE
    assert isinstance(results[3], ResponseError)
    assert [results[0], *results[5:]] == [head_of(2, b"second")] * 36
    for number, name in enumerate(names):
        assert await store.version(name) == (1 if number in (1, 2, 4) else 2)
    assert await store.listed("open", 0, 10, 5) == [(name, 7) for name in sorted((names[0], names[16], names[32]), reverse=True)]


async def test_a_write_in_a_shard_that_another_process_has_taken_is_refused_and_counted(store: Store, redis_url: str) -> None:
    name, counter = session(5), metrics.COMMITS_MOVED
    await store.commit(found(name))
    before = counter._value.get()
    client = redis.asyncio.Redis.from_url(redis_url)
    await client.hset(lease_key(5), "owner", "another")
    await client.aclose()
    for _ in range(2):
        assert await store.commit(after(name, head_of(1, b"first"), b"second")) == Unwritten.MOVED
    assert counter._value.get() == before + 2
    assert await store.version(name) == 1


async def test_a_write_learns_when_nobody_waits_for_it_any_more(store: Store) -> None:
    landed: list[Head] = []
    waiting = asyncio.create_task(_commit(store, found(session(1), landed=lambda _write, head: landed.append(head))))
    await asyncio.sleep(0)
    waiting.cancel()
    async with asyncio.timeout(60):
        while not landed:  # noqa: ASYNC110 - it comes by itself
            await asyncio.sleep(0.001)
    assert landed == [head_of(1, b"first")]
    assert waiting.cancelled()


async def _commit(store: Store, write: Write) -> Any:
    return await store.commit(write)


async def test_a_group_is_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "WRITES", 3)
    sizes: list[int] = []
    send = store._commits._send

    def counted(name: str, keys: Any, arguments: Any, whole: bool) -> Any:
        if not whole:
            sizes.append(arguments[1])
        return send(name, keys, arguments, whole)

    monkeypatch.setattr(store._commits, "_send", counted)
    await asyncio.gather(*(store.commit(found(session(number))) for number in range(10)))
    assert sizes == [3, 3, 3, 1]


@pytest.mark.parametrize("groups", [1, 2, 5])
async def test_drained_are_all_writes_that_had_begun_also_those_that_waited(
    store: Store, monkeypatch: pytest.MonkeyPatch, groups: int
) -> None:
    monkeypatch.setattr(commits, "WRITES", 1)
    written = [store.commit(found(session(number))) for number in range(groups)]
    await store.drain_writes()
    assert [commit.result() for commit in written] == [head_of(1, b"first")] * groups
