import math
import random
import statistics
from typing import Any, cast

import pytest

from brettwerk_games.players.generic import GenericPlayer
from brettwerk_games.players.interface import NothingToDo, OutOfTime
from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.einstein import GAME as EINSTEIN
from brettwerk_games.rules.einstein.board import BLACK, WHITE
from brettwerk_games.rules.einstein.options import Options, Setup
from brettwerk_games.rules.einstein.position import GONE, Position, View
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.ranking import ranked
from brettwerk_games.rules.registry import games
from tests.brettwerk_games.rules.blind_duel import game as blind_duel
from tests.night import by_day
from tests.services.ai.matches import play, score


def start(game: AnyGame, seats: int) -> Any:
    return game.new(game.codec.decode(Kind.OPTIONS, b""), seats, None, bytes(SEED_BYTES)).position


some_game = pytest.mark.parametrize("game", by_day(games().values(), games()["einstein"]), ids=lambda game: game.facts.id)


@some_game
def test_it_plays_every_game_legally_with_any_number_of_seats(game):
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        players = [GenericPlayer(game, 2)] * seats
        play(game, start(game, seats), players, seed=seats, max_actions=5)


@some_game
def test_it_thinks_the_same_of_the_same_view_seed_and_strength(game):
    position = start(game, game.facts.min_seats)
    view = game.view(position, game.to_act(position)[0])
    player = GenericPlayer(game, 4)
    assert player.think(view, math.inf, 7) == GenericPlayer(game, 4).think(view, math.inf, 7)
    assert player.review(view, math.inf, 7) == player.review(view, math.inf, 7)


@pytest.mark.nightly
def test_it_clearly_beats_random_play():
    share = score(EINSTEIN, Options(setup=Setup.RANDOM), GenericPlayer(EINSTEIN, 60), RandomPlayer(EINSTEIN), games=60, seed=1)
    assert share >= 0.7


def near_end() -> View:
    """White may win at once with one of three moves."""
    white, black = (6, GONE, 24, GONE, GONE, GONE), (18, 0, GONE, GONE, GONE, GONE)
    return EINSTEIN.view(Position((white, black), WHITE, roll=1), WHITE)


def test_it_sees_a_win_and_says_so():
    thought = GenericPlayer(EINSTEIN, 100).think(near_end(), math.inf, 1)
    assert thought.action.target == 0
    assert thought.win_chance > 0.95


def test_a_review_is_ordered_and_agrees_with_the_move():
    advice = GenericPlayer(EINSTEIN, 200).review(near_end(), math.inf, 1)
    assert [one.win_chance for one in advice] == sorted((one.win_chance for one in advice), reverse=True)
    assert advice[0].action.target == 0
    assert {one.action for one in advice} <= set(EINSTEIN.actions(near_end()))


class Partners:
    """EinStein whose two seats are partners: whoever gets there, they share the point."""

    def __getattr__(self, name: str) -> Any:
        return getattr(EINSTEIN, name)

    def sides(self, position):
        return 0, 0

    def outcome(self, position):
        ended = EINSTEIN.outcome(position)
        return ended and ranked([1, 1], ended.reason, ended.rule, is_draw=False, sides=(0, 0))


def test_the_victory_of_a_partner_is_ones_own():
    player = GenericPlayer(cast(AnyGame, Partners()), 20)
    assert player.think(near_end(), math.inf, 1).win_chance == pytest.approx(1)
    assert all(advice.win_chance == pytest.approx(1) for advice in player.review(near_end(), math.inf, 1))


def test_after_the_deadline_it_still_answers_with_a_legal_action():
    thought = GenericPlayer(EINSTEIN, 1000).think(near_end(), -math.inf, 1)
    assert thought.action in EINSTEIN.actions(near_end())
    assert thought.nodes == 0


class Interrupting:
    """A game in which the worker's limit strikes after some actions, wherever the search is then."""

    def __init__(self, after: int) -> None:
        self._left = after

    def __getattr__(self, name: str) -> Any:
        return getattr(EINSTEIN, name)

    def position_after(self, position, seat, action, seed):
        self._left -= 1
        if self._left < 0:
            raise OutOfTime
        return EINSTEIN.position_after(position, seat, action, seed)


@pytest.mark.parametrize("after", [0, 1, 50, 1000])
def test_when_it_is_interrupted_it_answers_with_the_best_so_far(after):
    thought = GenericPlayer(cast(AnyGame, Interrupting(after)), 10**9).think(near_end(), math.inf, 1)
    assert thought.action in EINSTEIN.actions(near_end())
    if after == 1000:
        assert thought.action.target == 0


def test_a_thought_needs_a_seat_to_act():
    position = start(EINSTEIN, 2)
    with pytest.raises(NothingToDo):
        GenericPlayer(EINSTEIN, 10).think(EINSTEIN.view(position, BLACK), math.inf, 1)
    with pytest.raises(NothingToDo):
        GenericPlayer(EINSTEIN, 10).think(EINSTEIN.view(position, None), math.inf, 1)


@pytest.mark.nightly
def test_more_iterations_play_better():
    dice = random.Random(5)
    share = score(
        EINSTEIN, Options(setup=Setup.RANDOM), GenericPlayer(EINSTEIN, 100), GenericPlayer(EINSTEIN, 4), 40, dice.getrandbits(32)
    )
    assert share > 0.55


DUEL: AnyGame = blind_duel.BlindDuel()


def duel_view(mine: int) -> Any:
    """The first seat holds a card and knows nothing of the other's."""
    others = tuple(card for card in blind_duel.CARDS if card != mine)
    return DUEL.view(blind_duel.Position((mine, others[0]), others[1:]), 0)


@pytest.mark.nightly
def test_hidden_things_are_weighed_by_their_chances():
    best = GenericPlayer(DUEL, 400).think(duel_view(6), math.inf, 1)
    assert best.action == blind_duel.Action.CALL
    assert best.win_chance == 1
    # It is rarely tried where others are better, so one search alone says little of it.
    received = [GenericPlayer(DUEL, 4000).review(duel_view(3), math.inf, seed) for seed in range(6)]
    calls = [advice.win_chance for review in received for advice in review if advice.action == blind_duel.Action.CALL]
    assert statistics.fmean(calls) == pytest.approx(2 / 5, abs=0.06)
    assert GenericPlayer(DUEL, 400).think(duel_view(1), math.inf, 1).action != blind_duel.Action.CALL


def test_it_beats_random_play_where_things_are_hidden():
    assert score(DUEL, (), GenericPlayer(DUEL, 100), RandomPlayer(DUEL), games=100, seed=2) >= 0.6
