"""PettingZoo's own tests try the games, and what they cannot know of: hidden things, the end, and illegal actions."""

import re
from pathlib import Path
from typing import Any

import numpy
import pytest
from pettingzoo.test import api_test, seed_test

import brettwerk_games
from brettwerk_games import OWN
from brettwerk_games.adapters.pettingzoo import PettingZooEnv
from brettwerk_games.rules.interface import Step

pytestmark = [
    # PettingZoo expects arrays without an action mask; it says so of its own board games, too, unless it knows them by name.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),  # as it is after the end
]
STEPS = 20
EXAMPLES = re.findall(r"```python\n(.*?)```", (Path(brettwerk_games.__file__).parent / "README.md").read_text("utf-8"), re.DOTALL)


def play(env: PettingZooEnv, seed: int, steps: int = 10_000) -> list[str]:
    """Play at random and return the notation of what was played; `env` is then at the end, or after these steps."""
    env.reset(seed=seed)
    chooser, written = numpy.random.default_rng(seed), []
    for _ in env.agent_iter(steps):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        action = int(chooser.choice(numpy.flatnonzero(observation["action_mask"])))
        written.append(env.notation(action))
        env.step(action)
    return written


@pytest.mark.parametrize("game", OWN)
def test_pettingzoo_finds_nothing_wrong_with_a_game(game: str) -> None:
    api_test(PettingZooEnv(game, most_steps=STEPS), num_cycles=2 * STEPS)


@pytest.mark.parametrize("game", OWN)
def test_equal_seeds_make_equal_games(game: str) -> None:
    seed_test(lambda: PettingZooEnv(game), num_cycles=STEPS // 2)


def test_another_seed_makes_another_game() -> None:
    env = PettingZooEnv("einstein")
    assert play(env, 1) == play(env, 1) != play(env, 2)


@pytest.mark.parametrize("game", OWN)
def test_actions_that_are_described_are_those_that_can_be_played(game: str) -> None:
    env = PettingZooEnv(game)
    play(env, 3, 5)
    observation = env.observe(env.agent_selection)
    legal = int(observation["action_mask"].sum())
    described = observation["observation"]["actions"]
    assert described[:legal, 0].all()
    assert not described[legal:].any()
    env.step(legal - 1)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="is not legal"):
        env.step(env.arrays.most)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_seats_have_places_in_games_of_more_than_two(seats: int) -> None:
    env = PettingZooEnv("emperado", seats=seats, most_steps=STEPS)
    play(env, 5)
    assert env.possible_agents == [f"seat_{seat}" for seat in range(seats)]
    assert all(env.truncations.values())


def test_the_winner_is_rewarded_and_the_loser_pays() -> None:
    env = PettingZooEnv("einstein")
    play(env, 4)
    assert sorted(env.rewards.values()) == [-1, 1]
    assert all(env.terminations.values())


def same(one: Any, other: Any) -> bool:
    return all(numpy.array_equal(one["observation"][key], other["observation"][key]) for key in one["observation"])


@pytest.mark.parametrize(("game", "steps"), [("emperado", 80), ("wec", 40)])
def test_an_observation_does_not_depend_on_hidden_information(game: str, steps: int) -> None:
    """Where nothing differs but what is hidden from a seat, it observes the same; the other seat sees what differs."""
    env = PettingZooEnv(game, most_actions=64)
    play(env, 1, steps)
    match = env._match
    truth, before = match.position, {agent: env.observe(agent) for agent in env.possible_agents}
    others = []
    for chance in range(8):
        match.step, match._legal = Step(match.game.sample(match.game.view(truth, 0), bytes([chance]) * 32)), None
        assert same(env.observe("seat_0"), before["seat_0"])
        others.append(same(env.observe("seat_1"), before["seat_1"]))
    assert not all(others)


def test_the_example_of_the_readme_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = (each for each in EXAMPLES if "PettingZooEnv" in each)
    exec(example, {})
    assert "'seat_0'" in capsys.readouterr().out


def test_a_position_is_drawn_as_a_spectator_sees_it() -> None:
    env = PettingZooEnv("einstein")
    env.reset(seed=1)
    lines = env.render().splitlines()
    assert len(lines) == 12
    assert all(len(line.split()) == 2 for line in lines)
