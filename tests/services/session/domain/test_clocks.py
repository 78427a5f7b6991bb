"""Clocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import record_pb2, sessions_pb2
from services.session.domain import clocks
from tests.services.session.player import Player
from tests.services.session.refusing import refused
from tests.services.session.table import Table

_Kind = sessions_pb2.Happening
PER_TURN = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=30_000)
TOTAL = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=60_000, increment_ms=2_000)


async def timed(table: Table, clock: record_pb2.ClockSpec, **fields: object) -> tuple[Player, Player, str]:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open", clock=clock, **fields)
    await ben.join(session.id)
    return anna, ben, session.id


def left(update: sessions_pb2.Update) -> list[tuple[int, bool]]:
    return [(clock.left_ms, clock.running) for clock in update.clocks]


async def test_a_games_time_runs_for_the_seat_to_act_and_a_finished_turn_adds_to_it(table: Table) -> None:
    anna, ben, session = await timed(table, TOTAL)
    assert left(await anna.see(session)) == [(60_000, True), (60_000, False)]
    await table.pass_s(10)
    await anna.act(session, 0)
    assert left(await anna.see(session)) == [(52_000, False), (60_000, True)]
    await table.pass_s(1.5)
    await ben.act(session, 1)
    assert left(await anna.see(session)) == [(52_000, True), (60_500, False)]


async def test_a_bank_of_time_grows_with_each_turn_and_no_further_than_its_cap(table: Table) -> None:
    bank = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=60_000, increment_ms=20_000, cap_ms=70_000)
    anna, ben, session = await timed(table, bank)
    await table.pass_s(15)
    await anna.act(session, 0)
    assert left(await anna.see(session)) == [(65_000, False), (60_000, True)]
    await table.pass_s(5)
    await ben.act(session, 1)
    assert left(await anna.see(session)) == [(65_000, True), (70_000, False)]
    await table.pass_s(66)
    assert (await anna.see(session)).happening.kind == _Kind.KIND_FLAGGED


@given(left_ms=st.integers(0, 10**10), increment_ms=st.integers(0, 10**8), cap_ms=st.integers(1, 10**10))
def test_a_finished_turn_takes_no_time_away_and_fills_no_bank_beyond_its_cap(
    left_ms: int, increment_ms: int, cap_ms: int
) -> None:
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, increment_ms=increment_ms, cap_ms=cap_ms)
    found = clocks.incremented_ms(clock, left_ms)
    assert left_ms <= found <= max(left_ms, cap_ms)
    assert found in (left_ms, left_ms + increment_ms, cap_ms)


@pytest.mark.parametrize(
    "clock",
    [
        record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=60_000, cap_ms=70_000),
        record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=60_000, cap_ms=59_999),
    ],
)
async def test_a_cap_is_for_a_time_of_the_whole_game_that_begins_below_it(table: Table, clock: record_pb2.ClockSpec) -> None:
    with refused("MALFORMED") as caught:
        await table.player("Anna").create("me", "open", clock=clock)
    assert caught.value.refusal.field == "clock.cap_ms"


async def test_a_player_without_time_has_lost_although_no_call_comes(table: Table) -> None:
    anna, _, session = await timed(table, TOTAL)
    await table.pass_s(61)
    update = await anna.see(session)
    assert update.happening.kind == _Kind.KIND_FLAGGED
    assert update.happening.cause == record_pb2.Acted.CAUSE_TIME
    assert update.session.outcome.winners == [1]


async def test_an_action_after_the_deadline_is_too_late(table: Table) -> None:
    anna, _, session = await timed(table, TOTAL)
    await table.pass_s(58)
    request = await anna.act_request(session, 0)
    table.clock.pass_s(2)
    with refused("GAME_OVER"):
        await anna.ask(act=request)
    assert (await anna.see(session)).happening.kind == _Kind.KIND_FLAGGED


async def test_a_turns_time_begins_anew_and_when_it_is_over_the_rules_name_the_action(table: Table) -> None:
    anna, ben, session = await timed(table, PER_TURN)
    await table.pass_s(20)
    await anna.act(session, 0)
    await table.pass_s(20)
    assert left(await ben.see(session))[1] == (30_000, True)
    await ben.act(session, 1)
    await table.pass_s(31)
    update = await ben.see(session)
    assert update.happening.kind == _Kind.KIND_ACTED
    assert update.happening.cause == record_pb2.Acted.CAUSE_TIME
    assert update.session.plies == 3
    assert update.to_act == [1]
    assert not update.session.HasField("outcome")


async def test_a_machines_clock_set_back_gives_nobody_time(table: Table) -> None:
    anna, ben, session = await timed(table, TOTAL)
    await table.pass_s(10)
    await anna.act(session, 0)
    table.clock.pass_s(-8)
    await ben.act(session, 1)
    asked = await anna.propose(session, 0, pause=True)
    await ben.reply(session, 1, asked.proposal_id, True)
    assert left(await anna.see(session)) == [(52_000, False), (62_000, False)]
    times = [record_pb2.Entry.FromString(entry).at_ms for entry in await table.wiring.store.log(session)]
    assert times == sorted(times)
    assert times[-1] == times[-4], "as long as the clock is behind no time passes"


async def test_clocks_stand_in_a_pause(table: Table) -> None:
    anna, ben, session = await timed(table, TOTAL)
    await table.pass_s(10)
    asked = await ben.propose(session, 1, pause=True)
    await anna.reply(session, 0, asked.proposal_id, True)
    await table.pass_s(100)
    assert left(await anna.see(session)) == [(50_000, False), (60_000, False)]
    asked = await ben.propose(session, 1, pause=False)
    await anna.reply(session, 0, asked.proposal_id, True)
    assert left(await anna.see(session))[0] == (50_000, True)


@pytest.mark.parametrize("first", ["sweep", "act"])
async def test_time_in_which_the_server_was_away_is_given_back(table: Table, first: str) -> None:
    anna, _, session = await timed(table, TOTAL)
    await table.pass_s(8)
    table.clock.pass_s(600)
    await table.restart()
    if first == "sweep":
        await table.pass_s(1)
        assert left(await anna.see(session))[0][0] == 52_000
        assert (await anna.see(session)).session.state == sessions_pb2.Session.STATE_RUNNING
        await table.pass_s(40)
        await anna.act(session, 0)
        assert 12_000 <= left(await anna.see(session))[0][0] <= 14_000
    else:
        await anna.act(session, 0)
        assert left(await anna.see(session))[0][0] == 54_000
        entries = await table.wiring.rebuilds.entries(session)
        assert [e.credited.time_ms for e in entries if e.HasField("credited")] == [600_000]


async def test_a_computers_clock_runs_too(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy", clock=TOTAL)
    await anna.act(session.id, 0)
    await table.until_asked()
    table.clock.pass_s(1)
    await table.computer_moves()
    assert left(await anna.see(session.id))[1] == (61_000, False)


async def test_a_turn_whose_undo_came_begins_anew(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy", clock=PER_TURN)
    await table.pass_s(20)
    await anna.act(session.id, 0)
    await anna.undo(session.id, 0, to_plies=0)
    assert left(await anna.see(session.id))[0] == (30_000, True)
