"""Whether a turn goes on: the aim of a turn is kept as long as the seat sees what came of its own actions."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.emperado import EmperadoPlayer
from brettwerk_games.players.emperado.continuation import goes_on
from brettwerk_games.rules.emperado import GAME
from brettwerk_games.rules.emperado.actions import Attack, Done, Place
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import Position
from tests.brettwerk_games.rules.emperado.worlds import apply, dealt
from tests.night import examples

ALL = (True,) * 6
STRONG_PLAYER = EmperadoPlayer(GAME, 3)


def think(player: EmperadoPlayer, position: Position, seed: int = 7):
    return player.think(GAME.view(position, position.to_move), math.inf, seed)


@settings(max_examples=examples(12), deadline=None)
@given(st.integers(2, 6), st.binary(min_size=32, max_size=32))
def test_every_action_goes_on_with_its_turn_but_the_one_that_ends_it(seats: int, seed: bytes) -> None:
    position = dealt(seats, seed, Options(computers=ALL))
    for number in range(80):
        action = think(STRONG_PLAYER, position).action
        after = apply(position, action, bytes([number]) * 32).position
        if after.end is not None:
            return
        assert goes_on(position, action, after) == (not isinstance(action, Done))
        assert not goes_on(position, action, position), "a position is not what came of an action in it"
        position = after


def test_an_expert_looks_ahead_once_in_a_turn() -> None:
    player, position = EmperadoPlayer(GAME, 4), dealt(2, options=Options(computers=ALL))
    searches, turns, turn, actions = 0, 0, None, 0
    for number in range(120):
        thought = think(player, position)
        searches += thought.nodes > 1
        turns += turn != (turn := (position.round, position.to_move))
        position = apply(position, thought.action, bytes([number]) * 32).position
        actions += 1
        if position.end is not None:
            break
    assert searches == turns
    assert actions > 4 * turns


def test_a_position_that_was_taken_back_or_changed_is_thought_about_anew() -> None:
    player, position = EmperadoPlayer(GAME, 4), dealt(3, options=Options(computers=ALL))
    first = think(player, position)
    after = apply(position, first.action).position
    assert isinstance(first.action, Place)
    assert think(player, position).nodes > 1, "the same again, as after an action that was taken back"
    assert think(player, after).nodes == 1
    think(player, position)
    other = after._replace(options=after.options._replace(coalition=0))
    assert think(player, other).nodes > 1
    think(player, position)
    elsewhere = next(country for country in range(60) if country != first.action.country)
    armies = tuple(count + (country == elsewhere) for country, count in enumerate(after.armies))
    assert think(player, after._replace(armies=armies)).nodes > 1


@settings(max_examples=examples(6), deadline=None)
@given(st.integers(2, 4), st.integers(0, 1000), st.integers(1, 30), st.integers(1, 30))
def test_asked_of_another_view_an_expert_thinks_like_a_new_one(seats: int, seed: int, begun: int, asked: int) -> None:
    player = EmperadoPlayer(GAME, 4)
    position = dealt(seats, bytes([seed % 256]) * 32, Options(computers=ALL))
    for number in range(begun):
        position = apply(position, think(player, position).action, bytes([number]) * 32).position
    other = dealt(seats, bytes([seed % 255 + 1]) * 31 + b"x", Options(computers=ALL))
    for number in range(asked):
        other = apply(other, think(STRONG_PLAYER, other).action, bytes([number]) * 32).position
    assert think(player, other) == think(EmperadoPlayer(GAME, 4), other)
    view = GAME.view(other, other.to_move)
    assert player.review(view, math.inf, 3) == EmperadoPlayer(GAME, 4).review(view, math.inf, 3)


def test_dice_do_not_end_a_turn() -> None:
    position = dealt(2, options=Options(computers=ALL))
    while not isinstance(action := think(STRONG_PLAYER, position).action, Attack):
        position = apply(position, action).position
    for number in range(20):
        assert goes_on(position, action, apply(position, action, bytes([number]) * 32).position)
