"""What a session and a shard take in the store is bounded in bytes, and nothing is missed for that."""

import asyncio
from typing import Any

import pytest

from services.session.domain.ids import session_key, shard_key, shard_of
from services.session.store.store import Store
from tests.services.session.live.test_rebuilding import check_rebuilt
from tests.services.session.refusing import refused
from tests.services.session.table import Player, Table, einstein
from tests.services.session.two_players import play_out, slowest
from tests.services.session.watcher import watching

EVENTS = 16 * 1024


def client_of(table: Table) -> Any:
    return table.house.store._client


async def game_of_one(table: Table) -> tuple[Player, str]:
    anna = table.player("Anna")
    return anna, (await anna.create("me", "me")).id


async def positions(table: Table, session_id: str) -> dict[int, int]:
    """The bytes of the positions that are kept, by the number of plies before them."""
    stored = await client_of(table).hgetall(session_key(session_id, "state"))
    return {int(name[1:]): len(value) for name, value in stored.items() if name.startswith(b"p")}


async def bytes_of_events(table: Table, session_id: str) -> tuple[int, int]:
    """The bytes of the events of a session's shard, and those of the largest one."""
    events = await client_of(table).xrange(shard_key(shard_of(session_id), "events"))
    sizes = [len(fields[b"u"]) + 128 for _, fields in events]
    return sum(sizes), max(sizes)


async def test_updates_are_kept_up_to_a_number_of_bytes_and_older_ones_are_made_again(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.store.store.UPDATES_BYTES", 6000)
    anna, session = await game_of_one(table)
    await play_out((anna, anna), session, 10)
    kept = await table.house.store.updates(session, 1000)
    assert 1 < len(kept) < 10
    assert 3000 < sum(map(len, kept)) <= 6000
    await check_rebuilt(table, session)
    async with watching(table.house) as watcher:
        await watcher.follow(1, session, "", 1)
        head = (await anna.see(session)).version
        await watcher.until(1, head)
        assert watcher.kinds(1) == [f"h{head}", *map(str, range(2, head + 1))]


async def test_the_newest_update_is_kept_whatever_its_size(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.store.store.UPDATES_BYTES", 1)
    anna, session = await game_of_one(table)
    await play_out((anna, anna), session, 3)
    assert len(await table.house.store.updates(session, 1000)) == 1
    await check_rebuilt(table, session)


async def test_updates_that_another_version_added_uncounted_are_counted(table: Table, monkeypatch) -> None:
    anna, session = await game_of_one(table)
    await play_out((anna, anna), session, 4)
    await client_of(table).hdel(session_key(session, "state"), "updates")  # as the version before left it
    monkeypatch.setattr("services.session.store.store.UPDATES_BYTES", 3000)
    await play_out((anna, anna), session, 1)
    assert sum(map(len, await table.house.store.updates(session, 1000))) <= 3000
    await check_rebuilt(table, session)


async def test_positions_are_kept_up_to_a_number_of_bytes_and_undo_reaches_further_back(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.store.store.POSITIONS_BYTES", 400)
    anna, session = await game_of_one(table)
    start = einstein(await anna.see(session))
    await play_out((anna, anna), session, 10)
    kept = await positions(table, session)
    assert sum(kept.values()) <= 400
    assert sorted(kept)[-1] == 9
    assert sorted(kept) == list(range(10 - len(kept), 10))
    await anna.undo(session, 0, to_plies=0)
    assert einstein(await anna.see(session)) == start
    assert not await positions(table, session)


async def test_answers_are_kept_up_to_a_number_of_bytes(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.store.store.REQUESTS_BYTES", 300)
    anna, session = await game_of_one(table)
    requests = []
    for _ in range(10):
        seat = (await anna.see(session)).to_act[0]
        pick = slowest(await anna.see(session, seat))
        requests.append(await anna.act_request(session, seat, pick))
        await anna.ask(act=requests[-1])
    stored = await client_of(table).hgetall(session_key(session, "requests"))
    answers = {name: value for name, value in stored.items() if len(name) == 16}
    assert 1 < len(answers) < 10
    assert sum(map(len, answers.values())) <= 300
    assert len(stored) == 2 * len(answers)
    assert (await anna.ask(act=requests[-1])).version == (await anna.see(session)).version
    with refused("STALE_VERSION"):
        await anna.ask(act=requests[0])


async def test_a_log_that_is_full_can_only_be_ended(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.store.store.LOG_BYTES", 700)
    anna, session = await game_of_one(table)
    with refused("FULL") as caught:
        await play_out((anna, anna), session, 20)
    assert caught.value.refusal.details["bound"] == "log"
    before = sum(map(len, await table.house.store.log(session)))
    assert before <= 700
    assert (await anna.see(session)).version == len(await table.house.store.log(session))
    await anna.resign(session, 0)
    assert (await anna.see(session)).session.HasField("outcome")


async def test_a_state_that_is_too_large_is_refused_and_the_game_can_be_ended(table: Table, monkeypatch) -> None:
    anna, session = await game_of_one(table)
    await play_out((anna, anna), session, 2)
    before = await anna.see(session)
    monkeypatch.setattr("services.session.live.writer.MAX_STATE_BYTES", 300)
    with refused("FULL") as caught:
        await play_out((anna, anna), session, 1)
    assert caught.value.refusal.details["bound"] == "state"
    assert await anna.see(session) == before
    await anna.resign(session, 0)


async def test_events_are_kept_up_to_a_number_of_bytes(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.store.store.EVENTS_BYTES", EVENTS)
    anna, session = await game_of_one(table)
    for _ in range(4):
        await play_out((anna, anna), session, 10)
        size, largest = await bytes_of_events(table, session)
        assert size <= EVENTS + 2 * largest
        await anna.undo(session, 0, to_plies=0)
    assert size >= EVENTS // 2 - largest
    await fill(table.house.store, session)
    size, largest = await bytes_of_events(table, session)
    assert size <= EVENTS + 2 * largest


async def fill(store: Store, session: str) -> None:
    """Tell so much of another session of the shard that everything before it is thrown away."""
    other = session[:2] + "a" * 22
    for _ in range(30):
        await store.tell(other, bytes(EVENTS // 10))


async def test_who_reads_so_slowly_that_events_are_thrown_away_misses_no_version(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.store.store.EVENTS_BYTES", EVENTS)
    anna, session = await game_of_one(table)
    reads = asyncio.Event()
    reads.set()
    xread = table.house._reader.xread

    async def slow(*args: Any, **options: Any) -> Any:
        await reads.wait()
        found = await xread(*args, **options)
        return found if reads.is_set() else ()  # as if it had been asleep since

    monkeypatch.setattr(table.house._reader, "xread", slow)
    async with watching(table.house) as watcher:
        await watcher.follow(1, session, "", 4)
        await play_out((anna, anna), session, 1)
        await watcher.until(1, 5)
        reads.clear()
        await play_out((anna, anna), session, 2)
        await fill(table.house.store, session)
        events = await client_of(table).xrange(shard_key(shard_of(session), "events"))
        assert all(fields[b"s"] != session.encode() for _, fields in events)
        reads.set()
        await watcher.until(1, 7)
        assert watcher.kinds(1) == ["h4", "5", "6", "7"]


async def test_states_are_kept_in_memory_up_to_a_number_of_bytes(table: Table, monkeypatch) -> None:
    anna, first = await game_of_one(table)
    await anna.act(first, (await anna.see(first)).to_act[0])
    monkeypatch.setattr("services.session.live.shelf.STATES_BYTES", 12_000)
    for _ in range(6):
        await anna.create("me", "me")
    shelf = table.house.shelf
    assert 1 < len(shelf._cache) < 6
    assert shelf._bytes == sum(shelf._sizes.values()) <= 12_000
    assert first not in shelf._cache
    await anna.act(first, (await anna.see(first)).to_act[0])


async def test_without_memory_games_go_on_and_new_ones_are_told_when_to_come_again(table: Table) -> None:
    anna, session = await game_of_one(table)
    client = client_of(table)
    await client.config_set("maxmemory", 1_000_000)
    try:
        await play_out((anna, anna), session, 4)
        with refused("FULL") as caught:
            await anna.create("me", "me")
        assert caught.value.refusal.details["bound"] == "memory"
        assert caught.value.refusal.retry_after_ms > 0
        await anna.resign(session, 0)
        await table.pass_s(200)
        assert await table.house.archive.find(session) is not None
    finally:
        await client.config_set("maxmemory", 0)
    await anna.create("me", "me")


@pytest.mark.parametrize("name", ["events", "flow"])
async def test_a_lost_companion_of_the_events_mends_itself(table: Table, name: str) -> None:
    anna, session = await game_of_one(table)
    await client_of(table).delete(shard_key(shard_of(session), name))
    async with watching(table.house) as watcher:
        await watcher.follow(1, session, "", 4)
        await play_out((anna, anna), session, 2)
        await watcher.until(1, 6)
