"""The numbered rule cases; each name says its number. Cases 45 to 48 are in test_exact.py, 49 and 50 belong to the search."""

import pytest

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.einstein.actions import Ended, Moved, Rolled
from brettwerk_games.rules.einstein.board import BLACK, GOAL, NUMBER_OF, START_SQUARES, TARGETS, WHITE
from brettwerk_games.rules.einstein.options import Options
from brettwerk_games.rules.einstein.position import End, Position
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import GameOver, Illegal, Malformed, NotYourTurn
from tests.brettwerk_games.rules.einstein.boards import (
    EINSTEIN,
    EXAMPLE,
    INITIAL,
    SEATS,
    SEED,
    after,
    board,
    legal,
    may,
    move,
    stones,
)
from tests.brettwerk_games.rules.kit.play import go_on, play, seed_of


def refusal(position: Position, seat: str, stone: int, target: str) -> Illegal:
    with pytest.raises(Illegal) as caught:
        EINSTEIN.apply(position, SEATS[seat], move(stone, target), SEED)
    return caught.value


def test_case_1_a_stone_on_the_top_edge_has_one_target() -> None:
    position = board(*EXAMPLE, "white", 2)
    assert may(position) == {2: {"B1"}}
    assert len(legal(position)) == 1


def test_case_2_the_rolled_stone_moves() -> None:
    position = board(*EXAMPLE, "black", 4)
    assert may(position) == {4: {"B4", "C3", "C4"}}
    for target in ("B4", "C3", "C4"):
        assert stones(after(position, 4, target), "black") == f"1@A2 4@{target} 5@B2"
        assert stones(after(position, 4, target), "white") == stones(position, "white")


def test_case_3_a_missing_stone_leaves_a_choice() -> None:
    position = board(*EXAMPLE, "black", 2)
    assert may(position) == {1: {"A3", "B2", "B3"}, 4: {"B4", "C3", "C4"}}
    assert len(legal(position)) == 6


def test_case_4_own_stones_are_captured() -> None:
    position = board(*EXAMPLE, "black", 2)
    assert stones(after(position, 1, "B2"), "black") == "1@B2 4@B3"
    assert stones(after(position, 1, "B3"), "black") == "1@B3 5@B2"
    assert stones(after(position, 1, "A3"), "black") == "1@A3 4@B3 5@B2"


def test_case_6_a_three_gives_the_same_choice_as_a_two() -> None:
    assert legal(board(*EXAMPLE, "black", 3)) == legal(board(*EXAMPLE, "black", 2))


def test_case_7_white_chooses_between_two_and_four() -> None:
    assert may(board(*EXAMPLE, "white", 3)) == {2: {"B1"}, 4: {"B4", "B5", "C4"}}


def test_case_8_stone_one_may_capture_its_own_six() -> None:
    position = board(*EXAMPLE, "white", 1)
    assert may(position) == {1: {"D3", "E3", "D4"}}
    assert stones(after(position, 1, "D4"), "white") == "1@D4 2@C1 4@C5 5@E5"
    assert stones(after(position, 1, "D3"), "white") == "1@D3 2@C1 4@C5 5@E5 6@D4"


def test_case_9_stone_five_may_capture_two_of_its_own() -> None:
    position = board(*EXAMPLE, "white", 5)
    assert may(position) == {5: {"D5", "E4", "D4"}}
    assert stones(after(position, 5, "E4"), "white") == "2@C1 4@C5 5@E4 6@D4"
    assert stones(after(position, 5, "D4"), "white") == "1@E4 2@C1 4@C5 5@D4"


@pytest.mark.parametrize(
    ("case", "side", "roll", "movable"),
    [
        (11, "2@A1 5@A2 6@B1", 3, {2, 5}),
        (12, "3@A1 5@A2", 1, {3}),
        (12, "3@A1 5@A2", 2, {3}),
        (13, "2@A1 4@A2", 5, {4}),
        (13, "2@A1 4@A2", 6, {4}),
        (14, "1@A1 6@A2", 2, {1, 6}),
        (14, "1@A1 6@A2", 3, {1, 6}),
        (14, "1@A1 6@A2", 4, {1, 6}),
        (14, "1@A1 6@A2", 5, {1, 6}),
    ],
)
def test_cases_11_to_14_neighbours_of_a_missing_stone_may_move(case: int, side: str, roll: int, movable: set[int]) -> None:
    assert set(may(board(side, "1@E5", "black", roll))) == movable


def test_case_16_a_better_stone_stays_where_it_is() -> None:
    position = board("1@A1 2@D5", "1@E1", "black", 1)
    assert set(may(position)) == {1}
    assert refusal(position, "black", 2, "E5").rule == "EWN-TURN-3"


def test_case_17_a_black_stone_on_a1_has_three_targets() -> None:
    assert may(board("1@A1", "1@E5", "black")) == {1: {"B1", "A2", "B2"}}


def test_case_18_a_black_stone_on_a_facing_edge_has_one_target() -> None:
    assert may(board("1@E2", "1@A5", "black")) == {1: {"E3"}}
    assert may(board("1@B5", "1@E1", "black")) == {1: {"C5"}}


def test_case_19_a_white_stone_on_a_facing_edge_has_one_target() -> None:
    assert may(board("1@E1", "1@C1", "white")) == {1: {"B1"}}
    assert may(board("1@E1", "1@A4", "white")) == {1: {"A3"}}


def test_case_21_nobody_may_pass() -> None:
    position = board(*INITIAL, "white", 4)
    with pytest.raises(Illegal) as by_notation:
        EINSTEIN.read(EINSTEIN.view(position, WHITE), "pass")
    assert by_notation.value.rule == "EWN-TURN-6"
    with pytest.raises(Malformed) as by_message:
        EINSTEIN.codec.decode(Kind.ACTION, b"")
    assert by_message.value.rule == "EWN-TURN-6"


def test_case_21_every_stone_off_its_goal_corner_has_a_target() -> None:
    for seat in (WHITE, BLACK):
        for square in range(25):
            assert len(TARGETS[seat][square]) == (0 if square == GOAL[seat] else 1 if _on_facing_edge(seat, square) else 3)


def _on_facing_edge(seat: int, square: int) -> bool:
    row, column = divmod(square, 5)
    return 4 in (row, column) if seat == BLACK else 0 in (row, column)


def test_case_22_the_other_side_must_wait() -> None:
    position = board(*INITIAL, "white", 4)
    assert isinstance(refusal(position, "black", 4, "B4"), NotYourTurn)
    assert refusal(position, "black", 4, "B4").rule == "EWN-TURN-1"
    assert EINSTEIN.actions(EINSTEIN.view(position, BLACK)) == ()


def test_case_23_another_stone_than_the_rolled_is_refused_and_the_roll_stands() -> None:
    position = board(*INITIAL, "white", 4)
    before = EINSTEIN.codec.encode(Kind.POSITION, position)
    wrong = refusal(position, "white", 5, "D4")
    assert wrong.rule == "EWN-TURN-3"
    assert wrong.details == {"roll": "4", "stone": "5", "allowed": "4"}
    assert EINSTEIN.codec.encode(Kind.POSITION, position) == before
    assert position.roll == 4


def test_case_24_a_capture_of_an_own_stone_can_be_forced() -> None:
    position = board(*INITIAL, "white", 5)
    assert may(position) == {5: {"D4", "E4", "D5"}}
    assert stones(after(position, 5, "D4"), "white") == "1@E4 2@E3 4@C5 5@D4 6@D5"
    assert stones(after(position, 5, "E4"), "white") == "2@E3 3@D4 4@C5 5@E4 6@D5"
    assert stones(after(position, 5, "D5"), "white") == "1@E4 2@E3 3@D4 4@C5 5@D5"


def test_case_26_a_front_stone_captures_nothing() -> None:
    position = board(*INITIAL, "white", 3)
    assert may(position) == {3: {"C3", "D3", "C4"}}
    for target in ("C3", "D3", "C4"):
        assert stones(after(position, 3, target), "white") == f"1@E4 2@E3 3@{target} 4@C5 5@E5 6@D5"
        assert stones(after(position, 3, target), "black") == stones(position, "black")


def test_case_27_a_captured_stone_leaves_the_board() -> None:
    position = board("2@C3 5@A1", "3@D4 6@E4", "black", 2)
    step = EINSTEIN.apply(position, BLACK, move(2, "D4"), SEED)
    assert stones(step.position, "white") == "6@E4"
    assert stones(step.position, "black") == "2@D4 5@A1"
    assert step.events[0] == Moved(BLACK, 2, NUMBER_OF["C3"], NUMBER_OF["D4"], 9)


def test_case_28_the_neighbours_of_a_captured_stone_move_instead() -> None:
    position = board("2@C3 5@A1", "3@D4 1@E4 6@D5", "black", 2)
    taken = after(position, 2, "D4")
    assert set(may(taken._replace(roll=3))) == {1, 6}


def test_case_29_nobody_loses_all_stones_by_their_own_move() -> None:
    for number in range(60):
        for ply in play(EINSTEIN, ("own", number), 100).plies:
            left = ply.step.position.stones[ply.seat]
            assert ply.step.position.arranging or any(square >= 0 for square in left)


def test_case_31_a_side_with_two_stones_rolls_against_one() -> None:
    step = EINSTEIN.apply(board("1@A1 2@B1", "3@E5", "white"), WHITE, move(3, "D4"), SEED)
    assert step.position.to_move == BLACK
    assert step.events[1:] == (Rolled(step.position.roll),)
    assert 1 <= step.position.roll <= 6


def test_case_32_one_stone_on_an_edge_leaves_nothing_to_decide() -> None:
    step = EINSTEIN.apply(board("1@A1 2@B1", "3@C1", "black", 1), BLACK, move(1, "B2"), SEED)
    assert step.position.roll == 0
    assert not any(isinstance(event, Rolled) for event in step.events)
    assert legal(step.position) == (move(3, "B1"),)


def test_case_33_with_one_stone_each_nobody_rolls() -> None:
    start = EINSTEIN.new(Options(), 2, board("3@A1", "5@E5", "black"), SEED)
    for number in range(40):
        for ply in go_on(EINSTEIN, start.position, number, 20):
            assert ply.before.roll == 0
            assert not any(isinstance(event, Rolled) for event in ply.step.events)


@pytest.mark.parametrize("source", ["D4", "D5", "E4"])
@pytest.mark.parametrize("white", ["1@E5 2@A5", "1@E1 2@A5"])
def test_case_34_black_wins_on_e5_at_once(source: str, white: str) -> None:
    position = board(f"4@{source} 1@A1", white, "black", 4)
    step = EINSTEIN.apply(position, BLACK, move(4, "E5"), SEED)
    assert step.position.winner == BLACK
    assert step.position.end == End.CORNER
    assert step.events[-1] == Ended(BLACK, End.CORNER)
    outcome = EINSTEIN.outcome(step.position)
    assert outcome is not None
    assert outcome.scores == (0.0, 1.0)
    assert outcome.rule == "EWN-END-1"
    assert "1@E5" not in stones(step.position, "white")


def test_case_34_white_wins_on_a1_at_once() -> None:
    position = board("1@A1 2@B1", "4@B2 1@E5", "white", 4)
    outcome = EINSTEIN.outcome(after(position, 4, "A1"))
    assert outcome is not None
    assert outcome.scores == (1.0, 0.0)


def test_case_36_the_last_stone_decides() -> None:
    ended = after(board("1@C3", "4@D4 1@E5", "white", 4), 4, "C3")
    assert (ended.winner, ended.end) == (WHITE, End.CAPTURE)
    outcome = EINSTEIN.outcome(ended)
    assert outcome is not None
    assert outcome.rule == "EWN-END-2"


def test_case_37_corner_and_last_stone_at_once_is_a_win_by_the_corner() -> None:
    step = EINSTEIN.apply(board("4@D4", "1@E5", "black"), BLACK, move(4, "E5"), SEED)
    assert (step.position.winner, step.position.end) == (BLACK, End.CORNER)
    assert [event for event in step.events if isinstance(event, Ended)] == [Ended(BLACK, End.CORNER)]


def test_case_38_nothing_is_played_after_the_end() -> None:
    ended = after(board("4@D4 1@A1", "1@E1 2@A5", "black", 4), 4, "E5")
    assert EINSTEIN.to_act(ended) == ()
    for seat in ("black", "white"):
        wrong = refusal(ended, seat, 1, "B2")
        assert isinstance(wrong, GameOver)
        assert wrong.rule == "EWN-END-1"
        with pytest.raises(GameOver):
            EINSTEIN.read(EINSTEIN.view(ended, SEATS[seat]), "B2")


def test_case_39_no_game_is_longer_than_69_plies() -> None:
    longest = [
        sum(abs(s // 5 - goal // 5) + abs(s % 5 - goal % 5) for s in START_SQUARES[seat]) for seat, goal in enumerate(GOAL)
    ]
    assert longest == [40, 40]
    bound = 2 * (longest[0] - 6) + 1
    assert bound == 69
    assert EINSTEIN.facts.max_actions == bound + 2
    assert max(len(play(EINSTEIN, ("long", number), 100).plies) for number in range(300)) <= 41


def test_case_41_white_moves_first() -> None:
    assert EINSTEIN.to_act(EINSTEIN.new(Options(), 2, None, SEED).position) == (WHITE,)


def test_case_42_sides_alternate_and_every_turn_has_one_roll() -> None:
    for number in range(30):
        played = play(EINSTEIN, ("turns", number), 100)
        for ply in played.plies:
            later = ply.step.position
            if ply.before.arranging or later.end is not None:
                continue
            assert later.to_move == 1 - ply.seat
            rolls = [event for event in ply.step.events if isinstance(event, Rolled)]
            several = sum(square >= 0 for square in later.stones[later.to_move]) > 1
            assert rolls == ([Rolled(later.roll)] if several else [])


def test_case_43_the_roll_stands_for_a_player_who_comes_back() -> None:
    position = EINSTEIN.new(Options(), 2, None, seed_of(1)).position
    stored = EINSTEIN.codec.decode(Kind.POSITION, EINSTEIN.codec.encode(Kind.POSITION, position))
    assert stored.roll == position.roll == Dice(seed_of(1), "roll").roll()
    assert EINSTEIN.view(stored, WHITE).position.roll == EINSTEIN.view(position, WHITE).position.roll


def test_case_44_candidates_and_targets_are_shown() -> None:
    two = EINSTEIN.scene(EINSTEIN.view(board(*EXAMPLE, "black", 2), BLACK))
    assert {place.name for place in two.places if place.label.key == "place.candidate.1"} == {"A2", "B3"}
    one = EINSTEIN.view(board(*EXAMPLE, "black", 4), BLACK)
    assert {EINSTEIN.choice(one, action).places for action in EINSTEIN.actions(one)} == {("B3", "B4"), ("B3", "C3"), ("B3", "C4")}
    assert len(legal(board(*EXAMPLE, "white", 2))) == 1
