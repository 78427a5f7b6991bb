"""The table of a series: what tournaments count, and where players stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments.results import WIN
from services.players.tournaments.series_table import BY_PLACE, HUNDREDTHS, Result, points_of, table
from services.players.tournaments.standings import Standing

PLAYERS = "abcdef"
results = st.dictionaries(st.tuples(st.sampled_from(PLAYERS), st.integers(1, 8)), st.integers(0, 2500)).map(
    lambda found: [Result(player, number, 1, points) for (player, number), points in found.items()]
)


def placed(*places: int) -> list[Standing]:
    return [Standing(place=place, number=number, points=20 - number, wins=0) for number, place in enumerate(places)]


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3), (2500, 1800, 1500)),
        ((1, 2, 2, 4), (2500, 1650, 1650, 1200)),
        ((1, 1, 1), (1933, 1933, 1933)),
        ((10, 10, 12), (50, 50, 0)),
    ],
)
def test_places_count_and_those_who_share_them_get_the_mean(places: tuple[int, ...], points: tuple[int, ...]):
    assert tuple(points_of(placed(*places), by_places=True).values()) == points


def test_the_points_of_a_tournament_count_themselves():
    assert points_of(placed(1, 2), by_places=False) == {0: 20 * HUNDREDTHS // WIN, 1: 950}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20))
def test_sharing_places_takes_nothing_away_but_parts_of_hundredths(scores: list[int]):
    ranked = sorted(scores, reverse=True)
    places = [1 + sum(other > own for other in ranked) for own in ranked]
    points = points_of(placed(*places), by_places=True)
    there = sum(BY_PLACE[: len(places)]) * HUNDREDTHS
    assert there - len(places) < sum(points.values()) <= there
    assert [*points.values()] == sorted(points.values(), reverse=True)


@given(results, st.integers(0, 8))
def test_the_best_tournaments_of_a_player_count(found: list[Result], best: int):
    for row in table(found, best):
        counting = [one.points for one in row.results if one.number in row.counting]
        left_out = [one.points for one in row.results if one.number not in row.counting]
        assert row.points == sum(counting)
        assert len(counting) == (min(best, len(row.results)) if best else len(row.results))
        assert not left_out or not counting or max(left_out) <= min(counting)


@given(results, st.integers(0, 8))
def test_places_go_by_points_and_everybody_has_one(found: list[Result], best: int):
    rows = table(found, best)
    assert sorted(row.player for row in rows) == sorted({one.player for one in found})
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert all(row.place == 1 + sum(other.place < row.place for other in rows) for row in rows)


@given(results, st.integers(1, 8))
def test_one_more_tournament_that_counts_takes_no_points_away(found: list[Result], best: int):
    fewer = {row.player: row.points for row in table(found, best)}
    assert all(row.points >= fewer[row.player] for row in table(found, best + 1))


def test_equal_points_are_told_apart_by_the_best_tournament():
    rows = table([Result("a", 1, 1, 10), Result("a", 2, 1, 10), Result("b", 1, 1, 15), Result("b", 2, 1, 5)], 0)
    assert [(row.place, row.player) for row in rows] == [(1, "b"), (2, "a")]
    assert rows[0].points == rows[1].points
