"""The turn, on boards drawn at random and against rules written a second time (exact.py)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk_games.rules.einstein.actions import Ended, Move, Moved
from brettwerk_games.rules.einstein.board import BLACK, GOAL, WHITE
from brettwerk_games.rules.einstein.options import First, Options, Setup
from brettwerk_games.rules.einstein.position import ALL_GONE, GONE, End, Position, needs_roll, squares
from brettwerk_games.rules.einstein.rules import moves, play
from brettwerk_games.rules.interface import Draw, Effect, Flag, Reoption, Resign
from brettwerk_games.rules.refusals import GameOver, Illegal, Malformed
from tests.brettwerk_games.rules.einstein.boards import EINSTEIN, EXAMPLE, INITIAL, SEED, board
from tests.brettwerk_games.rules.einstein.exact import Side, movable, targets, turned


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions that a game can start from, with a roll."""
    squares = draw(st.permutations(range(25)))
    sides = []
    for seat in (WHITE, BLACK):
        free = [square for square in squares[12 * seat : 12 * seat + 12] if square != GOAL[seat]]
        standing = draw(st.lists(st.integers(0, 5), min_size=1, max_size=6, unique=True))
        sides.append(tuple(free[stone] if stone in standing else GONE for stone in range(6)))
    to_move = draw(st.sampled_from((WHITE, BLACK)))
    roll = draw(st.integers(1, 6)) if needs_roll(sides[to_move]) else 0
    return Position((sides[0], sides[1]), to_move, roll)


def as_exact(position: Position) -> Side:
    """Return the side to move as exact.py has it: running for E5."""
    own = frozenset((n, *divmod(square, 5)) for n, square in enumerate(position.stones[position.to_move], 1) if square != GONE)
    return own if position.to_move == BLACK else turned(own)


@given(positions())
def test_legal_moves_are_those_of_the_rules_written_twice(position: Position) -> None:
    turn = 24 if position.to_move == WHITE else 0
    mine = as_exact(position)
    roll = position.roll or next(iter(mine))[0]
    expected = {Move(stone[0], abs(turn - (5 * r + c))) for stone in movable(mine, roll) for r, c in targets(stone)}
    assert set(moves(position)) == expected
    assert expected


@given(positions())
def test_moves_are_listed_by_stone_and_then_by_square(position: Position) -> None:
    assert list(moves(position)) == sorted(moves(position))


@given(positions(), st.integers(1, 6), st.integers(0, 24))
def test_an_illegal_move_is_refused_by_the_rule_that_forbids_it(position: Position, stone: int, target: int) -> None:
    legal = moves(position)
    if Move(stone, target) in legal:
        EINSTEIN.apply(position, position.to_move, Move(stone, target), SEED)
        return
    with pytest.raises(Illegal) as refused:
        EINSTEIN.apply(position, position.to_move, Move(stone, target), SEED)
    side = position.stones[position.to_move]
    rule = "EWN-TURN-3" if position.roll and side[position.roll - 1] != GONE else "EWN-TURN-4"
    expected = "EWN-MOVE-1" if stone in {move.stone for move in legal} else rule if position.roll else "EWN-TURN-5"
    assert refused.value.rule == expected


@given(positions(), st.integers(1, 6), st.data())
def test_a_move_changes_the_two_squares_it_names_and_nothing_else(position: Position, roll: int, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(moves(position)))
    after, moved = play(position, move, roll)
    seat = position.to_move
    assert moved.captured == squares(position)[move.target]
    for side in (WHITE, BLACK):
        for stone, square in enumerate(position.stones[side], 1):
            now = after.stones[side][stone - 1]
            if (side, stone) == (seat, move.stone):
                assert now == move.target == moved.target
                assert square == moved.source
            else:
                assert now == (GONE if square == move.target else square)
    won = move.target == GOAL[seat] or after.stones[1 - seat] == ALL_GONE
    assert (after.winner == seat) == won
    assert after.roll == (roll if not won and needs_roll(after.stones[1 - seat]) else 0)


@given(positions())
def test_clients_are_told_which_moves_take_a_stone(position: Position) -> None:
    standing = [square for stones in position.stones for square in stones if square != GONE]
    for move in moves(position):
        takes = move.target in standing
        assert EINSTEIN.choice(EINSTEIN.view(position, position.to_move), move).effects == ((Effect.TAKES,) if takes else ())


@given(positions(), st.binary(min_size=32, max_size=32))
def test_applying_plays_the_move_with_the_roll_of_the_seed(position: Position, seed: bytes) -> None:
    move = moves(position)[0]
    step = EINSTEIN.apply(position, position.to_move, move, seed)
    assert step.position == play(position, move, step.position.roll)[0]
    assert isinstance(step.events[0], Moved)
    assert not step.reveals


def test_an_unrolled_position_has_no_moves_and_says_why() -> None:
    position = board(*INITIAL, "white")
    assert moves(position) == ()
    with pytest.raises(Illegal) as refused:
        EINSTEIN.apply(position, WHITE, Move(3, 12), SEED)
    assert refused.value.rule == "EWN-TURN-2"
    with pytest.raises(Illegal):
        EINSTEIN.expire(EINSTEIN.view(position, WHITE))


@pytest.mark.parametrize("seat", [WHITE, BLACK])
@pytest.mark.parametrize(("kind", "end"), [(Resign, End.RESIGNED), (Flag, End.TIME)])
def test_a_player_who_resigns_or_runs_out_of_time_has_lost(seat: int, kind: type[Resign] | type[Flag], end: End) -> None:
    step = EINSTEIN.system_action(board(*INITIAL, "white", 3), kind(seat), SEED)
    assert step.events == (Ended(1 - seat, end),)
    assert step.position.roll == 0
    assert EINSTEIN.to_act(step.position) == ()
    outcome = EINSTEIN.outcome(step.position)
    assert outcome is not None
    assert outcome.scores[seat] == 0
    assert outcome.rule == "EWN-END-3"
    with pytest.raises(GameOver):
        EINSTEIN.system_action(step.position, kind(1 - seat), SEED)


def test_only_two_seats_can_resign() -> None:
    with pytest.raises(Malformed):
        EINSTEIN.system_action(board(*INITIAL, "white", 3), Resign(2), SEED)


def test_there_is_no_draw() -> None:
    with pytest.raises(Illegal) as refused:
        EINSTEIN.system_action(board(*INITIAL, "white", 3), Draw(), SEED)
    assert refused.value.rule == "EWN-END-2"


def test_the_die_can_be_shown_at_any_time_and_nothing_else_changes() -> None:
    position = EINSTEIN.new(Options(first=First.BLACK, setup=Setup.RANDOM), 2, None, SEED).position
    changed = EINSTEIN.system_action(position, Reoption(Options(first=First.BLACK, setup=Setup.RANDOM, show_roll=True)), SEED)
    assert changed.position == position._replace(show_roll=True)
    assert changed.events == ()
    played = EINSTEIN.apply(changed.position, BLACK, moves(position)[0], SEED)
    assert played.position.show_roll


@pytest.mark.parametrize(
    ("options", "rule"), [(Options(first=First.LOT), "EWN-TURN-1"), (Options(setup=Setup.CHOSEN), "EWN-BOARD-4")]
)
def test_first_and_set_up_are_settled_before_the_start(options: Options, rule: str) -> None:
    position = EINSTEIN.new(Options(), 2, None, SEED).position
    with pytest.raises(Illegal) as refused:
        EINSTEIN.system_action(position, Reoption(options), SEED)
    assert refused.value.rule == rule


def test_a_turn_whose_time_is_over_plays_the_first_move_in_order() -> None:
    position = board(*EXAMPLE, "black", 2)
    assert EINSTEIN.expire(EINSTEIN.view(position, BLACK)) == moves(position)[0] == Move(1, 6)
    with pytest.raises(Illegal):
        EINSTEIN.expire(EINSTEIN.view(position, WHITE))
