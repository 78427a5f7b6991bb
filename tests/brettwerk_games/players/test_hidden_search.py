"""The search of games that hide things and have an estimate, at Liar's dice: it reads bids, and beats those who count odds."""

import math
import random
import time
from dataclasses import replace
from math import comb
from typing import Any

import pytest

from brettwerk_games.players.generic import GenericPlayer
from brettwerk_games.players.hidden_search import HiddenSearch, search_of
from brettwerk_games.players.interface import Thought
from brettwerk_games.players.monte_carlo import Search
from brettwerk_games.players.registry import level_of, make_player
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.registry import games
from tests.brettwerk_games.packages.packages import packaged
from tests.services.ai.matches import play

SEATS, DICE = 4, 5


@pytest.fixture(scope="module")
def dice_game() -> AnyGame:
    return packaged("liars_dice")


def bidding(game: AnyGame, faces: tuple[int, ...], number: int, face: int) -> Any:
    """Return what the first seat sees in a first round, in which it has these faces and the seat before it has made a bid."""
    start = game.new(game.codec.decode(Kind.OPTIONS, b""), SEATS, None, bytes(SEED_BYTES)).position
    hands = (type(start.hands[0])(faces), *start.hands[1:])
    return game.view(replace(start, hands=hands, bid=type(start.bid)(number, face)), 0)


def odds(others: int, missing: int) -> float:
    """Return how likely so many dice, of which nothing is known, show at least so many of a face."""
    ways: int = sum(comb(others, shown) * 5 ** (others - shown) for shown in range(max(0, missing), others + 1))
    chance: float = ways / 6**others
    return chance


class OddsBidder:
    """Calls a bid that is more likely false than true by what it sees, else bids what is likeliest to be true."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        position, dice = view.position, random.Random(seed)
        own = position.hands[view.seat].faces
        others = sum(len(hand.faces) for hand in position.hands) - len(own)

        def truth(bid: Any) -> float:
            return odds(others, bid.number - own.count(bid.face))

        actions = self._game.actions(view)
        call = next((action for action in actions if not action.number), None)
        bids = [action for action in actions if action.number]
        if call is not None and (not bids or truth(position.bid) < 0.5):
            return Thought(call, 0.5, 0, 0)
        return Thought(max(bids, key=lambda bid: (truth(bid), dice.random())), 0.5, 0, 0)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[()]:
        return ()


def test_it_calls_what_cannot_be_true(dice_game: AnyGame) -> None:
    view = bidding(dice_game, (1, 1, 2, 2, 3), 16, 6)
    for seed in range(5):
        assert not GenericPlayer(dice_game, 400).think(view, math.inf, seed).action.number


def test_it_never_calls_what_its_own_dice_make_true(dice_game: AnyGame) -> None:
    view = bidding(dice_game, (6, 6, 6, 6, 6), 4, 6)
    for seed in range(5):
        assert GenericPlayer(dice_game, 400).think(view, math.inf, seed).action.number


def test_a_bid_speaks_for_itself(dice_game: AnyGame) -> None:
    """There is more of what was bid than among dice of which nothing is known."""
    search = search_of(dice_game, bidding(dice_game, (1, 2, 3, 4, 5), 3, 6), math.inf, 1)
    search.run(1)
    guesses = [search.guess() for _ in range(99)]
    shown = sum(hand.faces.count(6) for guess in guesses for hand in guess.hands)
    assert shown / len(guesses) > 1.1 * (SEATS - 1) * DICE / 6


def test_it_is_asked_where_things_are_hidden_and_estimated_and_nowhere_else(dice_game: AnyGame) -> None:
    assert isinstance(search_of(dice_game, bidding(dice_game, (1, 2, 3, 4, 5), 3, 6), math.inf, 1), HiddenSearch)
    for game in games().values():
        start = game.new(game.codec.decode(Kind.OPTIONS, b""), 2, None, bytes(SEED_BYTES)).position
        view = game.view(start, game.to_act(start)[0])
        assert game.estimate(start) is not None or type(search_of(game, view, math.inf, 1)) is Search


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_normal_wins_twice_its_share_against_three_who_count_odds(dice_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", time.process_time)
    level, matches, won = level_of(dice_game, "normal"), 60, 0.0
    assert level is not None
    for number in range(matches):
        start = dice_game.new(
            dice_game.codec.decode(Kind.OPTIONS, b""), SEATS, None, random.Random(number).randbytes(SEED_BYTES)
        ).position
        seated: list[Any] = [OddsBidder(dice_game) for _ in range(SEATS)]
        seated[number % SEATS] = InTime(make_player(dice_game, level, 0), level.think_ms / 1000)
        outcome = dice_game.outcome(play(dice_game, start, seated, number))
        assert outcome is not None
        won += outcome.scores[number % SEATS]
    assert won >= 2 * matches / SEATS


class InTime:
    """A player with so many seconds of CPU time an action."""

    def __init__(self, player: Any, seconds: float) -> None:
        self._player = player
        self._seconds = seconds

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        thought: Thought = self._player.think(view, time.monotonic() + self._seconds, seed)
        return thought

    def review(self, view: Any, deadline: float, seed: int) -> tuple[()]:
        return ()
