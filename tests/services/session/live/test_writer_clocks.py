"""Plies that time plays for a seat, as they stand in the log."""

from brettwerk.v1 import record_pb2
from tests.services.session.settling import wec_options
from tests.services.session.table import Table


async def test_plies_by_time_in_one_turn_have_one_moment_however_long_they_take(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=60_000)
    options = wec_options(competitive=True)
    session = (await anna.create("me", "open", game="wec", options=options, competitive=True, clock=clock)).id
    await ben.join(session)
    table.clock.pass_s(61)
    table.clock.tick_ms = 3
    await ben.propose(session, 1, draw=True)
    played = [entry for entry in await table.wiring.rebuilds.entries(session) if entry.WhichOneof("change") == "acted"]
    assert [entry.acted.cause for entry in played] == [record_pb2.Acted.CAUSE_TIME] * 2, "a Move, and the end of the Turn"
    assert len({entry.at_ms for entry in played}) == 1
    assert played[0].at_ms < (await ben.see(session, 1)).at_ms, "what was asked came after it"
