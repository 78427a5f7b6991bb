"""Contents of files of saved games with hidden things, also of damaged ones and those of earlier releases (WEC-ONLINE-4)."""

import pytest

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import play_pb2, record_pb2
from services.session.domain import records
from tests.services.session.app.reopening import reopen, saved
from tests.services.session.player import request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table


@pytest.mark.parametrize("damage", ["sealed", "session", "entries", "cut"])
async def test_a_save_that_was_changed_is_refused(table: Table, damage: str) -> None:
    anna, _, record = await saved(table)
    match damage:
        case "sealed":
            record.sealed = record.sealed[:40] + bytes([record.sealed[40] ^ 1]) + record.sealed[41:]
        case "session":
            record.session_id = (await anna.create("me", "easy")).id
        case "entries":
            record.entries.add(version=1).created.CopyFrom(record_pb2.Created(game="wec", seats=2))
        case "cut":
            record.sealed = record.sealed[:-4]
    with refused("RECORD_DAMAGED"):
        await reopen(anna, record)


async def test_a_save_of_an_earlier_release_opens_under_the_same_rule(table: Table) -> None:
    """It was padded less, and knows nothing of whose its seats are but what the log says."""
    anna, ben, record = await saved(table)
    seal = records.fernet(table.wiring._config.key("seal"))
    entries = records.open_record(seal, record.sealed).entries
    contents = session_state_pb2.SealedRecord(
        session_id=record.session_id, secret=bytes(32), entries=entries, shown_hash=records.hash_entries(())
    )
    data = contents.SerializeToString(deterministic=True)
    framed = len(data).to_bytes(4, "big") + data
    record.sealed = seal.encrypt(framed + bytes(-len(framed) % 4096))
    with refused("NOT_YOUR_SEAT"):
        await reopen(table.player("Carl"), record, "me", "me")
    with refused("NOT_YOUR_SEAT"):
        await reopen(anna, record, "me", "me")
    session = (await reopen(anna, record)).session.id
    assert (await reopen(ben, record)).session.id == session


async def test_no_file_has_anything_to_read_of_what_is_hidden_and_its_size_goes_by_the_versions(table: Table) -> None:
    name = "Ánna"  # no letters that what is sealed may happen to have beside each other
    anna, ben = table.player(name), table.player("Ben")
    first, second = [(await anna.create("me", "open", game="wec")).id for _ in range(2)]
    for session, step in ((first, 1), (second, 7)):
        await ben.join(session)
        for number in range(12):
            update = await anna.see(session)
            who = (anna, ben)[update.to_act[0]]
            await who.act(session, update.to_act[0], pick=step * number)
    records = [await anna.export(session) for session in (first, second)]
    assert len(records[0].sealed) == len(records[1].sealed)
    for record in records:
        assert not record.entries and not record.position_hash and not record.secret
        assert b"MV:" not in record.SerializeToString() and name.encode() not in record.SerializeToString()


async def test_a_game_is_not_continued_without_end(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.app.calls.continuations.TABLES_PER_GAME", 1)
    anna, _, record = await saved(table)
    session = (await reopen(anna, record)).session.id
    await anna.ask(close_session=play_pb2.CloseSessionRequest(session_id=session, request_id=request_id()))
    with refused("FULL"):
        await reopen(anna, record)
