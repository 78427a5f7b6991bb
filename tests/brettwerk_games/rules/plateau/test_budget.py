"""The step count: the questions and answers of the rules as tests, and the table of legal turns by enumeration."""

from itertools import product

import pytest

from brettwerk_games.rules.plateau import GAME, budget
from brettwerk_games.rules.plateau.actions import EndTurn, Move
from brettwerk_games.rules.plateau.board import Army
from brettwerk_games.rules.plateau.position import Order, Position, Turn
from tests.brettwerk_games.rules.plateau.boards import begun, do, legal, new, refusal, rule

OPEN = begun("E@A4 6@C1 6@E1 4@G1 4@H3 2@K1 2@K3 2@K5 2@J7 2@K9", "E@K12 2@K14")
"""An emblem and small armies that have room to move."""


def e(steps: int) -> str:
    """Return a move of the emblem, from A4 along the rim and then inward and back."""
    way = ["A4", "A5", "A6", "A7", "A8", "B8", "B9", "B10", "B11", "B12", "C12", "C11", "C10"]
    return "-".join(way[: steps + 1])


def small(*steps: int) -> list[str]:
    """Return moves of the two sixes with so many steps."""
    ways = ["C1 C2 C3 C4 C5 C6 C7", "E1 E2 E3 E4 E5 E6 E7"]
    return ["-".join(way.split()[: number + 1]) for way, number in zip(ways, steps, strict=False)]


def ends(position: Position) -> bool:
    return EndTurn() in legal(position)


def test_faq1a_one_small_step_and_five_of_the_emblem_are_a_turn() -> None:
    assert ends(do(OPEN, *small(1), e(5)))


def test_faq1b_one_small_step_is_no_turn() -> None:
    refused = refusal(OPEN, *small(1), "end")
    assert (refused.rule, refused.details) == ("EP-TURN-2", {"made": "1", "due": "6"})


def test_faq2a_the_emblem_does_not_make_twelve_after_a_small_step() -> None:
    assert rule(OPEN, *small(1), e(12)) == "EP-TURN-5"


def test_faq2b_the_emblem_makes_eleven_after_a_small_step_and_nothing_more_moves() -> None:
    after = do(OPEN, *small(1), e(11))
    assert after.turn.total == 12
    assert legal(after) == (EndTurn(),)


def test_faq3a_seven_of_the_emblem_leave_five_and_are_counted_on() -> None:
    position, called = do(OPEN, e(7)), []
    for text in ("C1-C2", "E1-E2", "K1-K2", "K3-K4", "K5-K6"):
        position = do(position, text)
        called.append(budget.called(position.turn))
    assert called == [8, 9, 10, 11, 12]
    assert ends(position)


def test_faq3b_a_thirteenth_step_is_refused() -> None:
    assert rule(OPEN, e(7), *small(5), "E1-E2") == "EP-TURN-5"


def test_faq3c_a_seventh_small_step_is_refused_and_the_emblem_may_go_on() -> None:
    after = do(OPEN, *small(6))
    assert rule(after, "E1-E2") == "EP-TURN-4"
    assert ends(do(after, e(6)))


def test_faq3d_six_small_steps_are_a_turn() -> None:
    assert ends(do(OPEN, *small(6)))


def test_faq4a_six_small_steps_after_three_of_the_emblem_are_a_turn() -> None:
    after = do(OPEN, e(3), *small(6))
    assert (after.turn.total, ends(after)) == (9, True)


def test_faq4b_a_seventh_small_step_is_refused_below_twelve() -> None:
    assert rule(OPEN, e(3), *small(6), "E1-E2") == "EP-TURN-4"


def test_faq4c_the_emblem_moves_once() -> None:
    assert rule(OPEN, e(3), *small(2), "A7-A8") == "EP-TURN-3"


def test_faq4d_an_army_moves_once() -> None:
    assert rule(OPEN, *small(1), "C2-C3") == "EP-TURN-3"


def test_faq4e_the_emblem_must_make_the_steps_that_are_due() -> None:
    refused = refusal(OPEN, *small(2), e(3))
    assert (refused.rule, refused.details) == ("EP-TURN-11", {"made": "5", "due": "6"})
    assert ends(do(OPEN, *small(2), e(4)))


def test_faq5a_small_armies_count_afresh_after_five_of_the_emblem() -> None:
    position, called = do(OPEN, e(5)), []
    for text in ("C1-C2", "E1-E2", "K1-K2", "K3-K4", "K5-K6", "G1-G2"):
        position = do(position, text)
        called.append(budget.called(position.turn))
    assert called == [1, 2, 3, 4, 5, 6]
    assert (position.turn.total, ends(position)) == (11, True)


def test_faq5c_small_armies_count_on_after_six_of_the_emblem() -> None:
    position, called = do(OPEN, e(6)), []
    for text in ("C1-C2", "E1-E2", "K1-K2", "K3-K4", "K5-K6", "G1-G2"):
        position = do(position, text)
        called.append(budget.called(position.turn))
    assert called == [7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("steps", range(6, 13))
def test_turn1_the_emblem_alone_is_a_turn(steps: int) -> None:
    after = do(OPEN, e(steps))
    assert ends(after)
    assert do(after, "end").to_move == 1


def test_turn2_five_of_the_emblem_are_no_turn() -> None:
    assert rule(OPEN, e(5), "end") == "EP-TURN-2"


def test_turn3_after_twelve_of_the_emblem_nothing_moves() -> None:
    after = do(OPEN, e(12))
    assert legal(after) == (EndTurn(),)
    assert rule(after, "C1-C2") == "EP-TURN-5"


def test_turn4_small_armies_share_six_steps() -> None:
    assert ends(do(OPEN, "4 G1..G5/4", "K1-K2-J2"))
    assert ends(do(OPEN, "G1-G2-G3", "H3-H4-H5", "K1-K2-J2"))


def test_small_armies_do_not_move_round_the_emblem() -> None:
    assert rule(OPEN, *small(2), e(4), "E1-E2") == "EP-TURN-6"


def table() -> set[tuple[Order, int, int]]:
    """Return the legal turns as the rules page lists them."""
    rows = {1: (5, 11), 2: (4, 10), 3: (3, 9), 4: (2, 8), 5: (1, 7), 6: (1, 6)}
    both = {(s, steps) for s, (least, most) in rows.items() for steps in range(least, most + 1)}
    alone = {(Order.EMBLEM, 0, steps) for steps in range(6, 13)} | {(Order.SMALL, 6, 0)}
    return alone | {(order, *pair) for order in (Order.SMALL_EMBLEM, Order.EMBLEM_SMALL) for pair in both}


def test_the_budget_allows_the_turns_of_the_table_and_no_others() -> None:
    found = set()
    for first, s, steps in product((Army.SIX, Army.EMBLEM), range(8), range(14)):
        made = [(Army.SIX, s), (Army.EMBLEM, steps)]
        turn, fits = Turn(), True
        for army, number in made if first == Army.SIX else made[::-1]:
            if number:
                fits = fits and number <= budget.allowance(turn, army)
                turn = budget.after(turn, army, number)
        if fits and budget.may_end(turn):
            found.add((turn.order, s, steps))
    assert len(table()) == 90
    assert found == table()


def test_the_rules_play_the_turns_of_the_table_and_no_others() -> None:
    found: set[tuple[Order, int, int]] = set()
    seen: set[Turn] = set()
    waiting = [begun("E@A4 6@K1", "E@F9 2@F11")]
    while waiting:
        position = waiting.pop()
        key = position.turn._replace(moved=0)
        if key in seen:
            continue
        seen.add(key)
        for action in legal(position):
            if isinstance(action, EndTurn):
                found.add((position.turn.order, position.turn.small, position.turn.emblem))
            elif action.target not in (position.board.number_of["A9"],):
                after = GAME.apply(position, 0, action, b"").position
                if after.end is None and after.armies[1] == position.armies[1]:
                    waiting.append(after)
    assert found == table()


def test_a_move_is_listed_once_for_each_target_and_number_of_steps() -> None:
    listed = [action for action in legal(new()) if isinstance(action, Move)]
    assert len({(move.source, move.target, move.steps) for move in listed}) == len(listed) == 214
