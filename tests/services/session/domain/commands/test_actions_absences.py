"""Absences: who can be reminded, and whose time can be claimed."""

from typing import Any

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2, play_pb2, record_pb2, sessions_pb2
from services.session.domain.clocks import UNCLAIMED_MS
from services.session.domain.commands.actions import EARLY_MS
from services.session.store import store
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import two

DAY_MS, DAY_S = 86_400_000, 86_400
_Kind = sessions_pb2.Happening


@pytest.fixture(autouse=True)
def skipping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "OUTAGE_MS", 100 * DAY_MS)  # moments at which nothing happens are skipped; that is no outage


def bank(**fields: Any) -> record_pb2.ClockSpec:
    return record_pb2.ClockSpec(
        kind=record_pb2.ClockSpec.KIND_TOTAL,
        time_ms=2 * DAY_MS,
        increment_ms=DAY_MS // 4,
        cap_ms=3 * DAY_MS,
        claims=True,
        **fields,
    )


async def nudge(player: Player, session: str, seat: int) -> play_pb2.NudgeResponse:
    request = play_pb2.NudgeRequest(session_id=session, seat_token=player.token(session, seat), request_id=request_id())
    response: play_pb2.NudgeResponse = await player.ask(nudge=request)
    return response


async def claim(player: Player, session: str, seat: int, claimed: int) -> play_pb2.ClaimTimeResponse:
    request = play_pb2.ClaimTimeRequest(
        session_id=session, seat_token=player.token(session, seat), claimed_seat=claimed, request_id=request_id()
    )
    response: play_pb2.ClaimTimeResponse = await player.ask(claim_time=request)
    return response


async def go_by(table: Table, ms: float) -> None:
    table.clock.pass_s(ms / 1000)
    await table.sweep()
    await table.sweep()


def noted(table: Table) -> list[tuple[str, news_pb2.News.Kind.ValueType]]:
    """Return whom the last news are for, and their kinds, and forget them."""
    waiting = table.wiring.news_sender._waiting
    found = [(one.player_id, one.news.kind) for one in waiting if isinstance(one, players_pb2.NotedNews)]
    waiting.clear()
    return found


@pytest.mark.parametrize("clock", [None, record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=3 * DAY_MS)])
async def test_a_player_who_is_to_act_is_reminded_once_in_a_turn(table: Table, clock: record_pb2.ClockSpec | None) -> None:
    anna, ben, session = await two(table, clock=clock)
    await go_by(table, EARLY_MS)
    noted(table)
    answer = await nudge(ben, session, 1)
    assert list(answer.nudged_seats) == [0]
    assert noted(table) == [("p-anna", news_pb2.News.KIND_NUDGED)]
    seen = await anna.see(session, 0)
    assert (seen.happening.kind, seen.happening.concerned_seat) == (_Kind.KIND_NUDGED, 1)
    assert seen.session.seats[0].nudged
    await go_by(table, EARLY_MS)
    with refused("NUDGE") as caught:
        await nudge(ben, session, 1)
    assert caught.value.refusal.details["nudge"] == "nobody"
    await anna.act(session, 0)
    assert not (await anna.see(session)).session.seats[0].nudged
    await ben.act(session, 1)
    await go_by(table, EARLY_MS)
    assert list((await nudge(ben, session, 1)).nudged_seats) == [0], "it is another turn"


async def test_there_are_no_reminders_early_on_vacation_of_oneself_or_in_fast_games(table: Table) -> None:
    fast = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=DAY_MS - 1)
    anna, ben, session = await two(table, clock=fast)
    with refused("NUDGE") as caught:
        await nudge(ben, session, 1)
    assert caught.value.refusal.details["nudge"] == "clock"
    anna, ben, session = await two(table, clock=bank())
    await go_by(table, EARLY_MS - 1)
    with refused("NUDGE") as caught:
        await nudge(ben, session, 1)
    assert caught.value.refusal.details["nudge"] == "early"
    await go_by(table, 1)
    await anna.take_vacation(session, 0, 1)
    await go_by(table, EARLY_MS)
    for player, seat in ((ben, 1), (anna, 0)):
        with refused("NUDGE") as caught:
            await nudge(player, session, seat)
        assert caught.value.refusal.details["nudge"] == "nobody"


async def test_a_reminder_survives_a_killed_process(table: Table) -> None:
    anna, ben, session = await two(table)
    await go_by(table, EARLY_MS)
    await nudge(ben, session, 1)
    before = (await table.wiring.session_cache.newest(session)).state
    await table.kill(0)
    assert (await table.wiring.session_cache.newest(session)).state == before
    assert (await anna.see(session)).session.seats[0].nudged


async def test_a_seat_whose_time_is_up_plays_on_until_somebody_claims_it(table: Table) -> None:
    anna, ben, session = await two(table, clock=bank(vacation_days=0))
    with refused("CLAIM") as caught:
        await claim(ben, session, 1, 0)
    assert caught.value.refusal.details["claim"] == "left"
    await go_by(table, 2 * DAY_MS + 5000)
    assert (await ben.see(session)).clocks[0].left_ms > 0, "an update says what was left when it was made"
    await anna.act(session, 0)
    assert (await ben.see(session)).clocks[0].left_ms == DAY_MS // 4
    await ben.act(session, 1)
    await go_by(table, DAY_MS // 4)
    with refused("CLAIM") as caught:
        await claim(anna, session, 0, 0)
    assert caught.value.refusal.details["claim"] == "seat"
    await claim(ben, session, 1, 0)
    update = await ben.see(session)
    assert (update.happening.kind, update.happening.cause) == (_Kind.KIND_FLAGGED, record_pb2.Acted.CAUSE_TIME)
    assert list(update.session.outcome.winners) == [1]


async def test_time_that_nobody_claims_ends_the_game_two_weeks_later_also_after_a_killed_process(table: Table) -> None:
    anna, _, session = await two(table, clock=bank(vacation_days=0))
    await go_by(table, 2 * DAY_MS + UNCLAIMED_MS - 1000)
    assert (await anna.see(session)).session.state == sessions_pb2.Session.STATE_RUNNING
    await table.kill(0)
    await go_by(table, 1000)
    assert (await anna.see(session)).happening.kind == _Kind.KIND_FLAGGED


async def test_only_a_slow_time_for_the_whole_game_is_claimed(table: Table) -> None:
    anna, ben, session = await two(table, clock=record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=DAY_MS))
    with refused("CLAIM") as caught:
        await claim(ben, session, 1, 0)
    assert caught.value.refusal.details["claim"] == "clock"
    fast = bank()
    fast.time_ms = DAY_MS - 1
    for clock in (fast, record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=DAY_MS, claims=True)):
        with refused("MALFORMED") as caught:
            await anna.create("me", "open", clock=clock)
        assert caught.value.refusal.field == "clock.claims"
