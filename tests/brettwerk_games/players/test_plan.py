"""Plans of turns: played on as expected, and forgotten as soon as anything else is seen."""

import math
import random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from brettwerk_games.players.interface import Player
from brettwerk_games.players.plan import Plan
from brettwerk_games.players.registry import level_of, make_player
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.registry import games
from tests.brettwerk_games.rules.blind_duel import game as blind_duel
from tests.night import examples

DUEL: AnyGame = blind_duel.BlindDuel()
PLANNERS = ("plateau", "wec")


def player_of(game: AnyGame, level: str = "normal") -> Player:
    facts = level_of(game, level)
    assert facts is not None
    return make_player(game, facts, 0)


def played(game: AnyGame, player: Player, actions: int, seed: int) -> list[Any]:
    """Return the views of the seats to act in a game that one player object plays for all seats."""
    position = game.new(game.codec.decode(Kind.OPTIONS, b""), 2, None, random.Random(seed).randbytes(SEED_BYTES)).position
    views: list[Any] = []
    while game.to_act(position) and len(views) < actions:
        seat = game.to_act(position)[0]
        views.append(game.view(position, seat))
        action = player.think(views[-1], math.inf, seed).action
        position = game.apply(position, seat, action, bytes(SEED_BYTES)).position
    return views


@pytest.mark.parametrize("name", PLANNERS)
def test_the_rest_of_a_turn_is_played_from_the_plan(name: str) -> None:
    game = games()[name]
    player = player_of(game)
    position = game.new(game.codec.decode(Kind.OPTIONS, b""), 2, None, bytes(SEED_BYTES)).position
    planned = 0
    for number in range(60):
        seat = game.to_act(position)[0]
        view = game.view(position, seat)
        thought = player.think(view, math.inf, number)
        assert thought.action in game.actions(view)
        planned += thought.nodes == 0
        position = game.apply(position, seat, thought.action, bytes(SEED_BYTES)).position
    assert planned >= (30 if name == "plateau" else 5)


@pytest.mark.parametrize("name", PLANNERS)
@settings(max_examples=examples(4), deadline=None)
@given(seed=st.integers(0, 1000), begun=st.integers(1, 16), asked=st.integers(1, 16))
def test_asked_of_another_view_a_player_thinks_like_a_new_one(name: str, seed: int, begun: int, asked: int) -> None:
    game = games()[name]
    player = player_of(game)
    first = played(game, player, begun, seed)
    other = played(game, player_of(game), asked, seed + 1)
    assume(other[-1] != played(game, player_of(game), begun + 1, seed)[-1])  # two games may come to what the plan expects
    assert player.think(other[-1], math.inf, 7) == player_of(game).think(other[-1], math.inf, 7)
    # The same view once more, as after an answer that was lost: the plan that was made meanwhile is of no use for it.
    assert player.think(other[-1], math.inf, 7) == player_of(game).think(other[-1], math.inf, 7)
    assert player.think(first[0], math.inf, 7) == player_of(game).think(first[0], math.inf, 7)


@pytest.mark.parametrize("name", PLANNERS)
@settings(max_examples=examples(2), deadline=None)
@given(seed=st.integers(0, 1000))
def test_two_objects_that_are_asked_the_same_play_the_same_turns(name: str, seed: int) -> None:
    game = games()[name]
    assert played(game, player_of(game), 40, seed) == played(game, player_of(game), 40, seed)


DRAWN = (blind_duel.Action.DRAW, blind_duel.Action.CALL)


def duel(next_card: int) -> blind_duel.Position:
    others = tuple(card for card in (2, 3, 4, 5, 6) if card != next_card)
    return blind_duel.Position((1, others[0]), (next_card, *others[1:]))


def test_a_plan_goes_on_only_when_the_seat_sees_what_it_expected() -> None:
    plan = Plan(DUEL)
    for card in (2, 3, 4, 5, 6):
        plan.keep(duel(4), 0, DRAWN)
        after = DUEL.apply(duel(card), 0, DRAWN[0], bytes(SEED_BYTES)).position
        going_on = plan.go_on(DUEL.view(after, 0))
        assert (going_on is not None) == (card == 4)
        if going_on is not None:
            assert going_on == (after, DRAWN[1:])
        assert plan.go_on(DUEL.view(after, 0)) is None, "what was asked for once is gone"


def test_a_plan_that_was_made_of_a_guess_in_which_its_action_is_illegal_is_forgotten() -> None:
    plan = Plan(DUEL)
    empty = duel(4)._replace(drawn=(blind_duel.DRAWS, 0))
    plan.keep(empty, 0, DRAWN)
    assert plan.go_on(DUEL.view(empty, 0)) is None


def test_of_a_turn_of_one_action_nothing_is_left() -> None:
    plan = Plan(DUEL)
    assert plan.go_on(DUEL.view(duel(4), 0)) is None
    plan.keep(duel(4), 0, DRAWN[:1])
    assert plan.go_on(DUEL.view(DUEL.apply(duel(4), 0, DRAWN[0], bytes(SEED_BYTES)).position, 0)) is None
