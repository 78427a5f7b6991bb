"""Long runs of EMPERADO's computers: one that was stopped goes on where it was, with the same games."""

from pathlib import Path

from brettwerk_games.players.emperado.measure.kept_games import Kept
from brettwerk_games.players.emperado.measure.series import Players, Series

TWO = Series("two", ("strong", "easy"), 40, 5, turning=True)
THREE = Series("three", ("normal",) * 3, 0, 3)


def test_a_run_that_was_stopped_goes_on_with_the_same_games(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = Players(1, 7).play_together([TWO, THREE])
    assert Players(1, 7, Kept(path)).play_together([TWO, THREE]) == whole
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == TWO.games + THREE.games

    path.write_text("".join(lines[:6]) + lines[6][:40])  # the machine stopped in the middle of a line
    assert Players(1, 7, Kept(path)).play_together([TWO, THREE]) == whole
    assert sorted(path.read_text().splitlines(keepends=True)) == sorted(lines)


def test_kept_games_are_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    Players(1, 7, Kept(path)).play(TWO)
    size = path.stat().st_size
    Players(1, 7, Kept(path)).play(TWO)
    assert path.stat().st_size == size


def test_games_of_other_seeds_and_players_are_others(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    Players(1, 7, Kept(path)).play(TWO)
    again = Players(1, 8, Kept(path)).play(TWO)
    assert again == Players(1, 8).play(TWO)
