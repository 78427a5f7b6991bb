"""Rest hours: the time between two instants without nights and weekends, and when a time runs out."""

from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.v1.rest_hours_pb2 import RestHours
from services.session.domain.rest_hours import LONGEST_NIGHT, checked, runs_out_ms, used_ms
from tests.amounts import examples
from tests.services.session.refusing import refused

HOUR_MS = 3_600_000
MINUTE_MS = 60_000
ZONES = (
    "Europe/Berlin",
    "Pacific/Auckland",
    "America/Santiago",  # goes forward at midnight
    "Australia/Lord_Howe",  # by half an hour
    "Pacific/Apia",  # had no 30 December 2011
    "Asia/Kolkata",
    "UTC",
)
BERLIN, AUCKLAND = ("Europe/Berlin", "Pacific/Auckland")


def at(zone: str, text: str) -> int:
    """Return a moment by the clock on the wall, in milliseconds since 1970."""
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def hours(zone: str = BERLIN, night_from: int = 22 * 60, night_until: int = 8 * 60, *, weekends: bool = False) -> RestHours:
    return RestHours(time_zone=zone, night_from=night_from, night_until=night_until, weekends=weekends)


@st.composite
def rests(draw: st.DrawFn) -> RestHours:
    night_from = draw(st.integers(0, 1439))
    night_until = (night_from + draw(st.integers(0, LONGEST_NIGHT))) % 1440
    return hours(draw(st.sampled_from(ZONES)), night_from, night_until, weekends=draw(st.booleans()))


@st.composite
def instants(draw: st.DrawFn) -> int:
    """An instant in twenty years, often near a change of some wall clock."""
    near = draw(
        st.sampled_from(
            [
                None,
                at(BERLIN, "2026-03-29T02:00"),
                at(BERLIN, "2026-10-25T02:00"),
                at(AUCKLAND, "2026-04-05T02:00"),
                at(AUCKLAND, "2026-09-27T02:00"),
                at("America/Santiago", "2026-09-06T00:00"),
                at("Pacific/Apia", "2011-12-30T00:00"),
            ]
        )
    )
    if near is None:
        return draw(st.integers(at("UTC", "2010-01-01"), at("UTC", "2030-01-01")))
    return near + draw(st.integers(-72 * HOUR_MS, 72 * HOUR_MS))


def test_a_night_is_left_out_and_the_day_before_and_after_it_counts() -> None:
    monday, tuesday = at(BERLIN, "2026-06-01T12:00"), at(BERLIN, "2026-06-02T12:00")
    assert used_ms(hours(), monday, tuesday) == 14 * HOUR_MS
    assert used_ms(hours(), at(BERLIN, "2026-06-01T22:00"), at(BERLIN, "2026-06-02T08:00")) == 0
    assert used_ms(hours(night_from=0, night_until=6 * 60), monday, tuesday) == 18 * HOUR_MS
    assert used_ms(hours(night_from=60, night_until=60), monday, tuesday) == 24 * HOUR_MS
    assert used_ms(None, monday, tuesday) == 24 * HOUR_MS


def test_a_weekend_is_left_out_from_friday_midnight_to_sunday_midnight() -> None:
    friday, monday = at(BERLIN, "2026-06-05T12:00"), at(BERLIN, "2026-06-08T12:00")
    assert used_ms(hours(weekends=True), friday, monday) == (10 + 4) * HOUR_MS
    assert used_ms(hours(night_until=22 * 60, weekends=True), friday, monday) == (12 + 12) * HOUR_MS
    assert runs_out_ms(hours(weekends=True), friday, 11 * HOUR_MS) == at(BERLIN, "2026-06-08T09:00")


@pytest.mark.parametrize(
    ("zone", "evening", "morning", "night_hours"),
    [
        (BERLIN, "2026-03-28T22:00", "2026-03-29T08:00", 9),
        (BERLIN, "2026-10-24T22:00", "2026-10-25T08:00", 11),
        (AUCKLAND, "2026-09-26T22:00", "2026-09-27T08:00", 9),
        (AUCKLAND, "2026-04-04T22:00", "2026-04-05T08:00", 11),
    ],
)
def test_the_nights_in_which_the_wall_clock_is_set_end_when_it_says_so(
    zone: str, evening: str, morning: str, night_hours: int
) -> None:
    begin, end = at(zone, evening), at(zone, morning)
    assert end - begin == night_hours * HOUR_MS
    assert used_ms(hours(zone), begin, end) == 0
    assert used_ms(hours(zone), begin - HOUR_MS, end + HOUR_MS) == 2 * HOUR_MS
    assert runs_out_ms(hours(zone), begin - HOUR_MS, HOUR_MS + 1) == end + 1


@pytest.mark.parametrize(
    ("zone", "change"),
    [(BERLIN, "2026-03-29"), (BERLIN, "2026-10-25"), (AUCKLAND, "2026-09-27"), (AUCKLAND, "2026-04-05")],
)
@pytest.mark.parametrize(("night_from", "night_until"), [(150, 600), (1200, 150), (150, 165), (130, 170)])
def test_a_night_may_begin_or_end_in_the_hour_that_is_skipped_or_comes_twice(
    zone: str, change: str, night_from: int, night_until: int
) -> None:
    night = hours(zone, night_from, night_until)
    first = at(zone, f"{change}T00:00") - 24 * HOUR_MS
    times = [first + step * 15 * MINUTE_MS for step in range(4 * 72)]
    used = [used_ms(night, one, other) for one, other in pairwise(times)]
    assert all(0 <= each <= 15 * MINUTE_MS for each in used)
    assert sum(used) == used_ms(night, times[0], times[-1])


@settings(max_examples=examples(200))
@given(rests(), instants(), st.integers(0, 40 * 24 * HOUR_MS), st.integers(0, 40 * 24 * HOUR_MS))
def test_time_adds_up_and_is_never_more_than_has_passed(rest: RestHours, start: int, first: int, second: int) -> None:
    middle, end = start + first, start + first + second
    whole = used_ms(rest, start, end)
    assert whole == used_ms(rest, start, middle) + used_ms(rest, middle, end)
    assert 0 <= whole <= end - start
    assert used_ms(rest, end, start) == 0


@settings(max_examples=examples(200))
@given(rests(), instants(), st.integers(0, 30 * 24 * HOUR_MS))
def test_a_time_runs_out_at_the_first_instant_by_which_it_is_used(rest: RestHours, start: int, left: int) -> None:
    end = runs_out_ms(rest, start, left)
    assert used_ms(rest, start, end) == left
    assert left == 0 or used_ms(rest, start, end - 1) == left - 1


@settings(max_examples=examples(200))
@given(rests(), instants(), st.integers(1, 30 * 24 * HOUR_MS), st.floats(0, 1))
def test_reading_the_clock_in_between_changes_nothing_about_when_it_runs_out(
    rest: RestHours, start: int, left: int, share: float
) -> None:
    end = runs_out_ms(rest, start, left)
    read = start + round((end - start) * share)
    rest_left = left - used_ms(rest, start, read)
    assert rest_left == 0 or runs_out_ms(rest, read, rest_left) == end


@settings(max_examples=examples(200))
@given(st.sampled_from([BERLIN, AUCKLAND, "Asia/Kolkata", "UTC"]), instants(), st.booleans())
def test_a_minute_counts_as_the_clock_on_the_wall_says(zone: str, start: int, weekends: bool) -> None:
    """No night here begins or ends in an hour that is skipped or comes twice."""
    minute = start - start % MINUTE_MS
    local = datetime.fromtimestamp(minute / 1000, UTC).astimezone(ZoneInfo(zone))
    rests_now = not 8 <= local.hour < 22 or (weekends and local.weekday() >= 5)
    assert used_ms(hours(zone, weekends=weekends), minute, minute + MINUTE_MS) == (0 if rests_now else MINUTE_MS)


@settings(max_examples=examples(100))
@given(rests(), instants())
def test_half_of_each_working_day_counts(rest: RestHours, start: int) -> None:
    week = used_ms(rest, start, start + 7 * 24 * HOUR_MS)
    assert week >= 48 * HOUR_MS  # a week in which a zone skips a day has four working days


def test_hours_that_cannot_be_are_refused() -> None:
    assert checked(hours()) == hours()
    with refused("MALFORMED") as caught:
        checked(hours("Europe/Atlantis"))
    assert caught.value.refusal.field == "hours.time_zone"
    assert caught.value.refusal.message == 'there is no time zone "Europe/Atlantis"; they have names like Europe/Berlin'
    with refused("MALFORMED"):
        checked(RestHours())
    with refused("MALFORMED") as caught:
        checked(hours(night_from=20 * 60, night_until=8 * 60 + 1))
    assert caught.value.refusal.field == "hours.night_until"
