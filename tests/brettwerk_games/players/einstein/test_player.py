import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.einstein import BEST, EinsteinPlayer
from brettwerk_games.players.einstein.setups import ALL, GOOD
from brettwerk_games.players.einstein.sides import GONE, after_move, own, pair_of, side_of, squares_of
from brettwerk_games.players.interface import NothingToDo, OutOfTime
from brettwerk_games.players.measure.random_player import RandomPlayer
from brettwerk_games.rules.einstein import GAME, rules
from brettwerk_games.rules.einstein.board import BLACK, WHITE
from brettwerk_games.rules.einstein.options import Options, Setup
from brettwerk_games.rules.einstein.position import needs_roll
from tests.brettwerk_games.players.einstein.positions import positions, rolled
from tests.night import examples
from tests.services.ai.matches import play, score

STRENGTHS = [0, 1, 3, BEST, 150]


def test_a_side_is_written_and_read():
    squares = (0, 3, GONE, 24, 7, GONE)
    assert squares_of(side_of(squares)) == squares


@given(rolled())
@settings(max_examples=examples(150), deadline=None)
def test_the_small_picture_of_a_move_is_true(position):
    seat = position.to_move
    for move in rules.moves(position):
        after, _ = rules.play(position, move, 1)
        expected = None if after.winner is not None else (own(after.stones[1 - seat], 1 - seat), own(after.stones[seat], seat))
        assert after_move(pair_of(position), seat, move) == expected


@given(rolled(), st.sampled_from(STRENGTHS), st.integers(0, 2**64 - 1))
@settings(max_examples=examples(200), deadline=None)
def test_a_win_that_lies_before_it_is_always_taken(opened, position, strength, seed):
    view = GAME.view(position, position.to_move)
    thought = EinsteinPlayer(GAME, strength, 3000, opened).think(view, math.inf, seed)
    wins = [move for move in rules.moves(position) if rules.play(position, move, 1)[0].winner is not None]
    assert thought.action in (wins or GAME.actions(view))
    assert 0 <= thought.win_chance <= 1
    if wins:
        assert thought.win_chance == 1


@given(rolled(), st.sampled_from(STRENGTHS), st.integers(0, 2**64 - 1))
@settings(max_examples=examples(60), deadline=None)
def test_the_same_view_seed_and_node_limit_give_the_same_thought(opened, position, strength, seed):
    view = GAME.view(position, position.to_move)
    thoughts = {EinsteinPlayer(GAME, strength, 2000, opened).think(view, math.inf, seed) for _ in range(2)}
    assert len(thoughts) == 1
    assert next(iter(thoughts)).nodes <= 2000 + 40


@given(positions(), st.integers(1, 4))
@settings(max_examples=examples(60), deadline=None)
def test_the_best_moves_of_the_six_rolls_average_to_the_value_before_the_roll(opened, position, depth):
    seat = position.to_move
    rolls = range(1, 7) if needs_roll(position.stones[seat]) else (0,)
    player = EinsteinPlayer(GAME, depth, engine=opened)
    best = [player.review(GAME.view(position._replace(roll=roll), seat), math.inf, 1)[0].win_chance for roll in rolls]
    opened.engine.forget()
    opened.engine.begin(10**12, 10**12, lambda: False)
    expected = opened.engine.chance(*pair_of(position), depth)
    # A table's chances are rounded to steps of 1/65535.
    assert sum(best) / len(rolls) == pytest.approx(expected, abs=2e-5)


@given(rolled(), st.integers(1, 5), st.integers(0, 100))
@settings(max_examples=examples(100), deadline=None)
def test_a_chosen_move_is_the_best_one_of_the_review(opened, position, depth, seed):
    """A search that fails low returns a bound that equals the best chance up to rounding: that is no better move."""
    view = GAME.view(position, position.to_move)
    player = EinsteinPlayer(GAME, depth, engine=opened)
    if len(GAME.actions(view)) == 1:
        return
    thought, advice = player.think(view, math.inf, seed), player.review(view, math.inf, seed)
    by_action = {one.action: one.win_chance for one in advice}
    assert set(by_action) == set(GAME.actions(view))
    chances = [one.win_chance for one in advice]
    assert chances == sorted(chances, reverse=True)
    assert by_action[thought.action] == pytest.approx(chances[0], abs=2e-6)
    assert thought.win_chance == pytest.approx(chances[0], abs=2e-6)


@pytest.mark.nightly
def test_a_search_without_tables_beats_random_play_by_far(bare):
    options = Options(setup=Setup.RANDOM)
    assert score(GAME, options, EinsteinPlayer(GAME, 2, engine=bare), RandomPlayer(GAME), games=200, seed=3) >= 0.88


@pytest.mark.parametrize("strength", STRENGTHS)
def test_it_plays_whole_games_in_every_setup(opened, strength):
    for number, setup in enumerate(Setup):
        position = GAME.new(Options(setup=setup), 2, None, bytes([number]) * 32).position
        player = EinsteinPlayer(GAME, strength, 5000, opened)
        assert GAME.outcome(play(GAME, position, [player] * 2, seed=number)) is not None


def test_it_takes_a_good_setup_and_answers_one(opened):
    position = GAME.new(Options(setup=Setup.CHOSEN), 2, None, bytes(32)).position
    player = EinsteinPlayer(GAME, 3, engine=opened)
    black = player.think(GAME.view(position, BLACK), math.inf, 1)
    assert black.action.stones in GOOD
    position = GAME.apply(position, BLACK, black.action, bytes(32)).position
    white = player.think(GAME.view(position, WHITE), math.inf, 1)
    assert white.action.stones in ALL
    assert white.win_chance + black.win_chance > 0.97, "White sees Black's set-up and does not do worse than by taking the same"
    assert len(player.review(GAME.view(position, WHITE), math.inf, 1)) > 6


def test_after_the_deadline_it_answers_from_the_evaluation(opened):
    position = GAME.new(Options(), 2, None, bytes(32)).position
    view = GAME.view(position, position.to_move)
    thought = EinsteinPlayer(GAME, BEST, engine=opened).think(view, -math.inf, 1)
    assert thought.action in GAME.actions(view)
    assert thought.depth < 6


def test_an_interruption_is_answered_with_what_has_been_found(opened):
    position = GAME.new(Options(), 2, None, bytes(32)).position
    view = GAME.view(position, position.to_move)
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        if looks > 5:
            raise OutOfTime
        return 0.0

    thought = EinsteinPlayer(GAME, BEST, engine=opened, clock=clock).think(view, math.inf, 1)
    assert thought.action in GAME.actions(view)
    assert thought.depth > 1


def test_the_side_that_waits_has_nothing_to_do(opened):
    position = GAME.new(Options(), 2, None, bytes(32)).position
    with pytest.raises(NothingToDo):
        EinsteinPlayer(GAME, 2, engine=opened).think(GAME.view(position, 1 - position.to_move), math.inf, 1)
