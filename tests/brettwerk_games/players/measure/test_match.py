"""One runner for matches of every game: players by their names, seats that go round, games that begin alike."""

import json
from pathlib import Path

import pytest

from brettwerk_games.players.measure.games import cpu_time, opening, preset_start
from brettwerk_games.players.measure.match import match, own_seats, parser, side, starts
from brettwerk_games.players.measure.records import Played, kept
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.registry import games

SEED = bytes(SEED_BYTES)


def played(game: str, first: str, second: str, *options: str) -> list[Played]:
    given = parser().parse_args(["--game", game, "--first", first, "--second", second, *options])
    known = games()[game]
    with cpu_time():
        return match(known, (side(known, first, given.first_ms), side(known, second, given.second_ms)), given)


@pytest.mark.parametrize(
    ("game", "second", "options"),
    [
        ("einstein", "random", ()),
        ("einstein", "easy:least", ()),
        ("einstein", "generic:20", ()),
        ("emperado", "random", ("--seats", "3", "--max-actions", "60")),
        ("plateau", "easy:anew", ("--seats", "4", "--option", "alliance=1", "--first-seats", "0,2", "--max-actions", "20")),
        ("wec", "random", ("--presets", "--max-actions", "8")),
    ],
)
def test_a_match_of_any_game_is_played_and_reported(
    game: str, second: str, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    done = played(game, "easy", second, "--games", "4", *options)
    assert len(done) == 4
    assert all(one.turns > 0 and one.first.actions_s and 0 <= one.points <= 1 for one in done)
    said = capsys.readouterr().out
    assert f"easy against {second}" in said
    assert "turns take" in said


def test_an_easy_player_beats_random_play_and_its_games_can_be_counted_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    done = played("einstein", "easy", "random", "--games", "20", "--kept", str(file))
    assert sum(one.points for one in done) >= 12
    assert [one.points for one in kept([file])] == [one.points for one in done]
    assert len({json.loads(line)["end"] for line in file.read_text().splitlines()} - {"undecided"}) >= 1


def test_a_match_that_goes_on_plays_other_games_than_before() -> None:
    whole = played("einstein", "easy", "random", "--games", "6")
    rest = played("einstein", "easy", "random", "--games", "2", "--begin", "4")
    assert [(one.turns, one.points) for one in rest] == [(one.turns, one.points) for one in whole[4:]]


def test_the_first_players_seats_go_round() -> None:
    assert [own_seats(number, 4, [0]) for number in range(5)] == [{0}, {1}, {2}, {3}, {0}]
    assert [own_seats(number, 4, [0, 2]) for number in range(2)] == [{0, 2}, {1, 3}]


def test_presets_are_starts_of_their_own() -> None:
    wec = games()["wec"]
    made = {name: start(SEED) for name, start in starts(wec, 2, {}, presets=True).items()}
    assert set(made) == {"usual", *(preset.id for preset in wec.facts.presets)}
    assert made["ambush"].pieces != made["usual"].pieces
    assert set(starts(wec, 2, {}, presets=False)) == {"usual"}


def test_openings_differ_by_their_number_only() -> None:
    game = games()["plateau"]
    start = preset_start(game, 2, SEED)
    assert opening(game, start, 1) == opening(game, start, 1)
    assert opening(game, start, 1) != opening(game, start, 2)


def test_a_player_that_there_is_not_ends_the_match_with_its_name() -> None:
    for name in ("nonsense", "easy:nonsense", "generic-nonsense"):
        with pytest.raises(SystemExit, match=name):
            side(games()["einstein"], name)
