"""The movement cases of the rules; each name says its number. Mine is Babylon with the base A1, the enemy's base is A9."""

import pytest

from brettwerk_games.rules.plateau.options import Options, Shape
from brettwerk_games.rules.plateau.position import End, Turn
from tests.brettwerk_games.rules.plateau.boards import at, begun, do, done, legal, moves, new, rule, stand

JUMPING = stand("E@A1 4@D4 2@D5", "E@A9 2@D8 2@E6")


def test_m1_a_two_captures_round_a_corner() -> None:
    after = do(stand("2@D4", "2@E5 2@D5 2@D6"), "2 D4-E4xE5")
    assert (at(after, "E5"), at(after, "D4")) == ("0:2", "")
    assert at(do(stand("2@D4", "2@E5 2@D5 2@D6"), "2 D4..xE5/2"), "E5") == "0:2"


def test_m2_a_two_does_not_capture_straight() -> None:
    position = stand("2@D4", "2@E5 2@D5 2@D6")
    assert rule(position, "D4xD5") == "EP-MOVE-2S-2"
    assert rule(position, "D4..D5/1") == "EP-MOVE-2S-2"


def test_m3_the_corner_of_the_l_is_free() -> None:
    position = stand("2@D4", "2@E5 2@D5 2@D6")
    assert rule(position, "D4-D5-E5") == "EP-MOVE-2S-3"
    assert rule(stand("2@D4", "2@E5 2@D5 2@E4"), "D4..E5/2") == "EP-MOVE-2S-3"


def test_m4_a_two_does_not_capture_straight_in_two_steps_and_moves_as_it_likes_without_capturing() -> None:
    position = stand("2@D4", "2@D6 E@A9")
    assert rule(position, "D4-D5xD6") == "EP-MOVE-2S-2"
    assert rule(position, "D4..D6/2") == "EP-MOVE-2S-2"
    assert at(do(position, "D4-D5"), "D5") == "0:2"
    assert at(do(position, "D4-D5-E5"), "E5") == "0:2"
    assert at(do(position, "D4-C4-B4"), "B4") == "0:2"


@pytest.mark.parametrize("text", ["B8-A8#A9", "B8-B9#A9", "B8..#A9/2"])
@pytest.mark.parametrize("enemy", ["E@A9 2@A16", "E@F9"])
def test_m5_a_two_conquers_in_an_l(text: str, enemy: str) -> None:
    after = do(stand("2@B8", enemy), text)
    assert (after.winner, after.end) == (0, End.CONQUEST)


def test_m6_a_two_does_not_conquer_straight() -> None:
    assert rule(stand("2@A8", "E@A9"), "A8#A9") == "EP-MOVE-2S-4"
    assert rule(stand("2@A8", "E@F9"), "A8-A9") == "EP-MOVE-2S-4"
    assert rule(stand("2@A7", "E@F9"), "A7..A9/2") == "EP-MOVE-2S-4"


def test_m8_a_six_captures_and_stops() -> None:
    position = stand("6@D4", "2@D6 2@D7 E@A9")
    assert at(do(position, "D4-D5xD6"), "D6") == "0:6"
    assert rule(position, "D4-D5-D6-D7") == "EP-MOVE-4"
    assert rule(position, "D4-D5xD6", "D6xD7") == "EP-TURN-3"


def test_m9_no_node_twice_and_no_diagonal() -> None:
    position = stand("6@D4", "E@A9")
    assert rule(position, "D4-D5-D4") == "EP-MOVE-3"
    assert rule(position, "D4-E5") == "EP-MOVE-2"
    assert rule(position, "D4-D6") == "EP-MOVE-1"
    assert rule(position, "D4-D5-E5-E4-D4-D3") == "EP-MOVE-3"
    assert rule(position, "D4..D4/4") == "EP-MOVE-3"
    assert rule(position, "D4..D5/2") == "EP-MOVE-1"


def test_m10_a_jump_does_not_end_the_move() -> None:
    assert rule(JUMPING, "D4-D5J-D6") == "EP-MOVE-4S-5"
    assert rule(JUMPING, "D4..D6/2") == "EP-MOVE-4S-5"


@pytest.mark.parametrize(("text", "end"), [("D4-D5J-D6-D7", "D7"), ("D4-D5J-D6-D7xD8", "D8"), ("D4-D5J-D6xE6", "E6")])
def test_m11_after_the_jump_a_four_goes_on_as_usual(text: str, end: str) -> None:
    after = do(JUMPING, text)
    assert (at(after, end), at(after, "D5"), at(after, "D4")) == ("0:4", "0:2", "")
    assert after.turn.small == text.count("-") + text.count("x")


def test_m13_two_armies_in_a_row_cannot_be_jumped() -> None:
    position = stand("4@D4", "2@D5 2@D6 E@A9")
    assert rule(position, "D4-D5J-D6-D7") == "EP-MOVE-4S-8"
    assert rule(position, "D4..D7/3") == "EP-MOVE-4"
    assert at(do(position, "D4xD5"), "D5") == "0:4"


def test_m14_the_jump_opens_the_move() -> None:
    position = stand("4@D3", "2@D5 E@A9")
    assert rule(position, "D3-D4-D5J-D6") == "EP-MOVE-4S-2"
    assert rule(position, "D3-D4-D5-D6") == "EP-MOVE-4S-2"
    assert ("D6", 3) not in moves(position, "D3")


def test_m16_only_fours_jump() -> None:
    assert rule(stand("6@D4", "2@D5 E@A9"), "D4-D5-D6") == "EP-MOVE-4"
    assert rule(stand("E@D4", "2@D5 E@A9"), "D4-D5-D6") == "EP-EMBLEM-6"
    assert rule(stand("2@D4 2@D5", "E@A9"), "D4-D5-D6") == "EP-MOVE-4"


def test_m17_nobody_jumps_over_their_own_base() -> None:
    assert rule(stand("4@A2 E@A1", "E@A9"), "A2-A1J-A16-A15") == "EP-MOVE-4S-9"
    assert rule(stand("4@A2", "E@A9"), "A2-A1-A16-A15") == "EP-MOVE-7"
    assert not {("A15", 3), ("A15", 4)} & moves(stand("4@A2 E@A1", "E@A9"), "A2")


def test_m18_a_foreign_base_with_an_army_is_jumped_without_conquering_it() -> None:
    position = stand("4@A8", "E@A9 2@F9")
    after = do(position, "A8-A9J-A10-A11")
    assert (at(after, "A11"), at(after, "A9"), after.end) == ("0:4", "1:E", None)
    assert rule(stand("4@A8", "E@F9"), "A8-A9-A10-A11") == "EP-BASE-1"
    assert rule(stand("4@A7 2@A8", "E@F9"), "A7-A8J-A9-A10") == "EP-MOVE-4S-5"


def test_m20_small_armies_do_without_their_own_base() -> None:
    assert rule(stand("6@B1", "E@A9"), "B1-A1") == "EP-MOVE-7"
    assert rule(stand("6@B1", "E@A9"), "B1..A1/1") == "EP-MOVE-7"
    assert rule(stand("6@A2", "E@A9"), "A2-A1-A16") == "EP-MOVE-7"
    assert ("A1", 1) in moves(stand("E@B1", "E@A9"), "B1")
    assert ("A16", 2) in moves(stand("E@A2", "E@A9"), "A2")


def test_m22_ring_k_has_no_way_inward() -> None:
    position = stand("6@K4", "E@A9")
    board = position.board
    assert {board.names[node] for node in board.neighbours[board.number_of["K4"]]} == {"J4", "K3", "K5"}
    assert rule(position, "K4-K12") == "EP-MOVE-1"


def test_m22_no_army_enters_the_red_area_of_a_flat_board() -> None:
    position = stand("6@E7", "E@F16", options=Options(shape=Shape.FLAT))
    assert rule(position, "E7-E8") == "EP-NOTATION-1"
    assert {node for node, steps in moves(position, "E7") if steps == 1} == {"D7", "E6", "F7"}


def test_m23_the_emblem_captures() -> None:
    assert at(do(stand("E@A5", "2@A7 E@A9"), "A5-A6xA7"), "A7") == "0:E"


def test_m24_after_the_emblem_no_small_army_moves() -> None:
    armies = "2@C3 2@D3 E@A5", "E@A9"
    assert rule(begun(*armies), "C3-C4", "A5-A6-A7") == "EP-TURN-11"
    moved = do(stand(*armies, turn=Turn(due=3)), "C3-C4", "A5-A6-A7")
    stuck = moved._replace(turn=moved.turn._replace(due=6))
    assert rule(stuck, "D3-D4") == "EP-TURN-6"
    assert rule(stuck, "end") == "EP-TURN-2"
    assert legal(stuck) == ()


def test_m27_who_opens_their_base_loses_it() -> None:
    position = begun(*_formation())
    position = do(position, "A2-A3-B3", "6 G1..G5/4", "end", "A8-A7-B7")
    after, events = done(position, "E A9-A8-A7-A6-A5-A4-A3-A2#A1")
    assert (after.winner, after.end, after.turn.total) == (1, End.CONQUEST, 10)
    assert [type(event).__name__ for event in events] == ["Moved", "Fell", "Ended"]


def _formation() -> tuple[str, str]:
    sides = []
    for base, left, right in ((1, 16, 2), (9, 8, 10)):
        twos = " ".join(f"2@{letter}{spoke}" for letter in "ABCDEF" for spoke in (left, right))
        sides.append(f"E@A{base} {twos} " + " ".join(f"4@{letter}{base}" for letter in "BCDE") + f" 6@F{base} 6@G{base}")
    return sides[0], sides[1]


def test_the_formation_is_that_of_the_rules() -> None:
    assert begun(*_formation()).armies == new().armies


def test_own_armies_are_never_captured() -> None:
    assert rule(stand("6@D4 2@D5", "E@A9"), "D4-D5") == "EP-MOVE-8"
    assert rule(stand("6@D4 2@D5", "E@A9"), "D4..D5/1") == "EP-MOVE-8"


def test_fours_turn_after_landing_but_not_in_the_air() -> None:
    assert rule(JUMPING, "D4-D5-E5-E6") == "EP-MOVE-4S-3"
    assert at(do(JUMPING, "D4-D5J-D6-C6-C7"), "C7") == "0:4"
    assert rule(JUMPING, "D4-D5J-D6-D5") == "EP-MOVE-3"


def test_by_option_a_jump_may_end_the_move_and_capture() -> None:
    options = Options(jump_may_end=True)
    position = stand("E@A1 4@D4 2@D5", "E@A9 2@D8 2@E6", options=options)
    assert at(do(position, "D4-D5J-D6"), "D6") == "0:4"
    assert ("D6", 2) in moves(position, "D4")
    taking = stand("4@D4", "2@D5 2@D6 E@A9", options=options)
    assert at(do(taking, "D4-D5JxD6"), "D6") == "0:4"
    conquering = do(stand("4@A7 2@A8", "E@F9", options=options), "A7-A8J#A9")
    assert conquering.end == End.CONQUEST


def test_an_army_moves_once_and_only_ones_own_do() -> None:
    position = stand("6@D4 2@F4", "E@A9")
    assert rule(position, "D4-D5", "D5-D6") == "EP-TURN-3"
    assert rule(position, "A9-A10") == "EP-ARMY-4"
    assert rule(position, "C4-C5") == "EP-ARMY-4"
    assert rule(position, "F4-F5-F6-F7") == "EP-ARMY-2"
    assert rule(position, "D4..D11/7") == "EP-ARMY-2"


def test_bases_stay_when_the_emblem_is_lost_or_away() -> None:
    lost = do(stand("6@A7 2@K1", "E@A8 2@K9"), "A7xA8")
    assert (lost.end, at(lost, "A8")) == (None, "0:6")
    after = do(stand("6@A7 2@K1", "2@K9"), "A7-A8#A9")
    assert (after.winner, after.end) == (0, End.CONQUEST)


def test_capturing_is_optional() -> None:
    position = stand("6@D4", "2@D5 E@A9")
    assert ("D5", 1) in moves(position, "D4")
    assert ("E4", 1) in moves(position, "D4")


def test_a_jumped_army_stays_and_its_node_is_used() -> None:
    after = do(stand("4@D4 E@A1", "2@D5 E@A9"), "D4-D5J-D6-D7")
    assert at(after, "D5") == "1:2"
    assert rule(stand("4@D4 E@A1", "2@D5 E@A9"), "D4-D5J-D6xD5") == "EP-MOVE-3"


def test_the_emblem_crosses_its_own_base_and_comes_back_to_it() -> None:
    position = stand("E@A3", "E@A9")
    assert at(do(position, "A3-A2-A1-A16"), "A16") == "0:E"
    assert at(do(position, "A3-A2-A1"), "A1") == "0:E"
