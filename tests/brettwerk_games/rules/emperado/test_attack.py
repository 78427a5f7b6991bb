"""Attacks and captures, beyond the numbered cases."""

import pytest

from brettwerk_games.rules.emperado.actions import (
    MAX_THROWS,
    TO_THE_END,
    Attack,
    Done,
    Eliminated,
    Ended,
    Enter,
    Entered,
    Move,
)
from brettwerk_games.rules.emperado.battle import REMEMBERED, max_throws
from brettwerk_games.rules.emperado.options import CaptureMove, Options
from brettwerk_games.rules.emperado.position import GHOST, End, Entry
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.emperado.worlds import (
    BOLIVIEN,
    EMPERADO,
    OF,
    PERU,
    SEED,
    A,
    B,
    C,
    apply,
    captured,
    fought,
    rule_against,
    seed_of_capture,
    seeds,
    world,
)

CHOOSE = Options(capture_move=CaptureMove.CHOOSE)
ATTACK = Attack(PERU, BOLIVIEN, TO_THE_END)


def test_the_conqueror_chooses_from_the_dice_of_the_last_throw_to_all_but_one() -> None:
    position = captured(world("Peru A8, Bolivien B1", options=CHOOSE), ATTACK)
    assert position.entry == Entry(PERU, BOLIVIEN, 3)
    assert (position.armies[PERU], position.armies[BOLIVIEN]) == (5, 3)
    assert {action.armies for action in EMPERADO.actions(EMPERADO.view(position, A)) if isinstance(action, Enter)} == {3, 5, 7}
    for armies in (2, 8):
        assert rule_against(position, Enter(armies)) == "EMP-ATTACK-11"
    step = apply(position, Enter(6))
    assert (step.position.armies[PERU], step.position.armies[BOLIVIEN], step.position.entry) == (2, 6, None)
    assert step.events == (Entered(A, PERU, BOLIVIEN, 6),)
    assert not step.position.blocked


def test_other_actions_are_refused_before_the_choice_is_made() -> None:
    position = captured(world("Peru A8, Bolivien B1, Brasilien A5", options=CHOOSE), ATTACK)
    for action in (Done(), ATTACK, Move(PERU, BOLIVIEN, 1)):
        assert rule_against(position, action) == "EMP-ATTACK-11"
    assert EMPERADO.expire(EMPERADO.view(position, A)) == Enter(7)


def test_there_is_no_choice_where_all_that_can_have_moved_in() -> None:
    position = captured(world("Peru A3, Bolivien B1", options=CHOOSE), ATTACK)
    assert (position.entry, position.armies[PERU], position.armies[BOLIVIEN]) == (None, 1, 2)
    assert rule_against(position, Enter(2)) == "EMP-ATTACK-11"


def test_a_capture_with_few_dice_moves_as_many_in() -> None:
    position = captured(world("Peru A2, Bolivien B1", options=Options(capture_move=CaptureMove.DICE)), ATTACK)
    assert (position.armies[PERU], position.armies[BOLIVIEN]) == (1, 1)


def test_ghosts_defend_themselves_and_count_as_captures() -> None:
    position = world("Peru A8, Bolivien -3")
    seed = next(seed for seed in seeds() if fought(position, ATTACK, seed).entered)
    assert fought(position, ATTACK, seed).defender == GHOST
    assert apply(position, ATTACK, seed).position.captured


def test_a_failed_attack_leaves_one_army() -> None:
    position = world("Peru A4, Bolivien B30")
    event = fought(position, ATTACK)
    assert (event.entered, event.attackers_lost) == (0, 3)
    after_it = apply(position, ATTACK).position
    assert after_it.armies[PERU] == 1
    assert not after_it.captured
    assert after_it.armies[BOLIVIEN] == 30 - event.defenders_lost


def test_losses_add_up_to_the_pairs_of_all_throws() -> None:
    position = world("Peru A9, Bolivien B9")
    event = fought(position, Attack(PERU, BOLIVIEN, 2))
    assert event.throws == len(event.last) == 2
    assert event.attackers_lost + event.defenders_lost == 6
    assert all(list(throw.attacker) == sorted(throw.attacker, reverse=True) for throw in event.last)


def test_of_long_battles_the_last_throws_are_shown() -> None:
    position = world("Peru A500, Bolivien B500")
    event = fought(position, ATTACK)
    assert event.throws > REMEMBERED == len(event.last)
    assert event.throws <= max_throws(500, 500)


def test_the_same_seed_throws_the_same_and_another_one_does_not() -> None:
    position = world("Peru A50, Bolivien B50")
    assert fought(position, ATTACK) == fought(position, ATTACK)
    assert fought(position, ATTACK, bytes(32)) != fought(position, ATTACK)


def test_a_series_is_bounded() -> None:
    position = world("Peru A50000, Bolivien B50000")
    event = fought(position, ATTACK)
    assert event.throws == MAX_THROWS
    with pytest.raises(Malformed):
        apply(position, Attack(PERU, BOLIVIEN, MAX_THROWS + 1))


def test_the_last_capture_ends_the_game_and_leaves_nothing_to_do() -> None:
    position = world("Bolivien B1", rest="A", armies=8, seats=2, options=CHOOSE)
    step = apply(position, ATTACK, seed_of_capture(position, ATTACK))
    assert step.events[1:] == (Eliminated(B, A, 0), Ended(A, End.FREED))
    assert step.position.entry is None
    assert EMPERADO.to_act(step.position) == ()


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (Attack(BOLIVIEN, PERU, 1), "EMP-ATTACK-1"),
        (Attack(PERU, PERU, 1), "EMP-ATTACK-2"),
        (Move(PERU, BOLIVIEN, 1), "EMP-MOVE-1"),
        (Move(PERU, PERU, 1), "EMP-MOVE-1"),
        (Move(BOLIVIEN, PERU, 1), "EMP-ATTACK-1"),
        (Enter(1), "EMP-ATTACK-11"),
    ],
)
def test_refusals_name_their_rule(action: Attack | Move | Enter, rule: str) -> None:
    assert rule_against(world("Peru A5, Bolivien C5"), action) == rule


def test_an_own_country_is_not_attacked() -> None:
    assert rule_against(world("Peru A5, Bolivien A5"), ATTACK) == "EMP-ATTACK-2"


def test_captures_go_on_in_a_chain_and_bring_one_card() -> None:
    position = world("Peru A30, Bolivien B1, Brasilien B1, Venezuela C1")
    for source, target in (("Peru", "Bolivien"), ("Bolivien", "Brasilien"), ("Brasilien", "Venezuela")):
        position = captured(position, Attack(OF[source], OF[target], TO_THE_END))
    done = apply(position, Done(), SEED).position
    assert position.parties[C].out
    assert (done.parties[A].cards, done.to_move) == (1, B)


def test_a_battle_is_shown_to_everybody() -> None:
    event = fought(world("Peru A8, Bolivien B1"), ATTACK)
    assert all(EMPERADO.show(event, seat) == event for seat in (A, B, C, None))
