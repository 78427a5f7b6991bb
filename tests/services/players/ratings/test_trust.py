"""How much a result tells by who met whom."""

from services.players.ratings.pools import DAY_MS
from services.players.ratings.trust import FREE, KNOWN, Meetings, of_newness, of_repetition


def test_two_who_are_as_new_or_as_well_known_as_each_other_tell_all_of_each_other():
    for games in (0, 1, KNOWN, 10 * KNOWN):
        assert of_newness(games, games) == 1.0
    assert of_newness(KNOWN, 50 * KNOWN) == 1.0


def test_a_newcomer_tells_the_less_the_more_the_other_has_played_and_learns_all_themselves():
    weights = [of_newness(games, 0) for games in range(KNOWN + 5)]
    assert weights == sorted(weights, reverse=True)
    assert min(weights) == (1 / (KNOWN + 1)) ** 2
    assert of_newness(0, KNOWN) == 1.0


def test_the_first_games_of_two_count_in_full_and_all_further_ones_together_for_little_more():
    assert [of_repetition(met) for met in range(FREE)] == [1.0] * FREE
    assert of_repetition(FREE) < 1.0
    assert sum(of_repetition(met) for met in range(FREE, 10_000)) < FREE


def test_only_recent_meetings_are_counted_at_any_seats():
    meetings = Meetings()
    meetings.note(["anna", "bert"], 0)
    meetings.note(["bert", "anna", "cleo"], 1000)
    assert meetings.count("bert", "anna", 2000) == 2
    assert meetings.count("anna", "cleo", 2000) == 1
    assert meetings.count("anna", "bert", DAY_MS) == 1
    assert meetings.count("anna", "bert", 3 * DAY_MS) == 0
    assert meetings.count("anna", "dora", 2000) == 0
