"""Which news are told, and when: quiet hours, time zones, and what has passed meanwhile."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import news_pb2
from services.players.news.schedule import Item, Preferences, after_quiet_hours, mailed_at_ms, to_tell

TURN, TAKEN, OVER = news_pb2.News.KIND_YOUR_TURN, news_pb2.News.KIND_SEAT_TAKEN, news_pb2.News.KIND_GAME_OVER
CHALLENGED, ANSWERED = news_pb2.News.KIND_CHALLENGED, news_pb2.News.KIND_CHALLENGE_ANSWERED
WITHDRAWN = news_pb2.News.KIND_CHALLENGE_WITHDRAWN
NIGHT = Preferences(quiet_from=22 * 60, quiet_until=7 * 60, time_zone="Europe/Berlin")
BERLIN = ZoneInfo("Europe/Berlin")


def item(version: int, session: str = "a", kind: int = TURN, *, until_ms: int = 0, handled: bool = False) -> Item:
    return Item(version, kind, session, "einstein", "", 1000 * version, until_ms, handled)


def at(text: str) -> int:
    """Return a moment in Berlin in milliseconds since 1970."""
    return int(datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp() * 1000)


def versions(*news: Item, after: int = 0, muted: frozenset[int] = frozenset(), now_ms: int = 0) -> list[int]:
    return [one.version for one in to_tell(news, after, muted, now_ms)]


def test_of_each_table_the_newest_is_told() -> None:
    assert versions(item(1, "a"), item(2, "b"), item(3, "a"), item(4, "c")) == [2, 3, 4]
    assert versions(item(1, "a"), item(2, "b"), after=1) == [2]


def test_muted_items_are_not_told_and_hide_no_others() -> None:
    assert versions(item(1, "a"), item(2, "a", TAKEN), muted=frozenset({TAKEN})) == [1]


def test_a_turn_that_was_made_is_not_told_nor_is_what_came_before_it() -> None:
    assert versions(item(1, "a", TAKEN), item(2, "a", handled=True)) == []
    assert versions(item(1, "a", handled=True), item(2, "a")) == [2]


def test_a_turn_whose_time_is_over_is_not_told() -> None:
    assert versions(item(1, until_ms=500), now_ms=500) == []
    assert versions(item(1, until_ms=501), now_ms=500) == [1]


def test_a_turn_in_a_game_that_is_over_is_not_told_even_where_its_end_is_not() -> None:
    assert versions(item(1), item(2, kind=OVER)) == [2]
    assert versions(item(1), item(2, kind=OVER), muted=frozenset({OVER})) == []


def challenge(version: int, kind: int, name: str, session: str = "", *, handled: bool = False) -> Item:
    return Item(version, kind, session, "einstein", "", 1000 * version, 0, handled, name)


def test_each_challenge_is_told_until_it_is_withdrawn_or_answered() -> None:
    assert versions(challenge(1, CHALLENGED, "x"), challenge(2, CHALLENGED, "y")) == [1, 2]
    assert versions(challenge(1, CHALLENGED, "x"), challenge(2, CHALLENGED, "y"), challenge(3, WITHDRAWN, "x")) == [2]
    assert versions(challenge(1, CHALLENGED, "x", handled=True)) == []


def test_the_answer_to_a_challenge_is_news_of_its_table() -> None:
    assert versions(challenge(1, ANSWERED, "x", "a"), item(2, "a")) == [2]
    assert versions(challenge(1, ANSWERED, "x"), item(2, "a")) == [1, 2]


@pytest.mark.parametrize(
    ("moment", "later"),
    [
        ("2027-01-15T21:59", "2027-01-15T21:59"),
        ("2027-01-15T22:00", "2027-01-16T07:00"),
        ("2027-01-15T23:30", "2027-01-16T07:00"),
        ("2027-01-16T06:59", "2027-01-16T07:00"),
        ("2027-01-16T07:00", "2027-01-16T07:00"),
        # clocks go forward at 2:00, and back at 3:00
        ("2027-03-27T23:00", "2027-03-28T07:00"),
        ("2027-10-30T23:00", "2027-10-31T07:00"),
    ],
)
def test_quiet_hours_over_midnight_end_by_the_clock_of_the_player(moment: str, later: str) -> None:
    assert after_quiet_hours(at(moment), NIGHT) == at(later)


def test_quiet_hours_by_day_end_on_the_same_day() -> None:
    lessons = Preferences(quiet_from=8 * 60, quiet_until=13 * 60, time_zone="Europe/Berlin")
    assert after_quiet_hours(at("2027-01-15T09:00"), lessons) == at("2027-01-15T13:00")
    assert after_quiet_hours(at("2027-01-15T13:00"), lessons) == at("2027-01-15T13:00")
    assert after_quiet_hours(at("2027-01-15T07:59"), lessons) == at("2027-01-15T07:59")


def test_a_time_zone_that_is_gone_is_utc() -> None:
    nowhere = Preferences(quiet_from=0, quiet_until=60, time_zone="Mars/Olympus")
    assert after_quiet_hours(0, nowhere) == 3_600_000


@given(
    st.integers(0, 1439),
    st.integers(0, 1439),
    st.sampled_from(["", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Chatham"]),
    st.integers(1_700_000_000_000, 1_900_000_000_000),
)
def test_items_after_quiet_hours_are_told_within_a_day_and_outside_the_hours(
    begin: int, end: int, zone: str, moment: int
) -> None:
    preferences = Preferences(quiet_from=begin, quiet_until=end, time_zone=zone)
    later = after_quiet_hours(moment, preferences)
    assert moment <= later <= moment + 25 * 3_600_000
    assert after_quiet_hours(later, preferences) <= later + 3_600_000  # an hour that clocks skip may be in them


def test_a_mail_waits_from_the_oldest_news_on_and_through_quiet_hours() -> None:
    evening = Item(1, TURN, "a", "einstein", "", at("2027-01-15T21:50"), 0, handled=False)
    later = Item(2, TURN, "b", "einstein", "", at("2027-01-15T21:55"), 0, handled=False)
    assert mailed_at_ms([evening, later], Preferences(mail_wait=30)) == at("2027-01-15T22:20")
    waits = Preferences(mail_wait=30, quiet_from=22 * 60, quiet_until=420, time_zone="Europe/Berlin")
    assert mailed_at_ms([evening, later], waits) == at("2027-01-16T07:00")


def test_the_end_of_each_tournament_is_told_and_leads_to_its_page() -> None:
    over = news_pb2.News.KIND_TOURNAMENT_OVER
    one, other = (Item(n, over, "", "einstein", "Cup", 1000 * n, 0, False, "", f"cup{n}") for n in (1, 2))
    assert versions(one, other) == [1, 2]
    assert one.path == "/tournament/cup1"
    assert Item(3, TURN, "a", "einstein", "", 0, 0, False, "", "cup1").path == "/s/a"
