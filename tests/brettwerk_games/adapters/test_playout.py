import re
from pathlib import Path

import numpy
import pytest

import brettwerk_games
from brettwerk_games import OWN, load
from brettwerk_games.adapters.benchmark import batches, states
from brettwerk_games.adapters.match import Setting
from brettwerk_games.adapters.playout import play_random


@pytest.mark.parametrize("game", OWN)
def test_games_are_cut_off_after_so_many_plies(game: str) -> None:
    played = play_random(Setting(load(game), 2, {}), 3, seed=1, most_plies=5)
    assert played.plies.tolist() == [5, 5, 5]
    assert not played.rewards.any()
    assert (played.most_legal > 0).all()
    assert played.plies_per_second > 0


def test_random_games_of_einstein_are_as_long_as_openspiels() -> None:
    played = play_random(Setting(load("einstein"), 2, {}), 400, seed=2)
    assert 20 < played.plies.mean() < 24
    assert (played.rewards.sum(axis=1) == 0).all()
    assert set(played.rewards.ravel().tolist()) == {-1.0, 1.0}
    assert played.most_legal.max() == 6


def test_the_same_seed_and_batch_make_the_same_games() -> None:
    setting = Setting(load("einstein"), 2, {})
    first, again, other = (play_random(setting, 20, seed, 8) for seed in (3, 3, 4))
    assert numpy.array_equal(first.plies, again.plies)
    assert numpy.array_equal(first.rewards, again.rewards)
    assert not numpy.array_equal(first.plies, other.plies)


def test_speed_is_measured_for_our_games_and_openspiels() -> None:
    import pyspiel

    assert batches("einstein", 4, 0.01) > 0
    assert states(pyspiel.load_game("backgammon"), 0.01) > 0


def test_the_example_of_the_readme_plays_games(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (Path(brettwerk_games.__file__).parent / "README.md").read_text("utf-8")
    (example,) = (each for each in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "play_random" in each)
    exec(example, {})
    assert "plies a second" in capsys.readouterr().out
