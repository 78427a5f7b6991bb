"""How games begin: set-ups, the lot, the first roll, start positions."""

from collections import Counter

import pytest

from brettwerk_games.rules.einstein.actions import Arrange, Arranged, Move, Rolled
from brettwerk_games.rules.einstein.board import ARRANGEMENTS, BLACK, STANDARD, WHITE
from brettwerk_games.rules.einstein.options import First, Options, Setup
from brettwerk_games.rules.einstein.position import BOTH_ARRANGE, WHITE_ARRANGES, End, Position
from brettwerk_games.rules.refusals import Illegal, Malformed, NotYourTurn
from tests.brettwerk_games.rules.einstein.boards import EINSTEIN, EXAMPLE, INITIAL, SEED, board, stones
from tests.brettwerk_games.rules.kit.play import seed_of


def new(options: Options, start: Position | None = None, seed: bytes = SEED) -> Position:
    return EINSTEIN.new(options, 2, start, seed).position


def test_the_standard_set_up_is_the_manuals_picture() -> None:
    step = EINSTEIN.new(Options(), 2, None, SEED)
    assert step.position == board(*INITIAL, "white", step.position.roll)
    assert step.events == (Rolled(step.position.roll),)


@pytest.mark.parametrize("setup", list(Setup))
@pytest.mark.parametrize(("first", "seat"), [(First.WHITE, WHITE), (First.BLACK, BLACK)])
def test_the_option_says_who_moves_first(setup: Setup, first: First, seat: int) -> None:
    position = new(Options(first=first, setup=setup))
    assert position.first == seat
    while position.arranging:
        position = EINSTEIN.apply(position, position.to_move, Arrange(STANDARD[position.to_move]), SEED).position
    assert EINSTEIN.to_act(position) == (seat,)


def test_the_lot_lets_either_side_begin() -> None:
    firsts = Counter(new(Options(first=First.LOT), seed=seed_of(number)).to_move for number in range(400))
    assert 150 < firsts[WHITE] < 250


def test_rolls_of_the_first_turn_are_fair() -> None:
    rolls = Counter(new(Options(), seed=seed_of(number)).roll for number in range(3000))
    assert sorted(rolls) == [1, 2, 3, 4, 5, 6]
    assert sum((count - 500) ** 2 / 500 for count in rolls.values()) < 20.5


def test_random_set_ups_stand_on_the_start_squares_and_differ() -> None:
    seen = set()
    for number in range(200):
        step = EINSTEIN.new(Options(setup=Setup.RANDOM), 2, None, seed_of(number))
        assert [sorted(side) for side in step.position.stones] == [sorted(side) for side in board(*INITIAL, "white").stones]
        black, white, rolled = step.events
        assert isinstance(black, Arranged)
        assert isinstance(white, Arranged)
        assert (black.seat, white.seat, rolled) == (BLACK, WHITE, Rolled(step.position.roll))
        seen.add((black.stones, white.stones))
    assert len(seen) > 195


def test_players_who_choose_arrange_black_first_and_then_roll() -> None:
    step = EINSTEIN.new(Options(setup=Setup.CHOSEN), 2, None, SEED)
    assert (step.position.arranging, step.position.roll, step.events) == (BOTH_ARRANGE, 0, ())
    assert EINSTEIN.to_act(step.position) == (BLACK,)
    assert len(EINSTEIN.actions(EINSTEIN.view(step.position, BLACK))) == 720
    black = Arrange((6, 5, 4, 3, 2, 1))
    with pytest.raises(NotYourTurn):
        EINSTEIN.apply(step.position, WHITE, black, SEED)
    step = EINSTEIN.apply(step.position, BLACK, black, SEED)
    assert step.events == (Arranged(BLACK, black.stones),)
    assert (step.position.arranging, step.position.roll) == (WHITE_ARRANGES, 0)
    assert stones(step.position, "black") == "1@A3 2@B2 3@A2 4@C1 5@B1 6@A1"
    white = Arrange((1, 2, 3, 4, 5, 6))
    step = EINSTEIN.apply(step.position, WHITE, white, SEED)
    assert stones(step.position, "white") == "1@E5 2@D5 3@C5 4@E4 5@D4 6@E3"
    assert step.events == (Arranged(WHITE, white.stones), Rolled(step.position.roll))
    assert EINSTEIN.to_act(step.position) == (WHITE,)


def test_arranging_the_standard_way_gives_the_standard_set_up() -> None:
    position = new(Options(setup=Setup.CHOSEN))
    for seat in (BLACK, WHITE):
        view = EINSTEIN.view(position, seat)
        assert EINSTEIN.expire(view) == Arrange(STANDARD[seat])
        position = EINSTEIN.apply(position, seat, EINSTEIN.expire(view), SEED).position
    assert position.stones == board(*INITIAL, "white").stones


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4, 5, 5), (1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5)])
def test_an_arrangement_names_each_number_once(numbers: tuple[int, ...]) -> None:
    with pytest.raises(Illegal) as refused:
        EINSTEIN.apply(new(Options(setup=Setup.CHOSEN)), BLACK, Arrange(numbers), SEED)
    assert refused.value.rule == "EWN-BOARD-4"


def test_stones_are_moved_or_arranged_only_in_the_phase_for_it() -> None:
    with pytest.raises(Illegal) as refused:
        EINSTEIN.apply(new(Options(setup=Setup.CHOSEN)), BLACK, Move(1, 1), SEED)
    assert refused.value.rule == "EWN-BOARD-4"
    with pytest.raises(Illegal) as refused:
        EINSTEIN.apply(new(Options()), WHITE, Arrange(ARRANGEMENTS[0]), SEED)
    assert refused.value.rule == "EWN-BOARD-4"


@pytest.mark.parametrize("seats", [0, 1, 3, 6])
def test_two_play(seats: int) -> None:
    with pytest.raises(Malformed) as refused:
        EINSTEIN.new(Options(), seats, None, SEED)
    assert refused.value.field == "seats"


def test_a_given_roll_stands_and_a_missing_one_is_rolled() -> None:
    given = EINSTEIN.new(Options(show_roll=True), 2, board(*EXAMPLE, "black", 4), SEED)
    assert given.position == board(*EXAMPLE, "black", 4)._replace(first=BLACK, show_roll=True)
    assert given.events == (Rolled(4),)
    rolls = {new(Options(), board(*EXAMPLE, "black"), seed_of(number)).roll for number in range(100)}
    assert rolls == {1, 2, 3, 4, 5, 6}


def test_a_side_with_one_stone_starts_without_a_roll() -> None:
    step = EINSTEIN.new(Options(), 2, board("3@B2", "1@E5 2@E4", "black"), SEED)
    assert (step.position.roll, step.events) == (0, ())


def test_stones_may_start_anywhere_but_in_the_corner_they_run_for() -> None:
    position = new(Options(), board("1@A5 2@E1", "6@B1 3@E4", "black", 2))
    assert EINSTEIN.actions(EINSTEIN.view(position, BLACK))


@pytest.mark.parametrize(
    ("start", "rule"),
    [
        (board("1@E5", "1@D4", "white"), "EWN-END-1"),
        (board("1@B2", "1@A1", "white"), "EWN-END-1"),
        (board("", "1@D4", "white"), "EWN-END-2"),
        (board("1@B2", "", "white"), "EWN-END-2"),
        (board("1@B2", "1@D4", "white", 3), "EWN-TURN-5"),
        (board("1@B2 2@B2", "1@D4", "white"), "EWN-START-1"),
        (board("1@B2", "1@B2", "white"), "EWN-START-1"),
        (board(*INITIAL, "black")._replace(arranging=WHITE_ARRANGES), "EWN-START-1"),
        (board("1@E5", "1@D4", "black")._replace(winner=BLACK, end=End.CORNER), "EWN-END-1"),
        (board("1@E4", "1@D4", "black")._replace(winner=BLACK, end=End.TIME), "EWN-END-3"),
    ],
)
def test_a_start_position_that_nobody_can_play_on_from_is_refused(start: Position, rule: str) -> None:
    with pytest.raises(Illegal) as refused:
        new(Options(), start)
    assert refused.value.rule == rule


def test_options_of_the_set_up_do_nothing_to_a_start_position() -> None:
    start = board(*EXAMPLE, "white", 3)
    for first in First:
        for setup in Setup:
            position = new(Options(first=first, setup=setup), start)
            assert position == start._replace(first_option=first, setup=setup)
