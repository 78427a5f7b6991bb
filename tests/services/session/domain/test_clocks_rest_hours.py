"""Clocks in games in which rest hours do not count, from Monday noon on."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from brettwerk.v1 import play_pb2, record_pb2, rest_hours_pb2, sessions_pb2
from services.session.domain.state import State
from services.session.store import store
from services.sharding.shards import shard_key, shard_of
from tests.services.session.newer_release import commands
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import two

DAY_MS, HOUR_MS, HOUR_S = 86_400_000, 3_600_000, 3600
BERLIN = ZoneInfo("Europe/Berlin")
NIGHTS = rest_hours_pb2.RestHours(time_zone="Europe/Berlin", night_from=22 * 60, night_until=8 * 60, weekends=True)
_Kind = sessions_pb2.Happening


def ms(day: int, hour: int, minute: int = 0) -> int:
    """Return a moment in September 2026 by the clocks of Berlin."""
    return round(datetime(2026, 9, day, hour, minute, tzinfo=BERLIN).timestamp() * 1000)


def per_turn(days: int = 1, **fields: Any) -> record_pb2.ClockSpec:
    return record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=days * DAY_MS, rest_hours=True, **fields)


def bank() -> record_pb2.ClockSpec:
    return record_pb2.ClockSpec(
        kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=DAY_MS, increment_ms=6 * HOUR_MS, cap_ms=2 * DAY_MS, rest_hours=True
    )


@pytest.fixture(autouse=True)
def monday_noon(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "OUTAGE_MS", 100 * DAY_MS)  # moments at which nothing happens are skipped; that is no outage
    table.clock.now_ms = ms(21, 12)


async def rest(player: Player, session: str, seat: int, hours: rest_hours_pb2.RestHours = NIGHTS) -> int:
    request = rest_hours_pb2.SetRestHoursRequest(
        session_id=session, seat_token=player.token(session, seat), hours=hours, request_id=request_id()
    )
    response: rest_hours_pb2.SetRestHoursResponse = await player.ask(set_rest_hours=request)
    return response.version


async def hours_of(player: Player, session: str, seat: int) -> rest_hours_pb2.GetRestHoursResponse:
    request = rest_hours_pb2.GetRestHoursRequest(session_id=session, seat_token=player.token(session, seat))
    response: rest_hours_pb2.GetRestHoursResponse = await player.ask(get_rest_hours=request)
    return response


async def go_to(table: Table, now_ms: int) -> None:
    table.clock.now_ms = now_ms
    await table.sweep()
    await table.sweep()


async def test_a_turn_of_a_day_lasts_until_its_hours_are_used_and_others_see_only_that(table: Table) -> None:
    anna, ben, session = await two(table, clock=per_turn())
    await rest(anna, session, 0)
    update = await ben.see(session, 1)
    assert (update.happening.kind, update.happening.concerned_seat) == (_Kind.KIND_REST_HOURS, 0)
    # Ten hours of Monday and fourteen of Tuesday.
    assert update.at_ms + update.clocks[0].left_ms == ms(22, 22)
    assert b"Berlin" not in update.SerializeToString()
    await go_to(table, ms(22, 3))
    (turn,) = (await ben.ask(list_sessions=play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE))).turns
    assert turn.clocks[0].left_ms == ms(22, 22) - ms(22, 3), "a clock that stood still at night would tell when that is"
    await go_to(table, ms(22, 21, 59))
    assert (await anna.see(session)).session.plies == 0
    await go_to(table, ms(22, 22))
    assert (await anna.see(session)).happening.cause == record_pb2.Acted.CAUSE_TIME


async def test_a_bank_loses_only_the_hours_that_count(table: Table) -> None:
    anna, ben, session = await two(table, clock=bank())
    await rest(anna, session, 0)
    await go_to(table, ms(22, 9))
    await anna.act(session, 0)
    # Ten hours of Monday and one of Tuesday are used, and six come back.
    assert (await ben.see(session)).clocks[0].left_ms == (24 - 11 + 6) * HOUR_MS
    assert (await ben.see(session)).clocks[1].left_ms == DAY_MS, "the other player's hours all count"


async def test_a_weekend_and_a_vacation_move_the_time_at_which_it_is_over_and_the_store_is_told(table: Table) -> None:
    anna, _, session = await two(table, clock=per_turn(5))
    await rest(anna, session, 0)
    due = shard_key(shard_of(session), "due")
    # 10 + 4 * 14 = 66 hours by Friday night, 54 are left: Monday to Wednesday have 42, and 12 are Thursday's.
    assert await commands(table).zscore(due, session) == ms(21, 12) + (await anna.see(session)).clocks[0].left_ms
    assert await commands(table).zscore(due, session) == round(datetime(2026, 10, 1, 20, tzinfo=BERLIN).timestamp() * 1000)
    taken = await anna.take_vacation(session, 0, 1)
    # From Tuesday noon on: 10 hours of that day, 42 by Friday, 42 by Wednesday, 14 on Thursday and 12 on Friday.
    assert taken.until_ms == ms(22, 12)
    assert await commands(table).zscore(due, session) == round(datetime(2026, 10, 2, 20, tzinfo=BERLIN).timestamp() * 1000)


async def test_a_killed_process_forgets_neither_the_hours_nor_when_time_is_over(table: Table) -> None:
    anna, ben, session = await two(table, clock=bank())
    await rest(anna, session, 0)
    await rest(ben, session, 1, rest_hours_pb2.RestHours(time_zone="Pacific/Auckland", night_from=60, night_until=420))
    for turn in range(18):  # beyond the versions of which a state is stored
        await go_to(table, table.clock.now_ms + HOUR_MS)
        await (anna, ben)[turn % 2].act(session, turn % 2)
        if turn % 2:
            asked = await anna.propose(session, 0, undo_to_plies=0)
            await ben.reply(session, 1, asked.proposal_id, True)
    before = (await table.wiring.session_cache.newest(session)).state
    assert State.decode(before.encode()) == before
    assert before.seats[0].rest_hours == NIGHTS
    await table.kill(0)
    assert (await table.wiring.session_cache.newest(session)).state == before
    assert (await hours_of(anna, session, 0)).hours == NIGHTS


async def test_the_log_and_the_record_tell_when_time_was_over_and_not_in_which_zone(table: Table) -> None:
    anna, ben, session = await two(table, clock=per_turn())
    await rest(anna, session, 0)
    await go_to(table, ms(22, 9))
    await anna.act(session, 0)
    await ben.resign(session, 1)
    record = await anna.export(session)
    assert b"Berlin" not in record.SerializeToString()
    (entry,) = (entry for entry in record.entries if entry.HasField("rest_hours_set"))
    assert list(entry.deadlines_ms) == [ms(22, 22)]
    (entry,) = (entry for entry in record.entries if entry.acted.ply.action.value)
    assert list(entry.used_ms) == [11 * HOUR_MS]
    checked = await anna.ask(check_record=play_pb2.CheckRecordRequest(record=record))
    assert checked.verification.good, checked.verification.fault


async def test_updates_made_again_from_the_log_are_those_that_watchers_received(table: Table) -> None:
    anna, ben, session = await two(table, clock=per_turn())
    await rest(anna, session, 0)
    seen = await ben.see(session, 1)
    await go_to(table, ms(22, 9))
    await anna.act(session, 0)
    await table.restart()
    request = play_pb2.ListUpdatesRequest(
        session_id=session, seat_token=ben.token(session, 1), from_version=seen.version, page_size=1
    )
    (update,) = (await ben.ask(list_updates=request)).updates
    assert (update.version, list(update.clocks)) == (seen.version, list(seen.clocks))


async def test_hours_are_set_for_a_week_once_the_game_has_begun_and_before_as_often_as_one_likes(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", clock=per_turn())).id
    other = rest_hours_pb2.RestHours(time_zone="Asia/Tokyo", night_from=0, night_until=8 * 60)
    await rest(anna, session, 0, other)
    await rest(anna, session, 0)
    assert not (await hours_of(anna, session, 0)).set_until_ms
    await ben.join(session)
    version = (await anna.see(session)).version
    assert await rest(anna, session, 0) == version, "they are what they were"
    with refused("REST_HOURS") as caught:
        await rest(anna, session, 0, other)
    assert caught.value.refusal.details["rest_hours"] == "week"
    assert (await hours_of(anna, session, 0)).set_until_ms == ms(28, 12)
    await go_to(table, ms(28, 12))
    await rest(anna, session, 0, other)
    assert (await hours_of(anna, session, 0)).hours == other


async def test_hours_are_told_to_nobody_else_and_go_with_their_player(table: Table) -> None:
    anna, ben, session = await two(table, clock=per_turn())
    await rest(anna, session, 0)
    with refused("NOT_YOUR_SEAT"):
        await ben.ask(get_rest_hours=rest_hours_pb2.GetRestHoursRequest(session_id=session, seat_token="x" * 20))
    assert not (await hours_of(ben, session, 1)).HasField("hours")
    await anna.join(session, 0)  # on another device
    assert (await hours_of(anna, session, 0)).hours == NIGHTS
    await anna.set_seat(session, 0, "easy", by=0)
    assert (await table.wiring.session_cache.newest(session)).state.seats[0].rest_hours is None


async def test_where_all_hours_count_none_can_be_set_and_fast_or_boundless_clocks_have_none(table: Table) -> None:
    anna, _, session = await two(table, clock=record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=DAY_MS))
    with refused("REST_HOURS") as caught:
        await rest(anna, session, 0)
    assert caught.value.refusal.details["rest_hours"] == "table"
    fast, boundless = per_turn(), bank()
    fast.time_ms, boundless.cap_ms = DAY_MS - 1, 0
    for clock in (fast, boundless):
        with refused("MALFORMED") as caught:
            await anna.create("me", "open", clock=clock)
        assert caught.value.refusal.field == "clock.rest_hours"
