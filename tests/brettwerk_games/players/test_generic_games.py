"""The player for every game in games that it has never seen: packages of others, at so much CPU time an action."""

import itertools
import math
import random
import time
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

from brettwerk_games.players.generic import GenericPlayer
from brettwerk_games.players.interface import Thought
from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.players.registry import level_of, make_player
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame, Kind
from tests.brettwerk_games.packages.packages import example, packaged
from tests.examples.spiel import SPIEL, go_on, notation
from tests.night import at_night
from tests.services.ai.matches import score

WORTH = (10, 11, 12, 13, 15, 18, 24, 60)
"""The worth of a pawn that has come so many rows."""


def estimate(position: Any) -> tuple[float, float]:
    """Return what pawns and the way they have come are worth in Breakthrough, as shares of the point."""
    lead = sum(
        WORTH[7 - square // 8] if owner == 1 else -WORTH[square // 8] for square, owner in enumerate(position.squares) if owner
    )
    share = 1 / (1 + 2.72 ** (-(lead + (4 if position.to_move == 0 else -4)) / 12))
    return share, 1 - share


FOURS = [
    [(row + step * down) * 7 + column + step * right for step in range(4)]
    for row, column, (down, right) in itertools.product(range(6), range(7), ((0, 1), (1, 0), (1, 1), (1, -1)))
    if row + 3 * down < 6 and 0 <= column + 3 * right < 7
]


def four_estimate(position: Any) -> tuple[float, float]:
    """Return what ways to four in a row are worth in Connect Four in which only one side has discs, as shares of the point."""
    lead = 0
    for four in FOURS:
        discs = [position.squares[square] for square in four]
        red, yellow = discs.count(1), discs.count(2)
        if not (red and yellow):
            lead += red * red - yellow * yellow
    share = 1 / (1 + 2.72 ** (-lead / 10))
    return share, 1 - share


ESTIMATES = {"breakthrough": estimate, "connect_four": four_estimate}


@cache
def game_of(name: str) -> AnyGame:
    game: Any = copy(example() if name == "connect_four" else packaged(name))
    if name in ESTIMATES:
        game.estimate = ESTIMATES[name]
    made: AnyGame = game
    return made


@dataclass
class Timed:
    """The strong level with so many seconds of CPU time an action, which a busy machine does not change."""

    game: AnyGame
    seconds: float

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        level = level_of(self.game, "strong")
        assert level is not None
        return make_player(self.game, level, 0).think(view, time.monotonic() + self.seconds, seed)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[()]:
        return ()


class FirstListed:
    """Plays the first listed action."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        return Thought(self._game.actions(view)[0], 0.5, 0, 0)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[()]:
        return ()


@pytest.fixture(autouse=True)
def cpu_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", time.process_time)


LOOK_S = 25e-6
"""How long a search goes on from one look at the clock to the next where nothing else is done: 7 to 33 µs in these games."""


@pytest.fixture
def counted_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each look at the clock take as long: so short a thought has less in it where caches are shared with others."""
    looks = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(looks) * LOOK_S)


@pytest.mark.usefixtures("counted_time")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("name", "seconds", "games"),
    [
        ("breakthrough", 0.02, 4),
        ("hex_seven", 0.02, 4),
        ("connect_four", 0.02, 4),
        at_night("othello", 0.02, 2),
        *(at_night(name, 0.05, 100) for name in SPIEL),
    ],
)
def test_it_always_beats_the_first_listed_action(name: str, seconds: float, games: int) -> None:
    game = game_of(name)
    assert score(game, options(game), Timed(game, seconds), FirstListed(game), games, seed=1) == 1


@pytest.mark.usefixtures("counted_time")
@pytest.mark.parametrize(
    ("name", "seconds", "games", "least"),
    [("breakthrough", 0.02, 4, 1), ("hex_seven", 0.02, 4, 1), *(at_night(name, 0.05, 100, 0.99) for name in SPIEL)],
)
def test_it_all_but_always_beats_random_play(name: str, seconds: float, games: int, least: float) -> None:
    game = game_of(name)
    assert score(game, options(game), Timed(game, seconds), RandomPlayer(game), games, seed=1) >= least


@pytest.mark.usefixtures("counted_time")
def test_even_easy_beats_the_first_listed_action_at_breakthrough() -> None:
    game = game_of("breakthrough")
    level = level_of(game, "easy")
    assert level is not None
    assert score(game, options(game), make_player(game, level, 0), FirstListed(game), 4, seed=2) == 1


def options(game: AnyGame) -> Any:
    return game.codec.decode(Kind.OPTIONS, b"")


def first(game: AnyGame) -> Any:
    return game.new(options(game), 2, None, bytes(SEED_BYTES)).position


class OutOfIt(Exception):
    """The time of an action is over."""


def asked_openspiel(state: Any, seconds: float, seed: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return what OpenSpiel's MCTS does in so many seconds of CPU time."""
    until = time.process_time() + seconds
    roots: list[Any] = []

    class InTime(mcts.RandomRolloutEvaluator):  # type: ignore[misc] # OpenSpiel is not typed
        def evaluate(self, state: Any) -> Any:
            if time.process_time() >= until:
                raise OutOfIt
            return super().evaluate(state)

    class Kept(mcts.SearchNode):  # type: ignore[misc] # OpenSpiel is not typed
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            if not roots:
                roots.append(self)

    dice = np.random.RandomState(seed)
    bot = mcts.MCTSBot(state.get_game(), math.sqrt(2), 10**9, InTime(1, dice), solve=True, random_state=dice)
    with monkeypatch.context() as patched:
        patched.setattr(mcts, "SearchNode", Kept)
        try:
            found = bot.mcts_search(state)
        except OutOfIt:
            found = roots[0]
    action: int = found.best_child().action if found.children else state.legal_actions()[0]
    return action


@pytest.mark.nightly
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", ["breakthrough", "hex_seven", "othello"])
def test_it_is_at_least_level_with_the_search_of_openspiel_in_the_same_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, dice, won, games = game_of(name), random.Random(4), 0.0, 20
    for number in range(games):
        state, position = pyspiel.load_game(SPIEL[name]).new_initial_state(), first(game)
        while game.to_act(position):
            view = game.view(position, game.to_act(position)[0])
            begins, own = game.actions(view), (view.seat == number % 2)
            if state.move_number() < 2:
                action = dice.choice(begins)
            elif own:
                action = Timed(game, 0.1).think(view, math.inf, dice.getrandbits(32)).action
            else:
                wanted = notation(name, state, asked_openspiel(state, 0.1, dice.getrandbits(31), monkeypatch))
                action = next(each for each in begins if game.write(view, each) == wanted)
            position = game.apply(position, view.seat, action, bytes(SEED_BYTES)).position
            go_on(name, state, game.write(view, action))
        outcome = game.outcome(position)
        assert outcome is not None
        won += outcome.scores[number % 2]
    assert won >= games / 2


def test_play_of_the_generic_player_is_the_same_for_the_same_seed() -> None:
    game = packaged("othello")
    view = game.view(first(game), 0)
    assert GenericPlayer(game, 40).think(view, math.inf, 5) == GenericPlayer(game, 40).think(view, math.inf, 5)
