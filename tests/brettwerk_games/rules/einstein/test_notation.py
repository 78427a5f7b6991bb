"""The notation, written and read."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk_games.rules.einstein.actions import Arrange, Move
from brettwerk_games.rules.einstein.board import BLACK, NUMBER_OF, STANDARD, WHITE
from brettwerk_games.rules.einstein.options import Options, Setup
from brettwerk_games.rules.einstein.position import Position, View
from brettwerk_games.rules.refusals import Ambiguous, GameRefusal, Illegal, Malformed, NotYourTurn
from tests.brettwerk_games.rules.einstein.boards import EINSTEIN, EXAMPLE, SEED, board, move

BLACK_FOUR = board(*EXAMPLE, "black", 4)
BLACK_TWO = board(*EXAMPLE, "black", 2)
LAST_STONE = board("4@C2", "1@D3 2@E5", "black")
CHOOSING = EINSTEIN.new(Options(setup=Setup.CHOSEN), 2, None, SEED).position


def view(position: Position) -> View:
    return EINSTEIN.view(position, position.to_move)


@pytest.mark.parametrize(
    ("position", "action", "text"),
    [
        (BLACK_FOUR, move(4, "C4"), "4:4B3-C4"),
        (BLACK_TWO, move(1, "B2"), "2:1A2xB2"),
        (LAST_STONE, move(4, "C3"), "-:4C2-C3"),
        (LAST_STONE, move(4, "D3"), "-:4C2xD3"),
        (board("5@C2 1@A1", "1@D3 2@E5", "black", 5), move(5, "D3"), "5:5C2xD3"),
        (CHOOSING, Arrange(STANDARD[BLACK]), "163524"),
    ],
)
def test_actions_are_written_in_full_and_read_back(position: Position, action: Move | Arrange, text: str) -> None:
    assert EINSTEIN.write(view(position), action) == text
    assert EINSTEIN.read(view(position), text) == action
    assert EINSTEIN.write(EINSTEIN.view(position, None), action) == text


@pytest.mark.parametrize(
    "text",
    "4:4B3-C4,4:4b3-c4, 4 : 4 B3 - C4 ,4B3-C4,B3-C4,b3c4,4B3C4,4C4,4-C4,C4,c4,4:C4,4:B3C4,4:4B3–C4,4:4B3>C4".split(","),  # noqa: SIM905
)
def test_a_move_is_read_leniently(text: str) -> None:
    assert EINSTEIN.read(view(BLACK_FOUR), text) == move(4, "C4")


@pytest.mark.parametrize("text", ["1xB2", "1-B2", "A2xB2", "A2×B2", "b2", "2:1A2B2"])
def test_a_capture_is_read_with_and_without_its_sign(text: str) -> None:
    assert EINSTEIN.read(view(BLACK_TWO), text) == move(1, "B2")


@pytest.mark.parametrize("text", ["163524", "1 6 3 5 2 4", "1,6,3,5,2,4", "163 524"])
def test_an_arrangement_is_read_leniently(text: str) -> None:
    assert EINSTEIN.read(view(CHOOSING), text) == Arrange(STANDARD[BLACK])


def test_a_target_that_two_stones_can_reach_is_ambiguous() -> None:
    position = board("1@A1 3@B1", "6@E5", "black", 2)
    with pytest.raises(Ambiguous) as refused:
        EINSTEIN.read(view(position), "B2")
    assert refused.value.rule == "EWN-NOTATION-1"
    assert EINSTEIN.read(view(position), "1B2") == move(1, "B2")
    assert EINSTEIN.read(view(position), "B1B2") == move(3, "B2")


@pytest.mark.parametrize(
    "text", ["", "hello", "4:", "4C6", "F3", "7:4B3-C4", "44B3-C4", "4:4B3+C4", "12345", "1234567", "115524", "ⅣC4"]
)
def test_text_that_is_no_notation_is_malformed(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        EINSTEIN.read(view(BLACK_FOUR), text)
    assert refused.value.rule == "EWN-NOTATION-1"


def test_a_long_text_is_malformed_and_not_repeated_in_full() -> None:
    with pytest.raises(Malformed) as refused:
        EINSTEIN.read(view(BLACK_FOUR), "ä" * 100_000)
    assert len(refused.value.details["text"]) < 50


@pytest.mark.parametrize(
    ("position", "text", "rule"),
    [
        (BLACK_FOUR, "5:4B3-C4", "EWN-NOTATION-1"),
        (BLACK_FOUR, "-:4B3-C4", "EWN-NOTATION-1"),
        (BLACK_FOUR, "4:4B3xC4", "EWN-NOTATION-1"),
        (BLACK_FOUR, "4:4B2-C4", "EWN-NOTATION-1"),
        (BLACK_FOUR, "E5", "EWN-NOTATION-1"),
        (BLACK_FOUR, "D5D4", "EWN-NOTATION-1"),
        (BLACK_FOUR, "C1B1", "EWN-NOTATION-1"),
        (BLACK_FOUR, "4D3", "EWN-MOVE-1"),
        (BLACK_FOUR, "4A2", "EWN-MOVE-1"),
        (BLACK_FOUR, "5B3", "EWN-TURN-3"),
        (BLACK_FOUR, "B2B3", "EWN-TURN-3"),
        (BLACK_TWO, "5B3", "EWN-TURN-4"),
        (LAST_STONE, "3C3", "EWN-TURN-5"),
        (BLACK_FOUR, "163524", "EWN-BOARD-4"),
        (CHOOSING, "A1B1", "EWN-BOARD-4"),
        (BLACK_FOUR, "passe", "EWN-TURN-6"),
    ],
)
def test_notation_of_an_illegal_move_is_refused_by_its_rule(position: Position, text: str, rule: str) -> None:
    with pytest.raises(Illegal) as refused:
        EINSTEIN.read(view(position), text)
    assert refused.value.rule == rule


@pytest.mark.parametrize("seat", [WHITE, None])
@pytest.mark.parametrize("text", ["4:4B3-C4", "163524", "pass"])
def test_only_the_seat_to_act_can_mean_a_move(seat: int | None, text: str) -> None:
    with pytest.raises(NotYourTurn):
        EINSTEIN.read(EINSTEIN.view(BLACK_FOUR, seat), text)


def test_a_stone_that_is_gone_cannot_be_written() -> None:
    with pytest.raises(Illegal) as refused:
        EINSTEIN.write(view(BLACK_FOUR), Move(6, NUMBER_OF["C3"]))
    assert refused.value.rule == "EWN-NOTATION-1"


@given(st.text(max_size=60) | st.from_regex(r"[1-6-]?:?[1-6]?[A-Ea-e1-5]{0,4}[-x]?[A-Ea-e][1-5]", fullmatch=True))
def test_any_text_is_a_legal_action_or_a_refusal(text: str) -> None:
    for position in (BLACK_FOUR, BLACK_TWO, LAST_STONE, CHOOSING):
        with suppress(GameRefusal):
            assert EINSTEIN.read(view(position), text) in EINSTEIN.actions(view(position))
