import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.ai.players.einstein import EinsteinPlayer
from services.ai.players.einstein.race import race, turns
from services.ai.players.einstein.search import Search
from services.ai.players.einstein.sides import GONE as LANE_GONE
from services.ai.players.einstein.sides import NOBODY, losses, moves, side_of, squares_of
from services.ai.players.interface import NothingToDo
from services.games.einstein import GAME, rules
from services.games.einstein.actions import Move
from services.games.einstein.board import BLACK, SQUARES, WHITE
from services.games.einstein.options import Options, Setup
from services.games.einstein.position import ALL_GONE, GONE, Position, Side, needs_roll
from tests.services.ai.matches import RandomPlayer, play, score
from tests.services.games.einstein import exact

STONES = 6


def stones(text: str) -> Side:
    """Read '1@D4 6@A1' as the squares of a side."""
    side = list(ALL_GONE)
    for stone in text.split():
        number, _, square = stone.partition("@")
        side[int(number) - 1] = SQUARES.index(square)
    return tuple(side)


def lanes(side: Side, seat: int) -> int:
    return side_of([LANE_GONE if s == GONE else s if seat == BLACK else 24 - s for s in side])


def value(black: Side, white: Side, to_move: int, depth: int) -> tuple[list[float], int]:
    pair = [lanes(white, WHITE), lanes(black, BLACK)]
    return Search(math.inf).deepen([(pair[to_move], pair[1 - to_move])], depth)


CASES = [
    (45, "3@A1", "5@E5", BLACK, Fraction(1)),
    (46, "1@D4 6@A1", "2@B2", WHITE, Fraction(1)),
    (47, "1@D3 4@D4", "2@B2 3@B3", BLACK, Fraction(17, 18)),
    (48, "1@C3 6@A1", "2@B2 5@E5", BLACK, Fraction(1050395, 1259712)),
]


@pytest.mark.parametrize(("number", "black", "white", "to_move", "exact_value"), CASES, ids=[str(case[0]) for case in CASES])
def test_endgames_have_their_exact_values(number, black, white, to_move, exact_value):
    (found,), depth = value(stones(black), stones(white), to_move, 40)
    assert found == pytest.approx(float(exact_value), abs=1e-12)
    assert depth < 40


@st.composite
def positions(draw, least=1, most=STONES):
    """Positions before the roll in which nobody has won."""
    free = draw(st.permutations(range(25)))
    counts = draw(st.integers(least, most)), draw(st.integers(least, most))
    sides, taken = [], iter(free)
    for seat, goal in ((WHITE, 0), (BLACK, 24)):
        numbers = draw(st.permutations(range(STONES)))[: counts[seat]]
        side = list(ALL_GONE)
        for number in numbers:
            square = next(taken)
            side[number] = square if square != goal else next(taken)
        sides.append(tuple(side))
    return Position((sides[0], sides[1]), draw(st.sampled_from((WHITE, BLACK))))


def few(position: Position) -> bool:
    return sum(side.count(GONE) for side in position.stones) >= 2 * STONES - 3


@given(positions(most=2).filter(few))
@settings(max_examples=15, deadline=None)
def test_three_stones_are_played_out_exactly(position):
    white, black = position.stones
    sides = [frozenset((n, *divmod(square, 5)) for n, square in enumerate(side, 1) if square != GONE) for side in (black, white)]
    expected = exact.value(sides[0], sides[1], position.to_move == BLACK)
    (found,), _ = value(black, white, position.to_move, 40)
    assert found == pytest.approx(float(expected), abs=1e-12)


def renumbered(side: Side) -> Side:
    return side[::-1]


def mirrored(side: Side) -> Side:
    return tuple(GONE if s == GONE else s % 5 * 5 + s // 5 for s in side)


def turned(side: Side) -> Side:
    return tuple(GONE if s == GONE else 24 - s for s in side)


@given(positions())
@settings(max_examples=60, deadline=None)
def test_values_keep_the_symmetries_of_the_game(position):
    (white, black), to_move = position.stones, position.to_move
    expected = value(black, white, to_move, 2)[0][0]
    for same in (
        value(renumbered(black), white, to_move, 2),
        value(mirrored(black), mirrored(white), to_move, 2),
        value(turned(white), turned(black), 1 - to_move, 2),
    ):
        assert same[0][0] == pytest.approx(expected, abs=1e-12)


@given(positions(most=1), st.permutations(range(STONES)))
@settings(max_examples=40, deadline=None)
def test_the_number_of_a_single_stone_does_not_matter(position, order):
    white, black = position.stones
    renamed = tuple(black[i] for i in order)
    assert value(renamed, white, position.to_move, 4)[0] == pytest.approx(value(black, white, position.to_move, 4)[0], abs=1e-12)


def reference(position: Position, depth: int) -> float:
    """The value before the roll, straight from the game's own rules."""
    seat = position.to_move
    side = position.stones[seat]
    if depth == 0:
        return value(position.stones[BLACK], position.stones[WHITE], seat, 0)[0][0]
    rolls = range(1, 7) if needs_roll(side) else (0,)
    total = 0.0
    for roll in rolls:
        rolled = position._replace(roll=roll)
        best = 0.0
        for move in rules.moves(rolled):
            after, _ = rules.play(rolled, move, 1)
            best = max(best, 1.0 if after.winner is not None else 1 - reference(after, depth - 1))
        total += best
    return total / len(rolls)


@given(positions())
@settings(max_examples=60, deadline=None)
def test_the_search_agrees_with_the_rules_two_plies_deep(position):
    white, black = position.stones
    assert value(black, white, position.to_move, 2)[0][0] == pytest.approx(reference(position, 2), abs=1e-12)


@given(positions())
@settings(max_examples=60, deadline=None)
def test_the_best_moves_of_the_six_rolls_average_to_the_value_before_the_roll(position):
    (white, black), seat = position.stones, position.to_move
    rolls = range(1, 7) if needs_roll(position.stones[seat]) else (0,)
    player = EinsteinPlayer(GAME, 4)
    best = [player.think(GAME.view(position._replace(roll=roll), seat), math.inf, 1) for roll in rolls]
    depths = {thought.depth for thought in best}
    if depths == {4}:
        mean = sum(thought.win_chance for thought in best) / len(rolls)
        assert mean == pytest.approx(value(black, white, seat, 4)[0][0], abs=1e-12)


@given(positions(), st.integers(1, 6), st.integers(0, 3), st.integers(0, 2**64 - 1))
@settings(max_examples=200, deadline=None)
def test_a_win_that_lies_before_it_is_always_taken(position, roll, strength, seed):
    seat = position.to_move
    rolled = position._replace(roll=roll if needs_roll(position.stones[seat]) else 0)
    view = GAME.view(rolled, seat)
    thought = EinsteinPlayer(GAME, strength).think(view, math.inf, seed)
    wins = [move for move in rules.moves(rolled) if rules.play(rolled, move, 1)[0].winner == seat]
    assert thought.action in (wins or GAME.actions(view))
    if wins:
        assert thought.win_chance == 1


@given(positions(), st.integers(1, 6), st.integers(0, 2**64 - 1))
@settings(max_examples=30, deadline=None)
def test_the_same_view_seed_and_node_limit_give_the_same_thought(position, roll, seed):
    seat = position.to_move
    view = GAME.view(position._replace(roll=roll if needs_roll(position.stones[seat]) else 0), seat)
    thoughts = {EinsteinPlayer(GAME, 30, node_limit=500).think(view, math.inf, seed) for _ in range(2)}
    assert len(thoughts) == 1
    assert next(iter(thoughts)).nodes <= 500 + 7


@given(positions())
@settings(max_examples=100, deadline=None)
def test_small_pictures_of_a_side_are_true(position):
    white, black = position.stones
    mover, other = lanes(black, BLACK), lanes(white, WHITE)
    assert squares_of(mover) == tuple(LANE_GONE if s == GONE else s for s in black)
    for stone, options in moves(mover):
        for after, target in options:
            rolled = position._replace(to_move=BLACK, roll=stone + 1 if needs_roll(black) else 0)
            expected, _ = rules.play(rolled, Move(stone + 1, target), 1)
            assert after == lanes(expected.stones[BLACK], BLACK)
            assert losses(other).get(target, other) == lanes(expected.stones[WHITE], WHITE)


def test_a_side_needs_as_many_turns_as_its_only_stone_has_steps():
    for steps in (1, 2, 3, 4):
        assert turns((0, 0, steps, 0, 0, 0))[0] == pytest.approx(steps)


@given(st.tuples(*[st.integers(0, 4)] * 6).filter(any), st.tuples(*[st.integers(0, 4)] * 6).filter(any))
@settings(max_examples=100, deadline=None)
def test_a_race_is_won_by_one_of_two(mine, yours):
    assert sum(turns(mine)[1]) == pytest.approx(1)
    first, second = race(mine, yours), race(yours, mine)
    ties = sum(a * b for a, b in zip(turns(mine)[1], turns(yours)[1], strict=True))
    assert first + second == pytest.approx(1 + ties)


def test_two_plies_beat_random_play_by_far():
    options = Options(setup=Setup.RANDOM)
    assert score(GAME, options, EinsteinPlayer(GAME, 2), RandomPlayer(GAME), games=200, seed=3) >= 0.88


def test_a_deeper_search_is_stronger():
    options = Options(setup=Setup.RANDOM)
    assert score(GAME, options, EinsteinPlayer(GAME, 3), EinsteinPlayer(GAME, 1), games=300, seed=4) > 0.53


@pytest.mark.parametrize("strength", [0, 1, 3])
def test_it_plays_whole_games_in_every_setup(strength):
    for number, setup in enumerate(Setup):
        position = GAME.new(Options(setup=setup), 2, None, bytes([number]) * 32).position
        assert GAME.outcome(play(GAME, position, [EinsteinPlayer(GAME, strength)] * 2, seed=number)) is not None


def test_a_review_shows_every_move_best_first_and_its_first_is_the_move():
    position = GAME.new(Options(), 2, None, bytes(32)).position
    view = GAME.view(position, position.to_move)
    player = EinsteinPlayer(GAME, 3)
    advice = player.review(view, math.inf, 1)
    assert {one.action for one in advice} == set(GAME.actions(view))
    chances = [one.win_chance for one in advice]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] == player.think(view, math.inf, 1).win_chance


def test_after_the_deadline_it_answers_from_the_evaluation():
    position = GAME.new(Options(), 2, None, bytes(32)).position
    view = GAME.view(position, position.to_move)
    thought = EinsteinPlayer(GAME, 60).think(view, -math.inf, 1)
    assert thought.action in GAME.actions(view)
    assert thought.depth < 6


def test_the_side_that_waits_has_nothing_to_do():
    position = GAME.new(Options(), 2, None, bytes(32)).position
    with pytest.raises(NothingToDo):
        EinsteinPlayer(GAME, 2).think(GAME.view(position, 1 - position.to_move), math.inf, 1)


def test_a_side_without_stones_is_nobody():
    assert side_of([LANE_GONE] * STONES) == NOBODY
    assert all(losses(side_of([LANE_GONE] * stone + [7] + [LANE_GONE] * (5 - stone)))[17] == NOBODY for stone in range(STONES))
    assert not any(product(moves(NOBODY)))
