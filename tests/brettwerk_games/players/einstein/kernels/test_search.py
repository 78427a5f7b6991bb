import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.einstein.evaluation import evaluation
from brettwerk_games.players.einstein.kernels.search import Engine
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.sides import own, pair_of
from brettwerk_games.players.interface import OutOfTime
from brettwerk_games.rules.einstein import rules
from brettwerk_games.rules.einstein.board import BLACK, WHITE
from brettwerk_games.rules.einstein.position import Position, needs_roll
from tests.brettwerk_games.players.einstein.positions import as_it_is, count, mirrored, positions, stones, turned
from tests.night import examples

ENDLESS = 10**15
PARTS = ("places", "horizon", "known", "met", "moves", "rolls")


def engine(star: int = 2, slots: int = 10, tables=None) -> Engine:
    made = Engine(layout(), evaluation(), tables or {}, slots, star)
    made.begin(ENDLESS, ENDLESS, lambda: False)
    return made


CASES = [
    (45, "3@A1", "5@E5", BLACK, Fraction(1)),
    (46, "1@D4 6@A1", "2@B2", WHITE, Fraction(1)),
    (47, "1@D3 4@D4", "2@B2 3@B3", BLACK, Fraction(17, 18)),
    (48, "1@C3 6@A1", "2@B2 5@E5", BLACK, Fraction(1050395, 1259712)),
]


@pytest.mark.parametrize(("number", "black", "white", "to_move", "exact"), CASES, ids=[str(case[0]) for case in CASES])
def test_without_tables_it_finds_exact_values_at_the_end_of_the_game(number, black, white, to_move, exact):
    sides = own(stones(white), WHITE), own(stones(black), BLACK)
    searcher = engine(slots=16)
    for depth in range(1, 40):
        before = searcher.met_horizon()
        found = searcher.chance(sides[to_move], sides[1 - to_move], depth)
        if searcher.met_horizon() == before:
            break
    assert depth < 39
    assert found == pytest.approx(float(exact), abs=1e-7)


def reference(position: Position, depth: int, horizon) -> float:
    """The value before the roll, straight from the game's own rules."""
    if depth == 0:
        return float(horizon(position))
    rolls = range(1, 7) if needs_roll(position.stones[position.to_move]) else (0,)
    total = 0.0
    for roll in rolls:
        rolled = position._replace(roll=roll)
        best = 0.0
        for move in rules.moves(rolled):
            after, _ = rules.play(rolled, move, 1)
            best = max(best, 1.0 if after.winner is not None else 1 - reference(after, depth - 1, horizon))
        total += best
    return total / len(rolls)


@given(positions(), st.integers(1, 2))
@settings(max_examples=examples(60), deadline=None)
def test_it_agrees_with_the_rules(position, depth):
    bare = engine()
    expected = reference(position, depth, lambda leaf: bare.chance(*pair_of(leaf), 0))
    assert engine().chance(*pair_of(position), depth) == pytest.approx(expected, abs=1e-7)


@given(positions(), st.integers(1, 4))
@settings(max_examples=examples(60), deadline=None)
def test_star1_and_star2_change_no_value(position, depth):
    plain, star1, star2 = (engine(star).chance(*pair_of(position), depth) for star in (0, 1, 2))
    assert star1 == pytest.approx(plain, abs=1e-7)
    assert star2 == pytest.approx(plain, abs=1e-7)


@given(positions(), st.integers(1, 4), st.floats(0, 0.99), st.floats(0.01, 1))
@settings(max_examples=examples(100), deadline=None)
def test_outside_of_its_window_it_returns_a_bound(position, depth, least, width):
    most = min(1.0, least + width)
    exact = engine().chance(*pair_of(position), depth)
    found = engine().search(*pair_of(position), depth, least, most)
    if least < found < most:
        assert found == pytest.approx(exact, abs=1e-7)
    elif found <= least:
        assert exact <= found + 1e-7
    else:
        assert exact >= found - 1e-7


@given(positions(), st.integers(0, 3))
@settings(max_examples=examples(60), deadline=None)
def test_a_small_memory_changes_no_value(position, depth):
    pair = pair_of(position)
    small, great = engine(slots=1), engine(slots=12)
    assert small.chance(*pair, depth) == pytest.approx(great.chance(*pair, depth), abs=1e-7)


@given(positions(), st.integers(0, 3))
@settings(max_examples=examples(60), deadline=None)
def test_values_keep_the_symmetries_of_the_game(position, depth):
    (white, black), to_move = position.stones, position.to_move
    expected = engine().chance(*pair_of(position), depth)
    for same in (
        Position((white[::-1], black), to_move),
        Position((white, black[::-1]), to_move),
        Position((mirrored(white), mirrored(black)), to_move),
        Position((turned(black), turned(white)), 1 - to_move),
    ):
        assert engine().chance(*pair_of(same), depth) == pytest.approx(expected, abs=1e-7)


@given(positions(most=4), st.integers(0, 2))
@settings(max_examples=examples(25), deadline=None)
def test_uncompiled_it_gives_the_same_answers(position, depth):
    plain = as_it_is("search", *PARTS).Engine(layout(), evaluation(), {}, 4)
    plain.begin(ENDLESS, ENDLESS, lambda: False)
    searcher = engine(slots=4)
    assert plain.chance(*pair_of(position), depth) == searcher.chance(*pair_of(position), depth)
    assert plain.looked_at() == searcher.looked_at()
    assert type(plain.moves).__module__ == "plain_moves", "no part of it is compiled"


@given(positions(least=2).filter(lambda position: count(position) > 4))
@settings(max_examples=examples(25), deadline=None)
def test_the_same_node_limit_ends_it_at_the_same_place(position):
    found = set()
    for _ in range(2):
        limited = engine(slots=10)
        limited.begin(2000, 100, lambda: False)
        values = [limited.chance(*pair_of(position), depth) for depth in range(1, 8)]
        found.add((tuple(values), limited.looked_at()))
    assert len(found) == 1


def test_a_search_goes_on_after_an_exception_from_its_interrupt():
    start = pair_of(Position((stones("5@E5 6@D5 4@C5 1@E4 3@D4 2@E3"), stones("1@A1 6@B1 3@C1 5@A2 2@B2 4@A3"))))
    searcher = engine(slots=12)

    def interrupt() -> bool:
        raise OutOfTime

    searcher.begin(ENDLESS, 1000, interrupt)
    with pytest.raises(OutOfTime):
        searcher.chance(*start, 6)
    assert searcher.looked_at() < 3000
    searcher.begin(ENDLESS, ENDLESS, lambda: False)
    assert searcher.chance(*start, 3) == pytest.approx(engine().chance(*start, 3), abs=1e-7)
    assert math.isclose(searcher.chance(*start, 0), engine().chance(*start, 0))
