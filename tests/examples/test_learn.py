"""The example that learns, in small: a few seconds of games against itself make it better."""

import importlib.util
from types import ModuleType

import numpy
import pytest

from tests.examples.installing import ROOT


@pytest.fixture(scope="module")
def learn() -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn", ROOT / "examples" / "learn.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_both_seats_see_the_board_from_their_corner(learn: ModuleType) -> None:
    position = learn.Match(learn.Setting(learn.GAME, 2, {}), 1).position
    assert sorted(stone % learn.PLACES for stone in learn.stones_of(position, 0)) == sorted(
        stone % learn.PLACES for stone in learn.stones_of(position, 1)
    )


def test_positions_learn_from_the_end_of_their_game(learn: ModuleType) -> None:
    rows = [list(range(0, 12 * learn.PLACES, learn.PLACES))] * 3
    wanted = learn.wanted(learn.Network(numpy.random.default_rng(1)), rows)
    assert wanted[2] == 1
    assert wanted[1] < 0.5 < wanted[0]


@pytest.mark.nightly
def test_games_against_itself_make_it_better(learn: ModuleType) -> None:
    dice = numpy.random.default_rng(1)
    network = learn.Network(dice)
    before = learn.share_won(network, 60)
    for _ in range(12):
        learn.play_and_learn(network, 100, dice)
    assert learn.share_won(network, 60) > before + 0.1
