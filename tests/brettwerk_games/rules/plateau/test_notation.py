"""The notation, written and read."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import EndTurn, Move
from brettwerk_games.rules.plateau.position import Position
from brettwerk_games.rules.refusals import Ambiguous, GameOver, GameRefusal, Illegal, Malformed, NotYourTurn
from tests.brettwerk_games.rules.plateau.boards import do, legal, new, stand, view
from tests.night import examples

FOUR = stand("E@A1 4@B1 4@B2 6@F1", "E@A9 2@F4 2@B4")
NEAR = stand("2@B8 E@A1", "E@A9")
MIXED = stand("E@A1 4@D4 2@D5 2@F4 6@H2", "E@A9 2@D8 2@E6")


@pytest.mark.parametrize(
    ("position", "text", "steps", "with_path"),
    [
        (FOUR, "4 B1-B2J-B3-C3", 3, True),
        (FOUR, "4 B1-B2J-B3xB4", 3, True),
        (FOUR, "6 F1-F2-F3xF4", 3, True),
        (FOUR, "6 F1-F2", 1, False),
        (FOUR, "6 F1..F5/6", 6, False),
        (FOUR, "6 F1..xF4/3", 3, False),
        (NEAR, "2 B8-A8#A9", 2, True),
        (NEAR, "2 B8..#A9/2", 2, False),
        (NEAR, "E A1-A2-A3-A4", 3, True),
    ],
)
def test_moves_are_written_and_read_back(position: Position, text: str, steps: int, with_path: bool) -> None:
    action = GAME.read(view(position), text)
    assert isinstance(action, Move)
    assert (action.steps, bool(action.path)) == (steps, with_path)
    assert GAME.write(view(position), action) == text
    assert GAME.write(GAME.view(position, None), action) == text


@pytest.mark.parametrize("text", ["end", "END", "ende", "End turn", "your turn", "Du bist dran"])
def test_the_end_of_a_turn_is_read(text: str) -> None:
    assert GAME.read(view(NEAR), text) == EndTurn()
    assert GAME.write(view(NEAR), EndTurn()) == "end"


@pytest.mark.parametrize(
    "text",
    [
        "4 B1-B2J-B3-C3",
        "4B1-B2J-B3-C3",
        "b1-b2j-b3-c3",
        "B1-B2-B3-C3",
        "4 B1-B2J-B3-C3F",
        "4 B1 – B2J – B3 – C3",
        "B1-B2J-B3-C3 F",
    ],
)
def test_a_path_is_read_leniently(text: str) -> None:
    read = GAME.read(view(FOUR), text)
    assert GAME.write(view(FOUR), read) == "4 B1-B2J-B3-C3"


def test_the_steps_may_be_left_out_where_there_is_one_number_only() -> None:
    assert GAME.read(view(NEAR), "B8..A9") == GAME.read(view(NEAR), "2 B8..#A9/2")
    assert GAME.read(view(NEAR), "B8…A9") == GAME.read(view(NEAR), "2 B8..#A9/2")
    with pytest.raises(Ambiguous) as refused:
        GAME.read(view(FOUR), "F1..F3")
    assert refused.value.details["steps"] == "2, 4, 6"


@pytest.mark.parametrize("text", ["", "hello", "B1", "B1-", "L1-L2", "B0-B1", "B25-B24", "B1..B2/13", "3 B1-B2", "B1--B2"])
def test_text_that_is_no_notation_is_malformed(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        GAME.read(view(FOUR), text)
    assert refused.value.rule == "EP-NOTATION-1"


def test_a_long_text_is_malformed_and_not_repeated_in_full() -> None:
    with pytest.raises(Malformed) as refused:
        GAME.read(view(FOUR), "ä" * 100_000)
    assert len(refused.value.details["text"]) < 50


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("6 B1-C1", "EP-NOTATION-1"),
        ("4 B1-C1J-D1-E1", "EP-NOTATION-1"),
        ("6 F1-F2-F3#F4", "EP-NOTATION-1"),
        ("6 F1..#F4/3", "EP-NOTATION-1"),
        ("6 F1-F2xF3", "EP-NOTATION-1"),
        ("6 F1-F17", "EP-NOTATION-1"),
        ("6 F1..K9", "EP-NOTATION-1"),
        ("6 F1-F2-F3-F2-F1-F2-F3-F4-F5-F6-F7-F8-F9-F10", "EP-NOTATION-1"),
        ("C1-C2", "EP-ARMY-4"),
        ("A9-A10", "EP-ARMY-4"),
        ("pass", "EP-TURN-2"),
    ],
)
def test_notation_of_an_illegal_move_is_refused_by_its_rule(text: str, rule: str) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.read(view(FOUR), text)
    assert refused.value.rule == rule


def test_only_the_seat_to_act_can_mean_a_move() -> None:
    for seat in (1, None):
        with pytest.raises(NotYourTurn):
            GAME.read(GAME.view(FOUR, seat), "F1-F2")
    ended = do(NEAR, "B8-A8#A9")
    with pytest.raises(GameOver):
        GAME.read(view(ended), "end")


def test_an_army_that_is_not_there_cannot_be_written() -> None:
    for move in (Move(100, 101, 1), Move(0, 200, 3), Move(0, 2, 2, (0, 250, 2))):
        with pytest.raises(Illegal):
            GAME.write(view(FOUR), move)


@settings(max_examples=examples(300))
@given(
    st.text(max_size=60)
    | st.from_regex(r"[246E]? ?[A-K][1-9](J?[-x#][A-K][1-9]){1,4}F?", fullmatch=True)
    | st.from_regex(r"[246E]? ?[A-K][1-9]\.\.[x#]?[A-K][1-9](/[1-9])?", fullmatch=True)
)
def test_any_text_is_a_legal_action_or_a_refusal(text: str) -> None:
    for position in (FOUR, NEAR, MIXED):
        with suppress(GameRefusal):
            action = GAME.read(view(position), text)
            plain = action._replace(path=()) if isinstance(action, Move) else action
            assert plain in legal(position)
            assert GAME.read(view(position), GAME.write(view(position), action)) == action


def test_all_moves_of_the_start_come_back() -> None:
    position = new()
    texts = {GAME.write(view(position), action): action for action in legal(position)}
    assert len(texts) == 214
    assert all(GAME.read(view(position), text) == action for text, action in texts.items())
