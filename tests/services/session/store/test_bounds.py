"""The room that a session and a shard take in the store is bounded in bytes, and nothing is missed for that."""

from typing import Any

from services.session.domain.bounds import STATE_EVERY
from tests.services.session.domain.commands.test_proposals import options
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player, einstein
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out, slowest
from tests.services.session.watcher import watching


def client_of(table: Table) -> Any:
    return table.wiring.store._client


async def game_of_one(table: Table) -> tuple[Player, str]:
    anna = table.player("Anna")
    return anna, (await anna.create("me", "me")).id


async def test_updates_are_kept_up_to_a_number_of_bytes_and_older_ones_are_made_again(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.UPDATES_BYTES", 6000)
    anna, session = await game_of_one(table)
    await play_out((anna, anna), session, 10)
    kept = (await table.wiring.session_cache.newest(session)).memory._updates
    assert 1 < len(kept) < 10
    assert 3000 < sum(packed.size for _, packed in kept) <= 6000
    await check_rebuilt(table, session)
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, "", 1)
        head = (await anna.see(session)).version
        await watcher.until(1, head)
        assert watcher.kinds(1) == [f"h{head}", *map(str, range(2, head + 1))]


async def test_an_action_takes_little_more_in_the_store_than_its_entry(table: Table) -> None:
    anna, session = await game_of_one(table)
    await play_out((anna, anna), session, 2)
    before = await bytes_of(table, session)
    await play_out((anna, anna), session, 18)
    entries = sum(map(len, await table.wiring.store.log(session, (await anna.see(session)).version - 18)))
    assert await bytes_of(table, session) - before < entries + 18 * 150 + 1500


async def bytes_of(table: Table, session_id: str) -> int:
    """The bytes of all that the store keeps of a session."""
    client = client_of(table)
    keys = [key async for key in client.scan_iter("*") if session_id.encode() in key]
    lists = [key for key in keys if await client.type(key) == b"list"]
    elements = [element for key in lists for element in await client.lrange(key, 0, -1)]
    fields = [part for key in set(keys) - set(lists) for pair in (await client.hgetall(key)).items() for part in pair]
    return sum(map(len, elements)) + sum(map(len, fields))


async def test_the_newest_update_is_kept_whatever_its_size(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.UPDATES_BYTES", 1)
    anna, session = await game_of_one(table)
    await play_out((anna, anna), session, 3)
    assert len((await table.wiring.session_cache.newest(session)).memory._updates) == 1
    await check_rebuilt(table, session)


async def test_positions_are_kept_up_to_a_number_of_bytes_and_undo_reaches_further_back(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.POSITIONS_BYTES", 600)
    anna, session = await game_of_one(table)
    start = einstein(await anna.see(session))
    await play_out((anna, anna), session, 10)
    kept = (await table.wiring.session_cache.newest(session)).memory._positions
    assert 0 < sum(len(position.value) for position in kept.values()) <= 600
    assert sorted(kept)[-1] == 9
    assert sorted(kept) == list(range(10 - len(kept), 10))
    await anna.undo(session, 0, to_plies=0)
    assert einstein(await anna.see(session)) == start
    assert not (await table.wiring.session_cache.newest(session)).memory._positions


async def test_answers_are_kept_up_to_a_number_of_bytes(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.memory.REQUESTS_BYTES", 600)
    anna, session = await game_of_one(table)
    requests = []
    for _ in range(10):
        seat = (await anna.see(session)).to_act[0]
        pick = slowest(await anna.see(session, seat))
        requests.append(await anna.act_request(session, seat, pick))
        await anna.ask(act=requests[-1])
    memory = (await table.wiring.session_cache.newest(session)).memory
    assert 1 < len(memory._answers) < 10
    assert sum(len(answer.answer) for _, answer in memory._answers.values()) <= 600
    assert (await anna.ask(act=requests[-1])).version == (await anna.see(session)).version
    with refused("STALE_VERSION"):
        await anna.ask(act=requests[0])


async def test_a_new_owner_knows_the_answers_from_before_the_newest_kept_state(table: Table) -> None:
    anna, session = await game_of_one(table)
    answered = []
    for _ in range(STATE_EVERY + 4):
        seat = (await anna.see(session)).to_act[0]
        request = await anna.act_request(session, seat, slowest(await anna.see(session, seat)))
        answered.append((request, (await anna.ask(act=request)).version))
    await table.restart()
    assert [(await anna.ask(act=request)).version for request, _ in answered] == [version for _, version in answered]


async def test_a_log_that_is_full_can_only_be_ended(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.writer.LOG_BYTES", 2500)
    anna, session = await game_of_one(table)
    with refused("FULL") as caught:
        await play_out((anna, anna), session, 20)
    assert caught.value.refusal.details["bound"] == "log"
    before = sum(map(len, await table.wiring.store.log(session)))
    assert before <= 2500
    assert (await anna.see(session)).version == len(await table.wiring.store.log(session))
    await anna.resign(session, 0)
    assert (await anna.see(session)).session.HasField("outcome")


async def test_a_state_that_is_too_large_is_refused_and_the_game_can_be_ended(table: Table, monkeypatch) -> None:
    anna, session = await game_of_one(table)
    await play_out((anna, anna), session, 2)
    before = await anna.see(session)
    monkeypatch.setattr("services.session.live.writer.MAX_STATE_BYTES", 300)
    with refused("FULL") as caught:
        await anna.propose(session, 0, options=options(show_roll=True))
    assert caught.value.refusal.details["bound"] == "state"
    assert await anna.see(session) == before
    await anna.resign(session, 0)


async def test_states_are_kept_in_memory_up_to_a_number_of_bytes(table: Table) -> None:
    anna, first = await game_of_one(table)
    await anna.act(first, (await anna.see(first)).to_act[0])
    session_cache = table.wiring.session_cache
    session_cache.use.limit_bytes = 20_000
    for _ in range(6):
        await anna.create("me", "me")
    assert 1 < len(session_cache._cache) < 6
    assert 0 < session_cache.use.bytes <= 20_000
    assert not session_cache.has(first)
    await anna.act(first, (await anna.see(first)).to_act[0])


async def test_a_session_that_is_neither_followed_nor_touched_leaves_memory_and_goes_on(table: Table) -> None:
    anna, idle = await game_of_one(table)
    _, followed = await game_of_one(table)
    session_cache = table.wiring.session_cache
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, followed)
        await watcher.until_live(followed)
        session_cache.forget_idle()
        assert session_cache.has(idle), "it was touched a moment ago"
        session_cache.forget_idle()
        assert not session_cache.has(idle)
        assert session_cache.has(followed)
    await anna.act(idle, (await anna.see(idle)).to_act[0])
    session_cache.forget_idle()
    assert session_cache.has(idle)


async def test_memory_counts_what_it_holds_and_whether_something_had_to_be_read(table: Table) -> None:
    anna, session = await game_of_one(table)
    cache = table.wiring.session_cache
    use, asked = cache.use, (cache.use.hits, cache.use.misses)
    assert use.entries == len(cache._cache)
    assert use.bytes > 0
    await anna.see(session)
    assert use.hits > asked[0], "it was in memory"
    assert use.misses == asked[1]
    cache.forget(session)
    assert use.entries == len(cache._cache)
    await anna.see(session)
    assert use.misses == asked[1] + 1, "it had to be read"


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
        assert await table.wiring.archive.find(session) is not None
    finally:
        await client.config_set("maxmemory", 0)
    await anna.create("me", "me")


async def test_sessions_are_counted_over_all_shards(table: Table) -> None:
    store = table.wiring.store
    anna, ben = table.player("Anna"), table.player("Ben")
    before = await store.count_sessions()
    for _ in range(5):
        await anna.create("me", "open")
    await ben.create("me", "open")
    assert await store.count_sessions() == before + 6
    assert await store.unfinished(anna.caller.player_id) == 5
    assert await store.unfinished("nobody") == 0
