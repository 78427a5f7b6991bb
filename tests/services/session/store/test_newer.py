"""Data that only a newer release can understand is left to its processes."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import play_pb2, record_pb2
from services.runtime import metrics
from services.runtime.refusal import Refused, is_newer
from services.session.app.background.sweeper import LEASE_MS, LEFT_MS
from services.session.domain import fold, storage_format
from services.session.domain.ids import session_key
from services.session.domain.storage_format import FORMAT, format_after
from services.sharding.shards import SHARDS, shard_key, shard_of
from tests.services.session.newer_release import ROOM, commands, field, plant, raw
from tests.services.session.player import request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.watcher import watching

RELEASED = Path(__file__).parents[4] / "protos" / "released.binpb"

ACTED = record_pb2.Entry.DESCRIPTOR.fields_by_name["acted"].number


def of_format(stored: session_state_pb2.StoredState) -> None:
    stored.min_reader = FORMAT + 1


def of_a_strange_status(stored: session_state_pb2.StoredState) -> None:
    stored.status = 99  # type: ignore[assignment]


def of_a_strange_clock(stored: session_state_pb2.StoredState) -> None:
    stored.created.clock.kind = 99  # type: ignore[assignment]


def of_a_strange_occupant(stored: session_state_pb2.StoredState) -> None:
    stored.seats[1].occupant.ParseFromString(field(ROOM, b"a ghost"))


def of_a_strange_proposal(stored: session_state_pb2.StoredState) -> None:
    stored.proposals.add(id=9).MergeFromString(field(ROOM, b"something else"))


STRANGE = pytest.mark.parametrize(
    "change", [of_format, of_a_strange_status, of_a_strange_clock, of_a_strange_occupant, of_a_strange_proposal]
)


@STRANGE
async def test_a_session_that_only_a_newer_release_understands_is_neither_shown_nor_written(
    table: Table, change: Callable[[session_state_pb2.StoredState], None]
) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    request = await anna.act_request(session, 0)
    await plant(table, session, change)
    before = await commands(table).dump(session_key(session, "state"))
    counted = metrics.SESSIONS_PASSED_ON._value.get()
    for attempt in (anna.ask(act=request), anna.see(session, 0), anna.resign(session, 0), anna.export(session)):
        with refused("UNAVAILABLE") as caught:
            await attempt
        assert is_newer(caught.value.refusal), caught.value.refusal
    assert metrics.SESSIONS_PASSED_ON._value.get() == counted + 4
    assert await commands(table).dump(session_key(session, "state")) == before


async def test_a_write_that_loses_against_a_newer_release_is_not_made(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    request = await anna.act_request(session, 0)
    await table.wiring.session_cache.any(session)
    await plant(table, session, of_format)
    with refused("UNAVAILABLE") as caught:
        await anna.ask(act=request)
    assert is_newer(caught.value.refusal)


def entry_of_tomorrow(entry: record_pb2.Entry) -> record_pb2.Entry:
    made = record_pb2.Entry(version=entry.version, at_ms=entry.at_ms)
    made.MergeFromString(field(ROOM, b"what nobody heard of"))
    return made


def with_a_strange_system_action(entry: record_pb2.Entry) -> record_pb2.Entry:
    made = record_pb2.Entry(version=entry.version, at_ms=entry.at_ms)
    made.acted.ply.system_action.MergeFromString(field(ROOM, b"let there be light"))
    return made


@pytest.mark.parametrize("change", [entry_of_tomorrow, with_a_strange_system_action])
async def test_a_log_with_an_entry_that_is_not_known_is_not_read_past_it(
    table: Table, change: Callable[[record_pb2.Entry], record_pb2.Entry]
) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    await anna.act(session, 0)
    client = commands(table)
    last = record_pb2.Entry.FromString((await table.wiring.store.log(session))[-1])
    await client.lset(session_key(session, "log"), -1, change(last).SerializeToString())
    await client.delete(session_key(session, "updates"))
    table.wiring.session_cache.validity.doubt(range(SHARDS))
    for attempt in (anna.see(session, 0), anna.export(session), anna.ask(rematch=rematch(anna.token(session), session))):
        with refused("UNAVAILABLE") as caught:
            await attempt
        assert is_newer(caught.value.refusal), caught.value.refusal


def rematch(token: str, session: str) -> play_pb2.RematchRequest:
    return play_pb2.RematchRequest(session_id=session, seat_token=token, request_id=request_id())


async def test_a_list_leaves_out_what_only_a_newer_release_could_list(table: Table) -> None:
    anna = table.player("Anna")
    kept, lost = [(await anna.create("me", "open", public=True)).id for _ in range(2)]
    await plant(table, lost, of_format)
    listed = await anna.ask(list_sessions=play_pb2.ListSessionsRequest())
    assert [session.id for session in listed.sessions] == [kept]


async def test_watches_are_handed_over_when_a_newer_release_goes_on_with_their_session(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    async with watching(table.wiring) as watcher:
        await watcher.follow(1, session, "", 1)
        await watcher.until(1, 1)
        await plant(table, session, of_format)
        table.wiring.tails.moved(session, 99)
        assert is_newer(await watcher.until_refused(1))
        await watcher.follow(2, session, "", 1)
        assert is_newer(await watcher.until_refused(2))


async def test_a_watch_that_fell_behind_is_handed_over_too(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    async with watching(table.wiring) as watcher:
        head = (await anna.see(session)).version
        await watcher.follow(1, session, "", head)
        async with asyncio.timeout(60):
            while 1 not in watcher.messages:  # noqa: ASYNC110 - a heartbeat has no event
                await asyncio.sleep(0.01)
        entry = record_pb2.Entry(version=head + 1, at_ms=table.clock(), credited=record_pb2.Credited(time_ms=1))
        element = storage_format.log_element(entry.SerializeToString(), min_reader=FORMAT + 1)
        await commands(table).rpush(session_key(session, "log"), element)
        table.wiring.session_cache.validity.doubt(range(SHARDS))
        async with asyncio.timeout(60):
            while 1 not in watcher.refusals:
                await table.wiring.tails.beat()
                await asyncio.sleep(0.01)
        assert is_newer(watcher.refusals[1])


async def test_a_sweeper_leaves_the_session_to_others_at_once_and_does_not_come_back_for_a_while(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    await anna.act(session, 0)
    await table.until_quiet()
    await plant(table, session, of_format)
    table.clock.pass_s(60)
    due = shard_key(shard_of(session), "due")
    counted = metrics.SESSIONS_PASSED_ON._value.get()
    await table.sweep()
    assert metrics.SESSIONS_PASSED_ON._value.get() == counted + 1
    for _ in range(5):
        await table.sweep()
        table.clock.pass_s(1)
    assert metrics.SESSIONS_PASSED_ON._value.get() == counted + 1
    assert await commands(table).zscore(due, session) <= table.clock()  # anybody may have it
    _, claimed, _ = await table.wiring.store.claim(shard_of(session), table.clock(), LEASE_MS)
    assert claimed == [session]
    table.clock.pass_s(LEFT_MS / 1000)
    await table.sweep()
    assert metrics.SESSIONS_PASSED_ON._value.get() == counted + 2


async def test_sessions_that_are_left_to_others_do_not_keep_the_rest_from_their_turn(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.session.store.store._CLAIMED_AT_ONCE", 1)
    anna = table.player("Anna")
    of_shard: dict[int, str] = {}
    while True:
        session = (await anna.create("me", "easy")).id
        if (other := of_shard.setdefault(shard_of(session), session)) != session:
            break
    await plant(table, other, of_format)
    client, due = commands(table), shard_key(shard_of(session), "due")
    await client.zadd(due, {other: 1, session: 2})
    await table.sweep()
    await table.sweep()
    assert await client.zscore(due, session) > table.clock(), "it was seen to, and is due when there is something to do again"


async def test_a_session_that_went_to_a_newer_release_is_played_on_by_a_process_of_that_release(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    await plant(table, session, of_format)
    with pytest.raises(Refused):
        await anna.act(session, 0)
    monkeypatch.setattr(storage_format, "FORMAT", FORMAT + 1)
    await anna.act(session, 0)
    assert (await raw(table, session)).min_reader == FORMAT + 1, "what a session needs stays needed"


# --- what this release has to say of its own entries


def _released_fields(name: str) -> set[str]:
    """Return the fields of a message of the contract as the last release knows it."""
    released = descriptor_pb2.FileDescriptorSet.FromString(RELEASED.read_bytes())
    return {
        field.name
        for file in released.file
        for message in file.message_type
        if (file.package, message.name) == ("brettwerk.v1", name)
        for field in message.field
    }


def test_every_kind_of_entry_that_the_last_release_does_not_know_raises_what_its_sessions_need() -> None:
    """Add every new kind of entry to newer._SINCE, or releases that do not know it would go on without it."""
    known = _released_fields("Entry")
    assert "acted" in known
    kinds = {field.name for field in record_pb2.Entry.DESCRIPTOR.oneofs_by_name["change"].fields}
    assert {kind for kind in kinds - known if not 0 < format_after(0, kind) <= FORMAT} == set()


def test_every_entry_that_the_rules_play_is_of_the_first_format() -> None:
    """An entry that is added to fold._PLAYED with a format of its own needs its state to say so (`_positioned`)."""
    assert {kind for kind in fold._PLAYED if format_after(0, kind)} == set()


def test_every_part_of_a_clock_that_the_last_release_does_not_know_raises_what_its_sessions_need() -> None:
    known = _released_fields("ClockSpec")
    assert "time_ms" in known
    for name in record_pb2.ClockSpec.DESCRIPTOR.fields_by_name:
        if name not in known:
            clock = record_pb2.ClockSpec(**{name: 1})  # type: ignore[arg-type]
            assert 0 < storage_format.first_format(record_pb2.Created(clock=clock)) <= FORMAT, name


def test_an_entry_never_lowers_what_a_session_needs() -> None:
    assert format_after(7, "acted") == 7
    assert format_after(0, "acted") == 0
