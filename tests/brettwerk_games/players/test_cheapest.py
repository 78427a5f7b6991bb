import random
import time
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.interface import NothingToDo, Thought
from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.players.registry import cheapest, level_of
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.registry import games
from tests.brettwerk_games.packages.packages import example
from tests.brettwerk_games.rules.blind_duel import game as blind_duel
from tests.night import at_night, examples
from tests.services.ai.matches import score

MAX_MS = 20
CONNECT_FOUR = example()
GAMES: list[AnyGame] = [*games().values(), CONNECT_FOUR, blind_duel.BlindDuel()]
LEVELS = [(game, level) for game in GAMES for level in game.facts.levels]


def names(value: Any) -> str:
    return value.facts.id if hasattr(value, "facts") else str(value.id)


def options_of(game: AnyGame) -> Any:
    return game.codec.decode(Kind.OPTIONS, b"") if hasattr(game, "codec") else ()


def wandered(game: AnyGame, seed: int, actions: int) -> Any:
    """Return the view of the seat to act after so many random actions, or of the last position that was not the end."""
    dice = random.Random(seed)
    seats = dice.randint(game.facts.min_seats, len(game.facts.seats))
    position = game.new(options_of(game), seats, None, dice.randbytes(SEED_BYTES)).position
    for _ in range(actions):
        seat = game.to_act(position)[0]
        action = dice.choice(game.actions(game.view(position, seat)))
        after = game.apply(position, seat, action, dice.randbytes(SEED_BYTES)).position
        if not game.to_act(after):
            break
        position = after
    return game.view(position, game.to_act(position)[0])


@pytest.mark.parametrize(("game", "level"), LEVELS, ids=names)
@settings(max_examples=examples(6), deadline=None)
@given(seed=st.integers(0, 2**32), actions=st.integers(0, 40))
def test_it_is_legal_and_takes_some_milliseconds(game: AnyGame, level: LevelFacts, seed: int, actions: int):
    view = wandered(game, seed, actions)
    action = cheapest(game, level, 0, view, seed)
    assert action in game.actions(view) or not game.facts.lists_all
    position = game.sample(view, bytes(SEED_BYTES))
    game.apply(position, game.to_act(position)[0], action, bytes(SEED_BYTES))
    # Constants have been read by now; of some, one is not disturbed by what Python collects meanwhile.
    assert min(took_ms(game, level, view, seed) for _ in range(4)) < MAX_MS


def took_ms(game: AnyGame, level: LevelFacts, view: Any, seed: int) -> float:
    began = time.thread_time()
    cheapest(game, level, 0, view, seed)
    return 1000 * (time.thread_time() - began)


@pytest.mark.parametrize(("game", "level"), [pair for pair in LEVELS if pair[1].player != "generic"], ids=names)
@settings(max_examples=examples(4), deadline=None)
@given(seed=st.integers(0, 2**32), actions=st.integers(0, 40))
def test_a_view_and_a_seed_have_one_cheapest_action(game: AnyGame, level: LevelFacts, seed: int, actions: int):
    view = wandered(game, seed, actions)
    assert cheapest(game, level, 0, view, seed) == cheapest(game, level, 0, view, seed)


def test_the_generic_one_too_is_the_same_again_where_there_is_time_for_it(monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    level = CONNECT_FOUR.facts.levels[0]
    for seed in range(20):
        view = wandered(CONNECT_FOUR, seed, seed)
        assert cheapest(CONNECT_FOUR, level, 0, view, seed) == cheapest(CONNECT_FOUR, level, 0, view, seed)


@dataclass
class Cheapest:
    """A player that always plays the cheapest action of a level."""

    game: AnyGame
    level: LevelFacts

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        return Thought(cheapest(self.game, self.level, 0, view, seed), 0.5, 0, 0)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[()]:
        return ()


@pytest.mark.parametrize(
    ("game", "matches", "least"),
    [
        ("einstein", 60, 0.7),
        at_night("emperado", 6, 0.8),
        at_night("plateau", 6, 0.8),
        at_night("wec", 6, 0.8),
        ("connect_four", 40, 0.7),
        ("blind_duel", 100, 0.55),
    ],
)
def test_it_clearly_beats_random_play(game: str, matches: int, least: float):
    known = next(one for one in GAMES if one.facts.id == game)
    level = level_of(known, "")
    assert level is not None
    assert score(known, options_of(known), Cheapest(known, level), RandomPlayer(known), matches, seed=3) >= least


def test_a_cheapest_move_needs_a_seat_to_act():
    for game in GAMES:
        level = level_of(game, "")
        assert level is not None
        position = game.new(options_of(game), game.facts.min_seats, None, bytes(SEED_BYTES)).position
        waiting = next(seat for seat in range(game.seats(position)) if seat not in game.to_act(position))
        with pytest.raises(NothingToDo):
            cheapest(game, level, 0, game.view(position, waiting), 1)
        with pytest.raises(NothingToDo):
            cheapest(game, level, 0, game.view(position, None), 1)


def test_a_depth_that_the_level_does_not_allow_is_refused():
    game = games()["einstein"]
    level = level_of(game, "normal")
    assert level is not None
    with pytest.raises(ValueError, match="depth"):
        cheapest(game, level, 3, wandered(game, 1, 6), 1)
