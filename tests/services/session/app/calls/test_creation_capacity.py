"""There is room for so many sessions: from one address, in all, and in Redis' memory; and those nobody moves at end early."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2, sessions_pb2
from services.session.app.calls.creation import LOOK_MS
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.running import running_rules
from tests.services.session.table import Table
from tests.services.session.two_players import play_out
from tests.services.session.watcher import watching

Opening = Callable[..., Awaitable[Table]]
HOUR = 3600


@pytest.fixture
async def opened(redis_url: str, tmp_path: Any, request: pytest.FixtureRequest) -> AsyncIterator[Opening]:
    """Opens a table whose processes have some settings."""
    tables: list[Table] = []
    async with running_rules() as rules:

        async def open_table(**settings: Any) -> Table:
            table = Table(redis_url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", request.node.name, **settings)
            await table.open()
            tables.append(table)
            return table

        yield open_table
        for table in tables:
            await table.close()


def person(table: Table, name: str, address: str) -> Player:
    made = table.player(name)
    made.caller.address = address
    return made


async def test_an_address_has_a_bounded_number_of_unfinished_sessions(opened: Opening) -> None:
    table = await opened(sessions_per_address=3)
    guests = [person(table, f"Guest{number}", "192.0.2.1") for number in range(4)]
    sessions = [(await guest.create("me", "me")).id for guest in guests[:3]]
    with refused("FULL") as caught:
        await guests[3].create("me", "open")
    assert caught.value.refusal.details["bound"] == "address"
    assert caught.value.refusal.retry_after_ms > 0
    await person(table, "Elsewhere", "192.0.2.2").create("me", "open")
    await play_out((guests[0], guests[0]), sessions[0], 2)
    await guests[0].resign(sessions[0], 0)
    await guests[3].create("me", "open")
    with refused("FULL"):
        await guests[0].create("me", "open")


async def test_a_repeated_request_finds_its_session_though_there_is_no_room(opened: Opening) -> None:
    table = await opened(sessions_per_address=1)
    anna = person(table, "Anna", "192.0.2.1")
    request = play_pb2.CreateSessionRequest(game="einstein", seats=[play_pb2.SeatWish(me=True)] * 2, request_id=request_id())
    first = await anna.ask(create_session=request)
    assert (await anna.ask(create_session=request)).session.id == first.session.id


async def test_sessions_that_were_never_made_or_have_left_do_not_count(opened: Opening) -> None:
    table = await opened(sessions_per_address=2, keep_finished_s=0)
    anna = person(table, "Anna", "192.0.2.1")
    session = (await anna.create("me", "me")).id
    tag = (await table.wiring.session_cache.newest(session)).state.created_from.hex()
    assert await table.wiring.store.reserve(tag, "00" + "a" * 22, 2, HOUR)  # and then the process died
    await anna.create("me", "me")
    await anna.resign(session, 0)
    await table.pass_s(HOUR / 10)
    assert await table.wiring.store.read(session) is None
    await anna.create("me", "me")
    with refused("FULL"):
        await anna.create("me", "me")


async def test_no_address_is_stored(opened: Opening) -> None:
    table = await opened()
    await person(table, "Anna", "192.0.2.77").create("me", "me")
    client: Any = table.wiring.store._client
    keys = [key async for key in client.scan_iter("*")]
    assert any(b":founded:" in key for key in keys)
    assert not [key for key in keys if b"192.0.2.77" in key or b"192.0.2.77" in (await client.dump(key) or b"")]
    assert all([await client.ttl(key) > 0 for key in keys if b":founded:" in key])


async def test_there_is_a_bounded_number_of_sessions_in_all_and_rematches_count(opened: Opening) -> None:
    table = await opened(sessions_total=2, keep_finished_s=0)
    anna = table.player("Anna")
    first, second = [(await anna.create("me", "me")).id for _ in range(2)]
    with refused("FULL") as caught:
        await anna.create("me", "me")
    assert caught.value.refusal.details["bound"] == "total"
    await play_out((anna, anna), second, 3)
    await anna.resign(second, 0)
    with refused("FULL"):
        rematch = play_pb2.RematchRequest(session_id=second, seat_token=anna.token(second, 0), request_id=request_id())
        await anna.ask(rematch=rematch)
    await anna.resign(first, 0)
    await table.pass_s(HOUR / 10)
    await anna.create("me", "me")


async def test_when_memory_gets_short_there_are_no_new_sessions_and_games_go_on(opened: Opening) -> None:
    table = await opened(memory_share=0.8)
    anna = table.player("Anna")
    session = (await anna.create("me", "me")).id
    client: Any = table.wiring.store._client
    used = (await client.info("memory"))["used_memory"]
    try:
        await client.config_set("maxmemory", round(used / 0.79))
        await client.set("filling", bytes(round(used * 0.05)))
        await anna.create("me", "me")  # by the look that was made for the first one
        table.clock.pass_s(LOOK_MS / 1000)
        with refused("FULL") as caught:
            await anna.create("me", "me")
        assert caught.value.refusal.details["bound"] == "memory"
        assert caught.value.refusal.retry_after_ms > 0
        await play_out((anna, anna), session, 5)
        await client.delete("filling")
        await client.config_set("maxmemory", round(used * 2))
        await anna.create("me", "me")
    finally:
        await client.config_set("maxmemory", 0)
        await client.delete("filling")


async def state_of(player: Player, session: str) -> sessions_pb2.Session.State.ValueType:
    return (await player.see(session)).session.state


CLOSED = sessions_pb2.Session.STATE_CLOSED


async def pass_hours(table: Table, hours: float) -> None:
    """Let hours go by and sweep: what has no clock does not mind that nobody did meanwhile."""
    table.clock.pass_s(hours * HOUR)
    await table.sweep()
    await table.sweep()


async def test_a_table_at_which_nobody_ever_moved_is_closed_early(opened: Opening) -> None:
    table = await opened(unmoved_s=10 * HOUR, abandon_s=100 * HOUR)
    anna, ben = table.player("Anna"), table.player("Ben")
    waiting = (await anna.create("me", "open", public=True)).id
    begun = (await anna.create("me", "open")).id
    await ben.join(begun)
    played = (await anna.create("me", "me")).id
    await anna.act(played, (await anna.see(played)).to_act[0])
    await pass_hours(table, 9)
    assert [await state_of(anna, session) == CLOSED for session in (waiting, begun, played)] == [False, False, False]
    await pass_hours(table, 2)
    assert [await state_of(anna, session) == CLOSED for session in (waiting, begun, played)] == [True, True, False]
    await pass_hours(table, 100)
    assert await state_of(anna, played) == CLOSED


async def test_a_table_of_a_tournament_waits_for_its_players_for_as_long_as_the_tournament_lets_them(opened: Opening) -> None:
    table = await opened(unmoved_s=24 * HOUR, abandon_s=336 * HOUR)
    anna = table.player("Anna")
    create = play_pb2.CreateSessionRequest(game="einstein", seats=[play_pb2.SeatWish(open=True)] * 2)
    asked = session_pb2.ArrangeSessionRequest(arrangement_id="a" * 32, create=create, kept_for=[anna.caller.player_id, "p-ben"])
    session = (await table.wiring.arrangements.arrange(asked)).session_id
    await pass_hours(table, 71)
    assert await state_of(anna, session) != CLOSED
    await anna.join(session)
    await pass_hours(table, 400)
    assert await state_of(anna, session) == CLOSED, "where the players service is gone for good"


async def test_a_waiting_table_is_not_closed_under_a_person_who_is_connected(opened: Opening) -> None:
    table = await opened(unmoved_s=10 * HOUR, abandon_s=100 * HOUR, heartbeat_s=300)
    anna = table.player("Anna")
    session = (await anna.create("me", "open", public=True)).id
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, anna.token(session, 0), 0)
        await watcher.until_present(1, 0)
        table.clock.pass_s(11 * HOUR)
        await table.wiring.tails.beat()
        await table.sweep()
        assert await state_of(anna, session) != CLOSED
        ben = table.player("Ben")
        await ben.join(session)
        await play_out((anna, ben), session, 1)
    await asyncio.sleep(0)
    await pass_hours(table, 99)
    assert await state_of(anna, session) != CLOSED


async def test_a_waiting_table_is_closed_soon_after_the_last_person_has_gone(opened: Opening) -> None:
    table = await opened(unmoved_s=10 * HOUR, abandon_s=100 * HOUR, heartbeat_s=300)
    anna = table.player("Anna")
    session = (await anna.create("me", "open", public=True)).id
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, anna.token(session, 0), 0)
        await watcher.until_present(1, 0)
        table.clock.pass_s(11 * HOUR)
        await table.wiring.tails.beat()
        await table.sweep()
    await pass_hours(table, 1)
    assert await state_of(anna, session) == CLOSED
