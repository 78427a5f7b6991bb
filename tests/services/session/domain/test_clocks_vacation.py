"""Vacation: clocks over days that stand still."""

import random
from typing import Any

import pytest

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from services.session.domain import clocks
from services.session.domain.clocks import LEAD_MS
from services.session.domain.state import State
from services.session.store import store
from services.sharding.shards import shard_key, shard_of
from tests.services.session.newer_release import commands
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import two

DAY_MS = 86_400_000
DAY_S = 86_400
_Kind = sessions_pb2.Happening


def slow(days: int = 3, **fields: Any) -> record_pb2.ClockSpec:
    return record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=days * DAY_MS, **fields)


@pytest.fixture(autouse=True)
def skipping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "OUTAGE_MS", 100 * DAY_MS)  # moments at which nothing happens are skipped; that is no outage


async def go_by(table: Table, seconds: float) -> None:
    """Let time go by in one step, after which somebody sweeps until nothing is due any more."""
    table.clock.pass_s(seconds)
    await table.sweep()
    await table.sweep()


async def clocks_of(player: Player, session: str, seat: int) -> list[tuple[float, bool, float, float]]:
    """Return what the clocks show in a list: days left, whether they run, days of vacation from now, and days for later."""
    request = play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE)
    listed = await player.ask(list_sessions=request)
    (turn,) = (turn for one, turn in zip(listed.sessions, listed.turns, strict=True) if one.id == session)
    clock, now = turn.clocks[seat], player.table.clock.now_ms
    on = max(0, clock.vacation_until_ms - now)
    return [(clock.left_ms / DAY_MS, clock.running, on / DAY_MS, clock.vacation_left_ms / DAY_MS)]


async def test_a_slow_clock_has_two_weeks_unless_the_request_says_otherwise(table: Table) -> None:
    anna = table.player("Anna")
    for clock, days in ((slow(), 14), (slow(vacation_days=0), 0), (slow(vacation_days=60), 60), (slow(1), 14)):
        session = await anna.create("me", "open", clock=clock)
        assert session.clock.vacation_days == days
        assert session.clock.HasField("vacation_days")
    fast = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=DAY_MS - 1)
    assert not (await anna.create("me", "open", clock=fast)).clock.HasField("vacation_days")
    fast.vacation_days = 1
    with refused("MALFORMED") as caught:
        await anna.create("me", "open", clock=fast)
    assert caught.value.refusal.field == "clock.vacation_days"


async def test_the_clock_of_a_player_on_vacation_stands_still_until_then(table: Table) -> None:
    anna, _, session = await two(table, clock=slow())
    await go_by(table, DAY_S)
    taken = await anna.take_vacation(session, 0, 5)
    assert taken.until_ms == table.clock.now_ms + 5 * DAY_MS
    assert taken.left_ms == 9 * DAY_MS
    update = await anna.see(session)
    assert (update.happening.kind, update.happening.seat) == (_Kind.KIND_VACATION, 1)
    assert update.clocks[0].vacation_until_ms == taken.until_ms
    await go_by(table, 4 * DAY_S)
    assert await clocks_of(anna, session, 0) == [(2, True, 1, 9)]
    await go_by(table, 2 * DAY_S)
    assert await clocks_of(anna, session, 0) == [(1, True, 0, 9)]
    await go_by(table, DAY_S + 1)
    late = await anna.see(session)
    assert (late.happening.kind, late.happening.cause) == (_Kind.KIND_ACTED, record_pb2.Acted.CAUSE_TIME)


async def test_a_waiting_player_can_go_and_their_next_turn_has_all_its_time_afterwards(table: Table) -> None:
    anna, ben, session = await two(table, clock=slow())
    await ben.take_vacation(session, 1, 2)
    await go_by(table, DAY_S)
    await anna.act(session, 0)
    await go_by(table, 3 * DAY_S)  # one of them is vacation
    assert await clocks_of(ben, session, 1) == [(1, True, 0, 12)]


async def test_a_move_is_allowed_and_ends_no_vacation(table: Table) -> None:
    anna, ben, session = await two(table, clock=slow())
    until_ms = (await anna.take_vacation(session, 0, 10)).until_ms
    await go_by(table, DAY_S)
    await anna.act(session, 0)
    await ben.act(session, 1)
    assert (await anna.see(session)).clocks[0].vacation_until_ms == until_ms
    await go_by(table, 9 * DAY_S)
    assert await clocks_of(anna, session, 0) == [(3, True, 0, 4)]


async def test_the_rest_of_a_vacation_comes_back_when_it_ends_early_or_is_taken_anew(table: Table) -> None:
    anna, _, session = await two(table, clock=slow())
    await anna.take_vacation(session, 0, 14)
    await go_by(table, 1.25 * DAY_S)
    assert (await anna.take_vacation(session, 0, 2)).left_ms == 10.75 * DAY_MS
    await go_by(table, 0.5 * DAY_S)
    ended = await anna.take_vacation(session, 0, 0)
    assert (ended.until_ms, ended.left_ms) == (0, 12.25 * DAY_MS)
    assert (await anna.see(session)).happening.kind == _Kind.KIND_VACATION_ENDED
    await go_by(table, DAY_S)
    assert await clocks_of(anna, session, 0) == [(2, True, 0, 12.25)]
    again = await anna.take_vacation(session, 0, 0)
    assert again.version == ended.version, "there was nothing to end"


async def test_of_the_last_day_a_seat_gets_what_is_left_of_it_and_no_more(table: Table) -> None:
    anna, _, session = await two(table, clock=slow(30, vacation_days=2))
    await anna.take_vacation(session, 0, 1)
    await go_by(table, 0.5 * DAY_S)
    await anna.take_vacation(session, 0, 0)
    with refused("NO_VACATION") as caught:
        await anna.take_vacation(session, 0, 3)
    assert caught.value.refusal.details["left_ms"] == str(int(1.5 * DAY_MS))
    last = await anna.take_vacation(session, 0, 2)
    assert (last.until_ms - table.clock.now_ms, last.left_ms) == (1.5 * DAY_MS, 0)
    await go_by(table, 2 * DAY_S)
    with refused("NO_VACATION"):
        await anna.take_vacation(session, 0, 1)


async def test_there_is_none_without_a_slow_clock_before_the_start_or_after_the_end(table: Table) -> None:
    anna, ben, session = await two(table)
    with refused("NO_VACATION"):
        await anna.take_vacation(session, 0, 1)
    waiting = (await anna.create("me", "open", clock=slow())).id
    with refused("NOT_RUNNING"):
        await anna.take_vacation(waiting, 0, 1)
    with refused("NOT_YOUR_SEAT"):
        await ben.ask(
            take_vacation=play_pb2.TakeVacationRequest(
                session_id=waiting, seat_token=ben.token(session), days=1, request_id=request_id()
            )
        )
    await ben.join(waiting)
    await ben.resign(waiting, 1)
    with refused("GAME_OVER"):
        await anna.take_vacation(waiting, 0, 1)


async def test_a_vacation_goes_with_its_player_and_its_rest_stays_with_the_seat(table: Table) -> None:
    anna, _, session = await two(table, clock=slow())
    await anna.take_vacation(session, 0, 10)
    await go_by(table, DAY_S)
    await anna.join(session, 0)  # on another device
    assert await clocks_of(anna, session, 0) == [(3, True, 9, 4)]
    await anna.set_seat(session, 0, "easy", by=0)
    assert (await anna.see(session)).clocks[0].vacation_until_ms == 0
    assert (await anna.see(session)).clocks[0].vacation_left_ms == 13 * DAY_MS


async def test_an_outage_gives_nothing_back_for_time_in_which_the_clock_stood(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    anna, _, session = await two(table, clock=slow())
    await anna.take_vacation(session, 0, 2)
    table.clock.pass_s(3 * DAY_S)
    await table.restart()
    await anna.take_vacation(session, 0, 0)  # it is over; whatever is asked for, time has its say first
    assert await clocks_of(anna, session, 0) == [(3, True, 0, 12)], "two days were vacation, one was given back"
    entries = await table.wiring.rebuilds.entries(session)
    assert [e.credited.time_ms for e in entries if e.HasField("credited")] == [DAY_MS]


async def test_the_due_time_is_after_the_vacation_and_a_process_that_takes_over_knows_it(table: Table) -> None:
    anna, ben, session = await two(table, clock=slow())
    taken = await anna.take_vacation(session, 0, 14)
    assert await commands(table).zscore(shard_key(shard_of(session), "due"), session) == taken.until_ms + 3 * DAY_MS
    before = (await table.wiring.session_cache.newest(session)).state
    assert State.decode(before.encode()) == before
    await table.restart()
    after = (await table.wiring.session_cache.newest(session)).state
    assert after == before
    await go_by(table, 16 * DAY_S)
    await anna.act(session, 0)
    await ben.act(session, 1)


async def test_a_record_with_vacations_verifies_and_a_fork_has_all_of_it_again(table: Table) -> None:
    anna, ben, session = await two(table, clock=slow())
    await anna.take_vacation(session, 0, 3)
    await anna.act(session, 0)
    await ben.take_vacation(session, 1, 1)
    asked = await anna.propose(session, 0, help=True)
    await ben.reply(session, 1, asked.proposal_id, True)
    fork = play_pb2.ForkSessionRequest(session_id=session, at_version=5, request_id=request_id())
    forked = (await anna.ask(fork_session=fork)).session
    assert forked.clock.vacation_days == 14
    await ben.resign(session, 1)
    record = await anna.export(session)
    kinds = [entry.WhichOneof("change") for entry in record.entries]
    assert kinds.count("vacation_taken") == 2
    checked = await anna.ask(check_record=play_pb2.CheckRecordRequest(record=record))
    assert checked.verification.good, checked.verification.fault


@pytest.mark.parametrize("dice", range(5))
async def test_no_seat_ever_has_more_vacation_than_the_game_gives(table: Table, dice: int) -> None:
    """A seat's clock stands still for its days altogether and loses all other time, whatever is taken, ended and taken anew."""
    chance = random.Random(dice)
    anna, _, session = await two(table, clock=slow(30, vacation_days=7))
    start = table.clock.now_ms
    for _ in range(12):
        step_s = chance.uniform(0, 2 * DAY_S)
        await go_by(table, step_s)
        left_ms = (await anna.see(session)).clocks[0].vacation_left_ms
        days = chance.randint(0, 7)
        if days * DAY_MS <= left_ms + DAY_MS - 1:
            await anna.take_vacation(session, 0, days)
    await go_by(table, 8 * DAY_S)
    ((left_days, _, _, for_later),) = await clocks_of(anna, session, 0)
    stood_days = (table.clock.now_ms - start) / DAY_MS - (30 - left_days)
    assert 0 <= for_later <= 7
    assert stood_days == pytest.approx(7 - for_later)


async def test_a_vacation_begins_by_itself_an_hour_before_time_is_up_and_ends_with_the_seats_next_action(table: Table) -> None:
    anna, ben, session = await two(table, clock=slow(vacation_days=5, automatic_vacation=True))
    due = shard_key(shard_of(session), "due")
    assert await commands(table).zscore(due, session) == table.clock.now_ms + 3 * DAY_MS - LEAD_MS
    await go_by(table, 3 * DAY_S - LEAD_MS / 1000 - 1)
    assert (await anna.see(session)).clocks[0].vacation_until_ms == 0
    await go_by(table, 1)
    began, seen = table.clock.now_ms, await ben.see(session, 1)
    assert (seen.happening.kind, seen.happening.concerned_seat) == (_Kind.KIND_VACATION, 0)
    clock = seen.clocks[0]
    assert (clock.vacation_until_ms, clock.vacation_left_ms, clock.vacation_automatic) == (began + 5 * DAY_MS, 0, True)
    await go_by(table, 2 * DAY_S)
    await anna.act(session, 0)
    clock = (await ben.see(session)).clocks[0]
    assert (clock.vacation_until_ms, clock.vacation_left_ms, clock.vacation_automatic) == (0, 3 * DAY_MS, False)


async def test_a_player_who_does_not_come_back_from_it_has_an_hour_more_and_then_time_is_up(table: Table) -> None:
    anna, _, session = await two(table, clock=slow(vacation_days=2, automatic_vacation=True))
    await go_by(table, 3 * DAY_S - LEAD_MS / 1000)
    await go_by(table, 2 * DAY_S + LEAD_MS / 1000 - 1)
    assert (await anna.see(session)).session.plies == 0
    await go_by(table, 1)
    late = await anna.see(session)
    assert (late.happening.kind, late.happening.cause) == (_Kind.KIND_ACTED, record_pb2.Acted.CAUSE_TIME)


async def test_none_begins_by_itself_without_days_for_a_computer_or_where_the_table_refuses_it(table: Table) -> None:
    anna, _, session = await two(table, clock=slow(vacation_days=5))
    await go_by(table, 3 * DAY_S)
    assert (await anna.see(session)).happening.cause == record_pb2.Acted.CAUSE_TIME
    with refused("MALFORMED") as caught:
        await anna.create("me", "open", clock=slow(vacation_days=0, automatic_vacation=True))
    assert caught.value.refusal.field == "clock.automatic_vacation"
    alone = (await anna.create("easy", "me", clock=slow(automatic_vacation=True))).id
    state = (await table.wiring.session_cache.newest(alone)).state
    assert not clocks.goes_on_vacation(state, 0)
    assert clocks.goes_on_vacation(state, 1)


async def test_one_that_began_by_itself_is_changed_and_ended_like_any_other_and_survives_a_killed_process(table: Table) -> None:
    anna, _, session = await two(table, clock=slow(vacation_days=5, automatic_vacation=True))
    await go_by(table, 3 * DAY_S - LEAD_MS / 1000)
    before = (await table.wiring.session_cache.newest(session)).state
    assert before.seats[0].vacation_automatic
    await table.kill(0)
    assert (await table.wiring.session_cache.newest(session)).state == before
    assert (await anna.take_vacation(session, 0, 2)).left_ms == 3 * DAY_MS
    await anna.act(session, 0)
    assert (await anna.see(session)).clocks[0].vacation_until_ms, "a move ends no vacation that was taken"


async def test_a_bank_that_is_nearly_empty_begins_a_turn_on_vacation(table: Table) -> None:
    bank = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=DAY_MS, cap_ms=DAY_MS, automatic_vacation=True)
    anna, ben, session = await two(table, clock=bank)
    await go_by(table, DAY_S - LEAD_MS / 1000 - 60)
    await anna.act(session, 0)
    await ben.act(session, 1)
    await go_by(table, 120)
    assert (await anna.see(session)).clocks[0].vacation_automatic
