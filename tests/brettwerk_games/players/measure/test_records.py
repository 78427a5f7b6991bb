from pathlib import Path

import pytest

from brettwerk_games.players.measure.records import Part, Played, Stated, interval, kept, of_deals, report, shares_of


def game(points: float, said: float) -> Played:
    first = Part("strong", [0.2, 0.4], [Stated(said, points), Stated(1.0, points)])
    return Played(2, "conquest", 8, points, first, Part("easy", [0.1], [Stated(1 - said, 1 - points)]))


def test_a_game_is_kept_as_a_line_and_read_again(tmp_path: Path) -> None:
    games = [game(1, 0.7), game(0, 0.6)]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(one.line() + "\n" for one in games))
    assert kept([file, file]) == games + games


def test_a_match_is_reported_with_its_points_turns_and_chances() -> None:
    lines = "\n".join(report([game(1, 0.7), game(1, 0.6), game(0.5, 0.6)]))
    assert "strong against easy, 2 seats: 2.5 of 3" in lines
    assert "strong: 6 turns take 0.3000 s of CPU on average, 0.3000 s at the median" in lines
    assert "easy: 3 turns take 0.1000 s of CPU on average, 0.1000 s at the median" in lines
    assert "2 turns: 60 % said, 75 % came" in lines


def test_stated_chances_are_sorted_into_parts_of_the_scale() -> None:
    found = shares_of([[Stated(0.61, 1), Stated(0.69, 0)], [Stated(1.0, 1)]])
    assert found == {6: (pytest.approx(0.65), 0.5, 2), 9: (1.0, 1.0, 1)}


def test_games_that_began_alike_count_as_one_trial() -> None:
    equal = of_deals([game(1, 0.7), game(0, 0.6)] * 10)
    assert equal == "50.0 % ± 0.0 by pairs of games that began alike"
    assert "± 32.7 " in of_deals([game(1, 0.7), game(1, 0.6), game(0, 0.7), game(0, 0.6)] * 5)


def test_an_interval_is_narrower_the_more_games_there_are_and_stays_within_the_scale() -> None:
    assert interval(10, 10)[0] == pytest.approx(0.722, abs=0.001)
    assert interval(10, 10)[1] == pytest.approx(1)
    assert interval(100, 100)[0] > 0.96
    assert interval(0, 5)[0] == pytest.approx(0)
