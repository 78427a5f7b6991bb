"""Options, starts and actions have the rules' form in sessions, proposals, logs and records, whatever form clients give."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import einstein_pb2, play_pb2, record_pb2
from tests.services.rules.test_canonical import otherwise
from tests.services.session.player import Player, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.settling import settling
from tests.services.session.table import Table


def options(**fields: Any) -> AnyMessage:
    message = AnyMessage()
    message.Pack(einstein_pb2.EinsteinOptions(**fields))
    return message


async def two(table: Table, **fields: Any) -> tuple[Player, Player, str]:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", **fields)).id
    await ben.join(session)
    return anna, ben, session


async def exported(player: Player, session: str) -> record_pb2.Record:
    request = play_pb2.ExportSessionRequest(session_id=session)
    record: record_pb2.Record = (await player.ask(export_session=request)).record
    return record


async def test_a_session_shows_all_of_its_options_in_one_form(table: Table) -> None:
    anna = table.player("Anna")
    given = await anna.create("me", "open", options=options(first=2))
    for form in (otherwise(options(first=2)), AnyMessage(type_url="/brettwerk.v1.EinsteinOptions", value=bytes([8, 2]))):
        other = await anna.create("me", "open", options=form)
        assert other.options == given.options
        assert (await anna.see(other.id)).session.options == given.options
    left_out = await anna.create("me", "open")
    assert left_out.options.type_url == given.options.type_url
    assert left_out.options == (await anna.create("me", "open", options=left_out.options)).options


async def test_an_action_is_kept_as_the_rules_write_it(table: Table) -> None:
    anna, ben, session = await two(table, options=options(first=1))
    first = (await anna.see(session, 0)).actions[0].action
    await anna.act(session, 0, action=otherwise(first))
    second = (await ben.see(session, 1)).actions[0].action
    await ben.act(session, 1, action=second)
    acted = [entry.acted.ply.action for entry in (await exported(anna, session)).entries if entry.HasField("acted")]
    assert acted == [first, second]
    table.owner(session).session_cache.forget(session)
    await anna.act(session, 0)  # and a process that takes over goes on from it


async def test_a_proposal_shows_the_form_that_will_be_stored(table: Table) -> None:
    anna, ben, session = await settling(table)
    wanted = await anna.create("me", "open", options=options(first=2))
    await anna.propose(session, 0, options=otherwise(options(first=2)))
    (proposal,) = (await ben.see(session, 1)).session.proposals
    assert proposal.options == wanted.options
    await ben.reply(session, 1, proposal.id, accept=True)
    assert (await anna.see(session, 0)).session.options == wanted.options
    setup = record_pb2.Setup(options=otherwise(options(first=1)))
    await anna.propose(session, 0, setup=setup)
    (proposal,) = (await ben.see(session, 1)).session.proposals
    assert proposal.setup.options == (await anna.create("me", "open", options=options(first=1))).options
    await ben.reply(session, 1, proposal.id, accept=True)
    assert (await anna.see(session, 0)).session.options == proposal.setup.options


async def test_an_imported_record_is_kept_as_the_rules_write_it(table: Table) -> None:
    anna, ben, session = await two(table, options=options(first=1))
    for number in range(4):
        await (anna, ben)[number % 2].act(session, number % 2)
    record = await exported(anna, session)
    before = [entry.acted.ply.action for entry in record.entries if entry.HasField("acted")]
    first = record.entries[0].created.options
    changed = record_pb2.Record.FromString(record.SerializeToString())
    changed.ClearField("sealed")
    changed.entries[0].created.options.CopyFrom(otherwise(first))
    for entry in changed.entries:
        if entry.HasField("acted"):
            entry.acted.ply.action.CopyFrom(otherwise(entry.acted.ply.action))
    request = play_pb2.ImportSessionRequest(record=changed, seats=[wish("me"), wish("me")], request_id=request_id())
    copy = (await anna.ask(import_session=request)).session
    assert copy.options == first
    created = (await exported(anna, copy.id)).entries[0].created
    assert [ply.action for ply in created.variation[1:]] == before
    assert created.options == first


@pytest.mark.parametrize("kind", ["options", "setup"])
async def test_a_proposal_that_the_rules_refuse_names_what_is_wrong(table: Table, kind: str) -> None:
    anna, _, session = await settling(table)
    wrong = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.PlateauOptions")
    with refused("MALFORMED") as caught:
        await anna.propose(session, 0, **{kind: wrong if kind == "options" else record_pb2.Setup(options=wrong)})
    assert "must be a brettwerk.v1.EinsteinOptions" in caught.value.refusal.message
