from pathlib import Path

import pytest

from services.ai.players.measure.records import Part, Played, Stated, interval, kept, report, shares_of
from services.ai.players.plateau.chances import LIMIT, SCALE, chance
from services.ai.players.plateau.measure.chances import brier, fitted, stated_with, turns, worth
from services.ai.players.plateau.measure.match import own_seats
from tests.services.games.plateau.boards import new


def game(points: float, said: float) -> Played:
    first = Part("strong", [0.2, 0.4], [Stated(said, 2, points), Stated(1.0, 2, points)])
    return Played(2, "conquest", 8, points, first, Part("easy", [0.1], [Stated(1 - said, 2, 1 - points)]))


def test_a_game_is_kept_as_a_line_and_read_again(tmp_path: Path) -> None:
    games = [game(1, 0.7), game(0, 0.6)]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(one.line() + "\n" for one in games))
    assert kept([file, file]) == games + games


def test_a_match_is_reported_with_its_points_turns_and_chances() -> None:
    lines = "\n".join(report([game(1, 0.7), game(1, 0.6), game(0.5, 0.6)]))
    assert "strong against easy, 2 seats: 2.5 of 3" in lines
    assert "strong: 6 turns take 0.300 s at the median" in lines
    assert "easy: 3 turns take 0.100 s at the median" in lines
    assert "2 turns: 60 % said, 75 % came" in lines


def test_stated_chances_are_sorted_into_parts_of_the_scale() -> None:
    found = shares_of([[Stated(0.61, 2, 1), Stated(0.69, 2, 0)], [Stated(1.0, 2, 1)]])
    assert found == {6: (pytest.approx(0.65), 0.5, 2), 9: (1.0, 1.0, 1)}


def test_an_interval_is_narrower_the_more_games_there_are_and_stays_within_the_scale() -> None:
    assert interval(10, 10)[0] == pytest.approx(0.722, abs=0.001)
    assert interval(10, 10)[1] == pytest.approx(1)
    assert interval(100, 100)[0] > 0.96
    assert interval(0, 5)[0] == pytest.approx(0)


def test_the_first_player_comes_to_every_seat_and_a_pair_to_every_two() -> None:
    assert [own_seats(number, 4, False, False) for number in range(5)] == [{0}, {1}, {2}, {3}, {0}]
    assert [own_seats(number, 4, True, False) for number in range(2)] == [{0, 2}, {1, 3}]
    pairs = [own_seats(number, 4, False, True) for number in range(8)]
    assert sorted(map(sorted, pairs)) == [[0, 1], [0, 2], [0, 2], [0, 3], [1, 2], [1, 3], [1, 3], [2, 3]]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_chance_tells_the_worth_it_was_made_of(seats: int) -> None:
    for stated in (-600, -30, 0, 30, 600):
        assert worth(chance(new(seats), stated), seats) == pytest.approx(stated, abs=0.01)
        assert stated_with(SCALE, LIMIT)(stated, seats) == pytest.approx(chance(new(seats), stated))


def test_a_fit_finds_what_chances_came_from_and_leaves_out_what_was_sure() -> None:
    said = stated_with(150, 1.5)
    pairs = [(float(stated), 2, said(stated, 2)) for stated in range(-900, 901, 30)]
    scale, limit = fitted(pairs)
    assert scale == pytest.approx(150, rel=0.05)
    assert limit == pytest.approx(1.5, rel=0.05)
    assert brier(pairs, stated_with(scale, limit)) < brier(pairs, stated_with(400, 3))
    assert len(turns([game(1, 0.7)])) == 2
