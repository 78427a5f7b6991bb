"""Reliability: what holds of it for any games, and what it comes to."""

from hypothesis import given
from hypothesis import strategies as st

from services.players.conduct.departures import Mark, Pace
from services.players.conduct.reliability import FEWEST, HALVED, KEPT, SAME_ABSENCE_MS, YEAR_MS, Counted, newest, percent, telling
from services.players.ratings.pools import DAY_MS

NOW = 1_800_000_000_000
F, L, S = Mark.FINISHED, Mark.LEFT, Mark.SILENT
games = st.lists(st.builds(Counted, st.integers(NOW - 2 * YEAR_MS, NOW), st.sampled_from(Mark)), max_size=60)
paces = st.sampled_from(Pace)


def played(marks: str, apart_ms: int = 600_000) -> list[Counted]:
    """Return games with these marks, the last of them now."""
    return [Counted(NOW - apart_ms * number, Mark(mark)) for number, mark in enumerate(reversed(marks))][::-1]


@given(games, paces)
def test_it_is_a_share_and_does_not_depend_on_the_order_in_which_games_came(some: list[Counted], pace: Pace):
    found = percent(newest(some), pace, NOW)
    assert found is None or 0 <= found <= 100
    assert found == percent(newest(some[::-1]), pace, NOW)


@given(games, st.integers(0, 60))
def test_games_may_be_added_one_at_a_time_or_together(some: list[Counted], split: int):
    assert newest([*newest(some[:split]), *some[split:]]) == newest(some)


@given(games, paces)
def test_one_more_finished_game_costs_nothing(some: list[Counted], pace: Pace):
    before = percent(newest(some), pace, NOW)
    after = percent(newest([*some, Counted(NOW + 1, F)]), pace, NOW + 1)
    assert before is None or (after is not None and after >= before)


@given(games)
def test_one_more_left_game_gains_nothing(some: list[Counted]):
    before = percent(newest(some), Pace.LIVE, NOW)
    after = percent(newest([*some, Counted(NOW + 1, L)]), Pace.LIVE, NOW + 1)
    assert before is None or after is None or after <= before


def test_a_player_with_few_games_has_none_yet():
    assert percent(played("+" * (FEWEST - 1)), Pace.LIVE, NOW) is None
    assert percent(played("+" * FEWEST), Pace.LIVE, NOW) == 100
    assert percent(played("-" * FEWEST), Pace.LIVE, NOW) == 0
    assert percent(played("+" * FEWEST), Pace.LIVE, NOW + YEAR_MS) is None, "games of a year ago say nothing"


def test_a_departure_weighs_half_as_much_after_twenty_games_and_nothing_after_forty():
    assert percent(played("+" * (KEPT - 1) + "-"), Pace.LIVE, NOW) == 95
    assert percent(played("+" * (KEPT - 1 - HALVED) + "-" + "+" * HALVED), Pace.LIVE, NOW) == 97
    assert percent(newest(played("-" + "+" * KEPT)), Pace.LIVE, NOW) == 100


def test_slow_games_that_run_out_together_are_one_absence():
    together = played("+" * 9 + "~" * 10, apart_ms=3_600_000)
    assert sum(one.mark is S for one in telling(together, Pace.SLOW, NOW)) == 1
    assert sum(one.mark is S for one in telling(together, Pace.LIVE, NOW)) == 10
    assert sum(one.mark is S for one in telling(played("~" * 10, apart_ms=SAME_ABSENCE_MS), Pace.SLOW, NOW)) == 10
    days = played("~" * 7, apart_ms=DAY_MS)
    assert [one.at_ms for one in telling(days, Pace.SLOW, NOW)] == [one.at_ms for one in days[::3]], "nobody is away for ever"
