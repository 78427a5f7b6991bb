"""Series of tournaments: made one after the other, joined as a whole, counted, cancelled, and survived by what is over."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Table

from brettwerk.v1 import news_pb2, series_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players import whole_account
from services.players.calls import Caller
from services.players.news import feed
from services.players.opponents import blocks
from services.players.tournaments import series_course
from services.players.tournaments.series_tables import SERIES, SERIES_PLAYERS, SERIES_RESULTS
from services.players.tournaments.tournament_rows import KEPT_MS
from services.runtime.time_zones import zone_of
from tests.night import by_day
from tests.services.players.tournaments.place import CLOCK, KNOCK_OUT, ONE_AGAINST_MANY, ROUND_ROBIN, Place, callers
from tests.services.players.tournaments.test_killed import kill
from tests.services.players.tournaments.test_tournaments import refused

DAY_S = 86_400
FOUR = callers(4)
ADA, BOB, CLEO, DAN = FOUR
Series, State = series_pb2.Series, pb.Tournament
NOBODY = Caller("", "", "")


async def create(place: Place, caller: Caller = ADA, **fields: Any) -> series_pb2.Series:
    """Return a weekly series of three round robins, the first of which starts in an hour."""
    kind = fields.pop("kind", ROUND_ROBIN)
    starts_at_ms = fields.pop("starts_at_ms", place.clock() + 3_600_000)
    settings = {"name": "Monday league", "game": "einstein", "clock": CLOCK, "kind": kind, "starts_at_ms": starts_at_ms}
    wanted = pb.CreateTournamentRequest(**settings, public=fields.pop("public", True), club_id=fields.pop("club_id", ""))
    asked = {"count": 3, "every_days": 7, "points": Series.POINTS_PLACES, "request_id": "series-1234", **fields}
    request = series_pb2.CreateSeriesRequest(tournament=wanted, **asked)
    made: series_pb2.Series = (await place.one.ask("create_series", caller, request)).series
    return made


async def ask(place: Place, name: str, series: series_pb2.Series, caller: Caller) -> series_pb2.Series:
    request = getattr(series_pb2, f"{name.title()}SeriesRequest")(series_id=series.series_id)
    after: series_pb2.Series = (await place.one.ask(f"{name}_series", caller, request)).series
    return after


async def get(place: Place, series: series_pb2.Series, caller: Caller = NOBODY) -> series_pb2.GetSeriesResponse:
    request = series_pb2.GetSeriesRequest(series_id=series.series_id)
    whole: series_pb2.GetSeriesResponse = await place.one.ask("get_series", caller, request)
    return whole


async def newest(place: Place, series: series_pb2.Series) -> pb.Tournament:
    return (await get(place, series)).tournaments[0].tournament


async def play(place: Place, tournament: pb.Tournament) -> None:
    """Play a tournament to its end: the first in the list wins."""
    for _ in range(8):
        await place.one.work()
        await place.play(tournament, min)
    await place.other.work()


async def test_a_series_is_played_over_weeks_with_all_who_have_joined_it_once(place: Place):
    series = await create(place, best=2)
    assert (series.made, series.state) == (1, Series.STATE_RUNNING)
    assert series.next_at_ms == place.clock() + 3_600_000 + 7 * DAY_S * 1000
    for one in FOUR[:3]:
        await ask(place, "join", series, one)
    assert (await ask(place, "join", series, BOB)).players == 3  # a repeat
    place.clock.wait(3600)
    for number in (1, 2, 3):
        await place.one.work()
        found = (await get(place, series)).tournaments
        assert [one.number for one in found] == [*range(min(number + 1, 3), 0, -1)]
        current = next(one.tournament for one in found if one.number == number)
        assert (current.state, current.players, current.series_id) == (State.STATE_RUNNING, 3, series.series_id)
        await play(place, current)
        place.clock.wait(7 * DAY_S)
    await place.one.work()
    whole = await get(place, series, CLEO)
    assert (whole.series.state, whole.series.made, whole.series.next_at_ms, whole.series.joined) == (3 - 1, 3, 0, True)
    first = whole.rows[0]
    assert [(one.place, one.points) for one in whole.rows] == [(1, 50), (2, 36), (3, 30)]
    assert [(one.number, one.place, one.points, one.counts) for one in first.results] == [
        (1, 1, 25, True),
        (2, 1, 25, True),
        (3, 1, 25, False),
    ]
    starts = [one.tournament.starts_at_ms for one in whole.tournaments]
    assert starts[0] - starts[1] == starts[1] - starts[2] == 7 * DAY_S * 1000


async def test_the_next_tournament_starts_though_slow_games_of_the_one_before_go_on(place: Place):
    series = await create(place, points=Series.POINTS_SUM)
    for one in FOUR:
        await ask(place, "join", series, one)
    place.clock.wait(3600)
    await place.one.work()
    place.clock.wait(7 * DAY_S)
    await place.one.work()
    states = [one.tournament.state for one in (await get(place, series)).tournaments]
    assert states == [State.STATE_OPEN, State.STATE_RUNNING, State.STATE_RUNNING]
    assert (await get(place, series)).series.state == Series.STATE_RUNNING


async def test_a_tournament_of_a_series_is_joined_by_itself_too_and_counts(place: Place):
    series = await create(place, points=Series.POINTS_SUM)
    await ask(place, "join", series, ADA)
    tournament = await newest(place, series)
    await place.one.join(tournament, BOB, CLEO)
    place.clock.wait(3600)
    await place.one.work()
    assert (await newest(place, series)).players == 1
    await play(place, tournament)
    rows = (await get(place, series)).rows
    assert sorted(one.player.player_id for one in rows) == sorted(one.player_id for one in FOUR[:3])
    assert [one.points for one in rows] == [2, 1, 0]


async def test_leaving_a_series_leaves_the_open_tournament_and_no_other_is_joined(place: Place):
    series = await create(place)
    for one in FOUR:
        await ask(place, "join", series, one)
    place.clock.wait(3600)
    await place.one.work()
    after = await ask(place, "leave", series, DAN)
    assert (after.joined, after.players) == (False, 3)
    opened, started = (one.tournament for one in (await get(place, series)).tournaments)
    assert (opened.players, started.players) == (3, 4)
    place.clock.wait(7 * DAY_S)
    await place.one.work()
    assert (await newest(place, series)).players == 3


async def test_a_cancelled_series_cancels_what_is_open_and_lets_what_runs_come_to_its_end(place: Place):
    series = await create(place)
    for one in FOUR[:3]:
        await ask(place, "join", series, one)
    place.clock.wait(3600)
    await place.one.work()
    with refused("TOURNAMENT", tournament="not_owner"):
        await ask(place, "cancel", series, BOB)
    assert (await ask(place, "cancel", series, ADA)).state == Series.STATE_CANCELLED
    assert (await ask(place, "cancel", series, ADA)).state == Series.STATE_CANCELLED
    opened, started = (one.tournament for one in (await get(place, series)).tournaments)
    assert (opened.state, started.state) == (State.STATE_CANCELLED, State.STATE_RUNNING)
    await play(place, started)
    place.clock.wait(30 * DAY_S)
    await place.one.work()
    whole = await get(place, series)
    assert len(whole.tournaments) == 2 and len(whole.rows) == 3
    page = await place.store.run(lambda connection: feed.page(connection, BOB.player_id, 0))
    kinds = [one.kind for one in page.news if one.kind != news_pb2.News.KIND_ROUND]
    assert sorted(kinds) == [news_pb2.News.KIND_TOURNAMENT_OVER, news_pb2.News.KIND_TOURNAMENT_CANCELLED]
    with refused("TOURNAMENT", tournament="cancelled"):
        await ask(place, "join", series, DAN)


async def test_tournaments_whose_start_has_passed_while_the_service_was_away_are_left_out(place: Place):
    series = await create(place, count=4)
    for one in FOUR[:2]:
        await ask(place, "join", series, one)
    place.clock.wait(3600 + 15 * DAY_S)
    await place.one.work()
    assert [one.number for one in (await get(place, series)).tournaments] == [4, 1]
    place.clock.wait(60 * DAY_S)
    for _ in range(4):
        await place.one.work()
        for each in (await get(place, series)).tournaments:
            await place.play(each.tournament, min)
    await place.one.work()
    assert (await get(place, series)).series.state == Series.STATE_FINISHED


STEPS = ["UPDATE players_series", "INSERT INTO players_tournaments", "INSERT INTO players_tournament_players"]


@pytest.mark.parametrize("step", by_day(STEPS, "INSERT INTO players_tournaments"))
async def test_a_process_killed_while_it_makes_a_tournament_leaves_each_of_them_once(place: Place, players_url: str, step: str):
    series = await create(place)
    for one in FOUR[:3]:
        await ask(place, "join", series, one)
    place.clock.wait(3600)
    await kill(place, players_url, "1", step)
    assert [one.number for one in (await get(place, series)).tournaments] == [1]
    for process in (place.one, place.other, place.one):
        await process.work()
    found = (await get(place, series)).tournaments
    assert [(one.number, one.tournament.players) for one in found] == [(2, 3), (1, 3)]


async def test_a_process_killed_while_it_counts_a_tournament_counts_it_once(place: Place, players_url: str):
    series = await create(place)
    for one in FOUR[:3]:
        await ask(place, "join", series, one)
    tournament = await newest(place, series)
    place.clock.wait(3600)
    for _ in range(3):
        await place.one.work()
        await place.play(tournament, min)
    await kill(place, players_url, "1", "INSERT INTO players_series_results")
    assert not (await get(place, series)).rows
    for process in (place.one, place.other):
        await process.work()
    rows = (await get(place, series)).rows
    assert [(one.place, one.points, len(one.results)) for one in rows] == [(1, 25, 1), (2, 18, 1), (3, 15, 1)]
    page = await place.store.run(lambda connection: feed.page(connection, BOB.player_id, 0))
    assert [one.kind for one in page.news].count(news_pb2.News.KIND_TOURNAMENT_OVER) == 1


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"count": 1}, "count"),
        ({"count": 53}, "count"),
        ({"every_days": 0}, "every_days"),
        ({"every_days": 32}, "every_days"),
        ({"points": 0}, "points"),
        ({"points": 9}, "points"),
        ({"best": 4}, "best"),
        ({"time_zone": "Europe/Nowhere"}, "time_zone"),
        ({"starts_at_ms": 0}, "starts_at_ms"),
        ({"starts_at_ms": 1}, "starts_at_ms"),
        ({"kind": ONE_AGAINST_MANY}, "kind"),
        ({"request_id": "short"}, "request_id"),
    ],
)
async def test_a_series_that_there_cannot_be_is_refused(place: Place, fields: dict[str, Any], field: str):
    with refused("MALFORMED", field=field):
        await create(place, **fields)


async def test_a_repeated_request_makes_one_series_and_bounds_hold(place: Place, monkeypatch: pytest.MonkeyPatch):
    first = await create(place)
    assert (await create(place)).series_id == first.series_id
    with refused("REQUEST_ID_REUSED"):
        await create(place, count=5)
    await create(place, request_id="series-5678")
    with refused("FULL", bound="own_series"):
        await create(place, request_id="series-9012")
    monkeypatch.setattr("services.players.tournaments.series.MAX_SERIES", 2)
    with refused("FULL", bound="series"):
        await create(place, BOB)
    monkeypatch.setattr("services.players.tournaments.series.MAX_JOINED", 0)
    with refused("FULL", bound="joined_series"):
        await ask(place, "join", first, BOB)
    for number in range(5):  # tournaments of series are no tournaments of one's own
        await place.one.create(ADA, request_id=f"tournament-{number}")


async def test_players_whom_the_owner_blocks_join_no_tournament_of_the_series(place: Place):
    series = await create(place)
    await ask(place, "join", series, BOB)
    await place.store.run(lambda connection: blocks.block(connection, ADA.player_id, BOB.player_id, place.clock()))
    with refused("TOURNAMENT", tournament="blocked"):
        await ask(place, "join", series, BOB)
    place.clock.wait(3600)
    await place.one.work()
    assert (await newest(place, series)).players == 0


async def test_series_are_listed_and_those_that_nobody_has_are_unknown(place: Place):
    series = await create(place)
    hidden = await create(place, BOB, public=False)

    async def listed(caller: Caller = NOBODY, **fields: Any) -> list[str]:
        response = await place.one.ask("list_series", caller, series_pb2.ListSeriesRequest(**fields))
        return [one.series_id for one in response.series]

    assert await listed() == [series.series_id]
    assert sorted(await listed(BOB)) == sorted([series.series_id, hidden.series_id])
    assert await listed(BOB, mine=True) == [hidden.series_id]
    assert await listed(over=True) == []
    with refused("NO_TOKEN"):
        await listed(mine=True)
    with refused("UNKNOWN", what="series", field="series_id"):
        await get(place, series_pb2.Series(series_id="0" * 32))


async def test_the_data_of_a_player_are_exported_and_go_with_the_account(place: Place):
    series = await create(place, count=2)
    for one in FOUR[:3]:
        await ask(place, "join", series, one)
    place.clock.wait(3600)
    await play(place, (await get(place, series)).tournaments[0].tournament)
    exported = await place.store.run(lambda connection: whole_account.exported(connection, ADA.player_id))
    assert '"players_series": [{' in exported and '"players_series_players": [{' in exported
    assert '"players_series_results": [{' in exported
    await place.store.run(lambda connection: whole_account.remove(connection, ADA.player_id, place.clock()))
    whole = await get(place, series)
    assert (whole.series.state, whole.series.owner.player_id, whole.series.players) == (Series.STATE_CANCELLED, "", 2)
    assert sorted(one.player.player_id for one in whole.rows) == sorted(["", BOB.player_id, CLEO.player_id])
    place.clock.wait(KEPT_MS // 1000 + DAY_S)
    await place.one.running.forget_old()
    for table in (SERIES, SERIES_PLAYERS, SERIES_RESULTS):
        assert not await place.store.run(partial(rows_of, table=table))


def rows_of(connection: Connection, table: Table) -> list[Any]:
    return [*connection.execute(table.select())]


async def test_the_results_of_a_long_series_outlast_its_tournaments(place: Place):
    series = await create(place, kind=KNOCK_OUT, every_days=31, count=9)
    for one in FOUR:
        await ask(place, "join", series, one)
    place.clock.wait(3600)
    for _ in range(9):
        await place.one.work()
        for each in (await get(place, series)).tournaments:
            if each.tournament.state == State.STATE_RUNNING:
                await play(place, each.tournament)
        place.clock.wait(31 * DAY_S)
        await place.one.running.forget_old()
    await place.one.work()
    whole = await get(place, series)
    assert whole.series.state == Series.STATE_FINISHED
    assert len(whole.tournaments) < 9 == len(whole.rows[0].results)


@given(st.integers(0, 3650), st.integers(0, 23), st.integers(1, 31), st.integers(2, 52))
def test_tournaments_of_a_series_start_at_the_same_time_of_day_in_its_zone(day: int, hour: int, every: int, number: int):
    first = datetime(2026, 1, 1, hour, 30, tzinfo=UTC).timestamp() + day * DAY_S
    request = series_pb2.CreateSeriesRequest(every_days=every, time_zone="Europe/Berlin")
    request.tournament.starts_at_ms = round(first * 1000)
    zone = zone_of(request.time_zone)
    before, after = (
        datetime.fromtimestamp(series_course.starts_at_ms(request, each) / 1000, zone) for each in (number - 1, number)
    )
    assert (after.date() - before.date()).days == every
    assert (after.hour, after.minute) == (before.hour, before.minute) or {before.hour, after.hour} & {2, 3}
