"""The numbered rule cases 38 to 72: moves, cards, undo, parameters, the end. Each name says its number.

What is for clients alone (61, 62, 64, 66, 67) is tested as far as the rules have a part in it.
"""

import pytest

from brettwerk_games.rules.emperado.actions import TO_THE_END, Attack, Done, Move, Moved, Place, Placed, Received
from brettwerk_games.rules.emperado.options import CapturedCards, CaptureMove, Options, Undo, Win
from brettwerk_games.rules.emperado.position import MAX_ACTIONS, End, Party, Position
from brettwerk_games.rules.emperado.seat_kinds import seated
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Illegal, Malformed, NotYourTurn
from tests.brettwerk_games.rules.emperado.worlds import (
    ARGENTINIEN,
    BOLIVIEN,
    BRASILIEN,
    EMPERADO,
    KOLUMBIEN,
    NEUSEELAND,
    OF,
    PERU,
    SEED,
    A,
    B,
    C,
    after,
    apply,
    captured,
    dealt,
    fought,
    pass_turn,
    reoptioned,
    rule_against,
    seed_of_capture,
    world,
)


def test_case_38_armies_move_to_a_neighbour() -> None:
    step = apply(world("Peru A6, Bolivien A2"), Move(PERU, BOLIVIEN, 5))
    assert (step.position.armies[PERU], step.position.armies[BOLIVIEN]) == (1, 7)
    assert step.events == (Moved(A, PERU, BOLIVIEN, 5),)


def test_case_39_one_army_stays_behind() -> None:
    step = apply(world("Peru A4, Bolivien A2"), Move(PERU, BOLIVIEN, 20))
    assert step.events == (Moved(A, PERU, BOLIVIEN, 3),)


def test_cases_40_and_41_a_blocked_country_receives_but_does_not_act() -> None:
    position = after(world("Peru A6, Bolivien A2, Brasilien A5"), Move(PERU, BOLIVIEN, 2))
    assert position.blocked == {BOLIVIEN}
    assert rule_against(position, Move(BOLIVIEN, PERU, 1)) == "EMP-MOVE-4"
    assert rule_against(position, Attack(BOLIVIEN, ARGENTINIEN, 1)) == "EMP-MOVE-4"
    assert after(position, Move(BRASILIEN, BOLIVIEN, 4)).armies[BOLIVIEN] == 8


def test_case_42_a_captured_country_is_blocked_by_a_move_into_it() -> None:
    position = world("Peru A9, Bolivien B1", options=Options(capture_move=CaptureMove.DICE))
    position = captured(position, Attack(PERU, BOLIVIEN, 1))
    assert apply(position, Attack(BOLIVIEN, ARGENTINIEN, 1)).events
    assert rule_against(after(position, Move(PERU, BOLIVIEN, 2)), Attack(BOLIVIEN, ARGENTINIEN, 1)) == "EMP-MOVE-4"


def test_case_43_the_origin_of_a_move_is_not_blocked() -> None:
    position = after(world("Peru A6, Bolivien A2"), Move(PERU, BOLIVIEN, 2))
    assert apply(position, Attack(PERU, KOLUMBIEN, 1)).events


def test_case_44_armies_move_over_the_edge_of_the_map() -> None:
    position = world("Argentinien A6, Neuseeland A2")
    assert after(position, Move(ARGENTINIEN, NEUSEELAND, 5)).armies[NEUSEELAND] == 7
    assert after(world("Argentinien A6, Neuseeland A2"), Move(NEUSEELAND, ARGENTINIEN, 1)).armies[ARGENTINIEN] == 7


def test_case_46_the_card_comes_at_the_end_of_the_turn() -> None:
    position = world("Peru A8, Bolivien B1")
    position = captured(position, Attack(PERU, BOLIVIEN, 1))
    assert position.parties[A].cards == 0
    done = apply(position, Done()).position
    assert (done.parties[A].cards, done.parties[A].fresh) == (1, True)


def _received(cards: tuple[int, int, int], card_bonus: int) -> tuple[Position, Received]:
    """Return what A receives at the start of its turn with these cards."""
    position = world("Peru A8", to_move=B, cards={A: cards}, card_bonus=card_bonus, seats=2)
    step = apply(position, Done())
    assert isinstance(step.events[-1], Received)
    return step.position, step.events[-1]


def test_case_47_three_riders_are_turned_in() -> None:
    position, received = _received((3, 0, 0), 9)
    assert (received.cards, position.parties[A].cards, position.card_bonus) == (9, 0, 10)
    assert position.to_place == 3 + 9


def test_case_48_three_different_cards_are_turned_in_and_two_pairs_are_not() -> None:
    assert _received((1, 1, 1), 9)[1].cards == 9
    position, received = _received((2, 2, 0), 9)
    assert (received.cards, position.parties[A].cards, position.card_bonus) == (0, 4, 9)


def test_case_49_three_equal_cards_go_first() -> None:
    position, received = _received((3, 1, 1), 12)
    assert (received.cards, position.card_bonus) == (12, 13)
    assert position.parties[A][:3] == (0, 1, 1)


@pytest.mark.parametrize(("seats", "steps"), [(3, (4, 8, 12, 16)), (2, (3, 6, 9))])
def test_cases_51_and_52_the_bonus_grows_with_time(seats: int, steps: tuple[int, ...]) -> None:
    position = dealt(seats)
    grown = []
    for turn in range(1, steps[-1] + 1):
        bonus = position.card_bonus
        position = pass_turn(position)
        if position.card_bonus > bonus:
            grown.append(turn)
    assert tuple(grown) == steps


def test_case_53_a_view_counts_the_others_cards_and_no_more() -> None:
    position = world("Peru A8, Bolivien C1", cards={A: (1, 1, 0), B: (2, 0, 0), C: (0, 0, 1)}, fresh=(A,))
    seen = EMPERADO.view(position, B).position.parties
    assert seen == (Party(hidden=2, fresh=True), Party(riders=2), Party(hidden=1))


@pytest.mark.parametrize(("kept", "cards"), [(CapturedCards.DISCARD, 1), (CapturedCards.TAKE, 5)])
def test_case_54_cards_of_the_eliminated(kept: CapturedCards, cards: int) -> None:
    position = world("Peru A8, Bolivien C1", cards={A: (1, 0, 0), C: (2, 1, 1)}, options=Options(captured_cards=kept))
    position = captured(position, Attack(PERU, BOLIVIEN, 1))
    assert position.parties[C] == Party(out=2)
    assert position.parties[A].cards == cards


def test_case_56_an_attack_that_is_repeated_throws_the_same() -> None:
    position = world("Peru A8, Bolivien B4", options=Options(undo=Undo.HONOUR))
    first = apply(position, Attack(PERU, BOLIVIEN, 5))
    assert first.retractable
    assert apply(position, Attack(PERU, BOLIVIEN, 5)) == first


def test_case_57_the_end_of_a_turn_is_not_taken_back() -> None:
    for undo in Undo:
        position = world("Peru A8", options=Options(undo=undo))
        step = apply(position, Done())
        assert step.reveals
        with pytest.raises(NotYourTurn):
            EMPERADO.apply(step.position, A, Done(), SEED)


@pytest.mark.parametrize("field", ["solidarity", "coalition", "country_handicap"])
def test_case_58_parameters_are_from_minus_9_to_99(field: str) -> None:
    position = world("Peru A8")
    for value in (100, -10):
        with pytest.raises(Malformed) as refused:
            reoptioned(position, **{field: value})
        assert (refused.value.rule, refused.value.field) == ("EMP-PARAM-8", field)
    for value in (-9, 0, 99):
        assert getattr(reoptioned(position, **{field: value}).options, field) == value


def test_case_59_parameters_at_first() -> None:
    options = EMPERADO.codec.decode(Kind.OPTIONS, b"")
    assert (options.solidarity, options.coalition, options.country_handicap) == (0, 40, 0)


def test_case_61_a_seat_may_become_a_computer_in_its_turn() -> None:
    position = world("Peru A8, Bolivien A2", to_place=3)
    position = seated(position, (True, False, False), SEED).position
    assert position.options.computers[A]
    assert (position.to_move, position.to_place) == (A, 3)
    while position.to_move == A:
        position = apply(position, EMPERADO.expire(EMPERADO.view(position, A))).position
    assert sum(position.armies[country] for country in (PERU, BOLIVIEN)) == 13


def test_cases_62_and_63_times_change_at_any_time_and_nothing_else() -> None:
    still = Options(info_time=0, table_time=0, graphic_time=0)
    position, other = dealt(3, options=still), dealt(3)
    assert reoptioned(position, table_time=100).options.table_time == 100
    for _ in range(5):
        position, other = pass_turn(position), pass_turn(other)
    assert position._replace(options=other.options) == other


def test_case_64_events_have_what_the_table_of_a_turn_tells() -> None:
    westafrika = OF["Westafrika"]
    position = world("Brasilien A3, Westafrika B1", to_place=7)
    first = apply(position, Place(BRASILIEN, 7))
    assert first.events == (Placed(A, BRASILIEN, 7, 3),)
    attack = Attack(BRASILIEN, westafrika, TO_THE_END)
    received = fought(first.position, attack, seed_of_capture(first.position, attack))
    assert (received.attackers, received.defenders, received.entered, received.attackers_lost) == (10, 1, 9, 0)


def test_case_66_settings_are_kept_without_a_position() -> None:
    data = EMPERADO.codec.encode(Kind.OPTIONS, Options(coalition=10))
    assert EMPERADO.codec.decode(Kind.OPTIONS, data).coalition == 10


def test_case_67_a_new_game_keeps_the_settings_and_deals_again() -> None:
    options = Options(start_armies=2, coalition=10)
    first, second = dealt(3, SEED, options), dealt(3, bytes(32), options)
    assert first.options == second.options == options
    assert first.owners != second.owners


def test_case_68_a_seat_without_countries_is_out_at_once() -> None:
    position = world("Peru A8, Bolivien B1, Island D1", seats=4, rest="C")
    position = captured(position, Attack(PERU, BOLIVIEN, 1))
    assert [bool(party.out) for party in position.parties] == [False, True, False, False]
    order = []
    for _ in range(4):
        position = pass_turn(position)
        order.append(position.to_move)
    assert order == [C, 3, A, C]


@pytest.mark.parametrize(("win", "end"), [(Win.LAST_SEAT, End.FREED), (Win.WHOLE_WORLD, None)])
def test_case_69_the_last_opponents_last_country(win: Win, end: End | None) -> None:
    position = world("Bolivien B1, Island -3, Korea -3", rest="A", armies=8, seats=2, options=Options(win=win))
    position = captured(position, Attack(PERU, BOLIVIEN, 1))
    assert position.end == end
    if end:
        outcome = EMPERADO.outcome(position)
        assert outcome is not None
        assert (outcome.scores, outcome.rule) == ((1.0, 0.0), "EMP-END-2")
    else:
        assert EMPERADO.to_act(position) == (A,)
        assert EMPERADO.to_act(pass_turn(position)) == (A,)


def test_case_71_twenty_five_still_rounds_are_a_draw() -> None:
    position = dealt(3, options=Options(auto_draw=True))
    for _ in range(25 * 3 - 1):
        position = pass_turn(position)
    assert (position.round, position.end) == (25, None)
    position = pass_turn(position)
    assert (position.round, position.end, position.winner) == (25, End.STILL, None)


def test_case_72_the_round_grows_when_the_turn_goes_back() -> None:
    position = world("Peru A8", rest="C", to_move=C, round=7)
    position = pass_turn(position)
    assert (position.to_move, position.round) == (A, 8)
    position = pass_turn(position)
    assert (position.to_move, position.round) == (C, 8)


def test_no_action_is_more_than_the_last_one() -> None:
    position = world("Peru A8, Bolivien A1", played=MAX_ACTIONS - 1)
    step = apply(position, Move(PERU, BOLIVIEN, 1))
    assert step.position.end == End.LIMIT
    with pytest.raises(Illegal):
        apply(step.position, Done())
