"""Points in an arena: streaks, draws, and games that nobody has played."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.tournaments.arena_score import Tally, tally
from services.players.tournaments.results import DRAW, LOSS, WIN, Game

RESULTS = {"w": WIN, "d": DRAW, "l": LOSS}


def after(results: Sequence[int]) -> Tally:
    """Return the tally of player 0 after games with these results."""
    return tally(0, [Game(1, 0, 1, (each, WIN - each)) for each in results])


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ("", 0),
        ("w", 2),
        ("ww", 4),
        ("www", 8),
        ("wwd", 6),  # the example of lichess's page: 2 + 2 + (2 x 1)
        ("wwdw", 8),
        ("wwlw", 6),
        ("wwwlww", 12),
        ("dd", 1),
        ("dld", 1),
        ("dwd", 4),
        ("wwdww", 10),
        ("wwdwww", 14),
    ],
)
def test_two_wins_in_a_row_double_what_follows_and_only_the_first_of_several_draws_counts(results: str, points: int):
    assert after([RESULTS[each] for each in results]).points == points


@given(st.lists(st.sampled_from([WIN, DRAW, LOSS]), max_size=30))
def test_a_tally_counts_all_games_and_never_loses_a_point(results: list[int]):
    found = [after(results[:count]) for count in range(len(results) + 1)]
    assert [each.games for each in found] == [*range(len(found))]
    assert all(one.points <= other.points <= one.points + 2 * WIN for one, other in pairwise(found))
    assert found[-1].wins == results.count(WIN)
    streak = next((index for index, each in enumerate(reversed(results)) if each != WIN), len(results))
    assert found[-1].streak == streak


def test_a_win_over_somebody_who_did_not_come_gives_points_but_is_none_by_playing():
    found = tally(0, [Game(1, 0, 1, (WIN, LOSS), played=False), Game(1, 2, 0, (LOSS, WIN))])
    assert (found.points, found.wins, found.streak) == (4, 1, 2)


def test_a_game_that_the_server_lost_is_half_a_point_and_ends_no_streak():
    lost = Game(1, 0, 1, (DRAW, DRAW), played=False)
    found = tally(0, [Game(1, 0, 1, (WIN, LOSS)), Game(1, 0, 2, (WIN, LOSS)), lost, lost, Game(1, 0, 1, (WIN, LOSS))])
    assert (found.points, found.streak) == (WIN + WIN + DRAW + DRAW + 2 * WIN, 3)


def test_games_of_others_and_those_that_go_on_are_passed_over():
    assert tally(0, [Game(1, 1, 2, (WIN, LOSS)), Game(1, 0, 1)]) == Tally()
