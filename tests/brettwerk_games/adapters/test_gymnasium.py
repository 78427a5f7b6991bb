"""Gymnasium's own checker tries the games, and what it cannot know of: the opponents, the end, and illegal actions."""

import re
from pathlib import Path

import gymnasium
import numpy
import pytest
from gymnasium.utils.env_checker import check_env

import brettwerk_games
from brettwerk_games import OWN
from brettwerk_games.adapters.gymnasium import GymnasiumEnv

EXAMPLES = re.findall(r"```python\n(.*?)```", (Path(brettwerk_games.__file__).parent / "README.md").read_text("utf-8"), re.DOTALL)


def play(env: GymnasiumEnv, seed: int, most: int = 1000) -> tuple[list[str], float, bool]:
    """Play at random; return the notation of what was played, the sum of rewards, and whether the game is over."""
    observation, _ = env.reset(seed=seed)
    written: list[str] = []
    chooser, total, over = numpy.random.default_rng(seed), 0.0, False
    while not over and len(written) < most:
        action = int(chooser.choice(numpy.flatnonzero(observation["action_mask"])))
        written.append(env.notation(action))
        observation, reward, over, _, _ = env.step(action)
        total += reward
    return written, total, over


@pytest.mark.parametrize("game", OWN)
def test_gymnasium_finds_nothing_wrong_with_a_game(game: str) -> None:
    check_env(GymnasiumEnv(game), skip_render_check=True)


@pytest.mark.parametrize(("game", "most"), [("einstein", 100), ("emperado", 40), ("plateau", 8), ("wec", 8)])
def test_a_seed_makes_the_same_game_again_opponents_included(game: str, most: int) -> None:
    assert play(GymnasiumEnv(game), 3, most) == play(GymnasiumEnv(game), 3, most)


def test_a_strong_level_beats_random_play_at_either_seat() -> None:
    games = [play(GymnasiumEnv("einstein", level="strong", seat=seat), seed) for seat in (0, 1) for seed in range(8)]
    assert all(over for _, _, over in games)
    assert sum(total for _, total, _ in games) < -4


def test_an_illegal_action_loses() -> None:
    env = GymnasiumEnv("einstein")
    observation, _ = env.reset(seed=1)
    _, reward, over, _, info = env.step(int(observation["action_mask"].sum()))
    assert (reward, over, info) == (-1, True, {"illegal": True})
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_action_after_the_end_is_refused() -> None:
    env = GymnasiumEnv("einstein")
    play(env, 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_levels_and_seats_that_there_are_not_are_refused() -> None:
    with pytest.raises(LookupError, match="beginner, easy"):
        GymnasiumEnv("einstein", level="none")
    with pytest.raises(ValueError, match="no seat 2"):
        GymnasiumEnv("einstein", seat=2)


def test_the_example_of_the_readme_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = (each for each in EXAMPLES if "GymnasiumEnv" in each)
    exec(example, {})
    assert capsys.readouterr().out in ("1.0\n", "-1.0\n")
