"""The numbered rule cases; each name says its number. What is for clients alone (61, 62, 64, 66) is tested as far as rules go."""

from collections import Counter

import pytest

from services.games.chance import Dice
from services.games.emperado.actions import TO_THE_END, Attack, Done, Drew, Fought, Move, Moved, Place, Placed, Received, Throw
from services.games.emperado.battle import attacker_dice, defender_dice, losses, throw
from services.games.emperado.deal import shares
from services.games.emperado.odds import odds
from services.games.emperado.options import WAIT, CapturedCards, CaptureMove, Options, Undo, Win
from services.games.emperado.position import GHOST, MOST_ACTIONS, End, Party, Position
from services.games.emperado.reinforcement import continent_bonus, country_bonus, income
from services.games.emperado.world import NEIGHBOURS
from services.games.interface import Kind
from services.games.refusals import Illegal, Malformed, NotYourTurn
from tests.services.games.emperado.worlds import (
    EMPERADO,
    OF,
    SEED,
    A,
    B,
    C,
    after,
    apply,
    captured,
    continent,
    fought,
    pass_turn,
    placed,
    reoptioned,
    rule_against,
    seed_of_capture,
    seed_of_throw,
    seeds,
    world,
)

PERU, BOLIVIEN, BRASILIEN, ARGENTINIEN = OF["Peru"], OF["Bolivien"], OF["Brasilien"], OF["Argentinien"]
KOLUMBIEN, NEUSEELAND, ALASKA, ALBERTA, ONTARIO = OF["Kolumbien"], OF["Neuseeland"], OF["Alaska"], OF["Alberta"], OF["Ontario"]


def new(seats: int, seed: bytes = SEED, options: Options | None = None) -> Position:
    return EMPERADO.new(options or Options(), seats, None, seed).position


@pytest.mark.parametrize(
    ("seats", "dealt", "ghosts"),
    [
        (2, (29, 30), 1),
        (3, (19, 20, 21), 0),
        (4, (13, 14, 15, 16), 2),
        (5, (10, 11, 12, 13, 14), 0),
        (6, (7, 8, 9, 10, 11, 12), 3),
    ],
)
def test_cases_1_to_5_each_seat_is_dealt_one_country_more(seats: int, dealt: tuple[int, ...], ghosts: int) -> None:
    owners = Counter(new(seats).owners)
    assert shares(seats) == tuple(owners[seat] for seat in range(seats)) == dealt
    assert owners[GHOST] == ghosts


@pytest.mark.parametrize("seats", [1, 7])
def test_case_6_one_or_seven_seats_are_refused(seats: int) -> None:
    with pytest.raises(Malformed) as refused:
        new(seats)
    assert refused.value.rule == "EMP-SETUP-1"


def test_case_7_a_new_game() -> None:
    position = new(4)
    assert set(position.armies) == {3}
    assert all(party.cards == 0 for party in position.parties)
    assert (position.card_bonus, position.round, position.to_move) == (4, 1, A)


def test_case_8_equal_seeds_deal_equally() -> None:
    assert new(5) == new(5)
    assert new(5).owners != new(5, bytes(32)).owners


def test_case_9_the_manuals_income() -> None:
    lands = (*continent("South America"), *continent("Central America"), *continent("Asia")[:7])
    position = world(seats=6, lands={A: lands})
    assert position.owners.count(A) == 16
    assert income(position, A) == (3, 4, 3)
    assert sum(income(position, A)) == 10


@pytest.mark.parametrize(("countries", "bonus"), [(29, 0), (30, 1), (32, 1), (33, 2), (59, 10)])
def test_case_11_country_bonus_of_two_seats(countries: int, bonus: int) -> None:
    position = world(seats=2, lands={A: range(countries)})
    assert country_bonus(position, A) == bonus


def test_case_12_the_threshold_stays_when_a_seat_is_out() -> None:
    position = world(seats=3, lands={A: range(20)})
    assert position.parties[C].out
    assert country_bonus(position, A) == 1
    assert country_bonus(world(seats=3, lands={A: range(19)}), A) == 0


def test_case_13_a_single_country_receives_three() -> None:
    position = world("Madagaskar A1")
    assert sum(income(position, A)) == 3


def test_case_14_a_continent_completed_last_turn_pays() -> None:
    *held, last = continent("Australia")
    position = world(lands={A: held, C: (ALASKA,)}, armies=9, round=5)
    position = captured(position, Attack(next(near for near in NEIGHBOURS[last] if near in held), last, TO_THE_END))
    for _ in range(3):
        step = apply(placed(position), Done())
        position = step.position
    assert step.events == (Received(A, 3, 1, 0, 0),)


def test_case_16_a_dealt_continent_pays_from_the_second_turn() -> None:
    polar = continent("Polar Islands")
    seed = next(seed for seed in seeds() if all(new(2, seed).owners[country] == A for country in polar))
    first = EMPERADO.new(Options(), 2, None, seed)
    assert first.events == (Received(A, 3, 0, 0, 0),)
    position = pass_turn(pass_turn(first.position))
    assert (position.to_move, position.round, continent_bonus(position, A)) == (A, 2, 1)


def test_case_17_a_negative_handicap_helps_people() -> None:
    options = Options(country_handicap=-5, computers=(False, True, False, False, False, False))
    position = world(seats=6, rest="C", options=options, lands={A: range(11), B: range(11, 22)})
    assert (country_bonus(position, A), country_bonus(position, B)) == (3, 1)


def test_case_18_a_positive_handicap_helps_computers() -> None:
    options = Options(country_handicap=5, computers=(False, True, False, False, False, False))
    position = world(seats=6, rest="C", options=options, lands={A: range(5), B: range(5, 10)})
    assert (country_bonus(position, A), country_bonus(position, B)) == (0, 1)


def test_case_19_never_more_armies_are_placed_than_are_left() -> None:
    position = world("Peru A1, Bolivien A1", to_place=7)
    first = apply(position, Place(PERU, 5))
    second = apply(first.position, Place(PERU, 5))
    assert (first.events, second.events) == ((Placed(A, PERU, 5, 1),), (Placed(A, PERU, 2, 6),))
    assert (second.position.armies[PERU], second.position.to_place) == (8, 0)
    assert rule_against(position, Place(BRASILIEN, 1)) == "EMP-REINF-8"


def test_case_21_with_an_army_to_place_nothing_else_goes() -> None:
    position = world("Peru A5, Bolivien A1", to_place=1)
    assert rule_against(position, Attack(PERU, BRASILIEN, 1)) == "EMP-REINF-9"
    assert rule_against(position, Move(PERU, BOLIVIEN, 1)) == "EMP-REINF-9"
    assert rule_against(position, Done()) == "EMP-TURN-3"


def test_case_22_a_turn_without_an_attack_brings_no_card() -> None:
    position = world("Peru A5, Bolivien D1", seats=4)
    step = apply(position, Done())
    assert step.position.to_move == B
    assert step.position.parties[A].cards == 0
    assert not any(isinstance(event, Drew) for event in step.events)


def test_case_23_the_manuals_attack() -> None:
    position = world("Alberta A9, Ontario B2")
    seed = seed_of_throw(9, 2, Throw((6, 4, 3), (5, 4)))
    step = apply(position, Attack(ALBERTA, ONTARIO, 1), seed)
    assert (step.position.armies[ALBERTA], step.position.armies[ONTARIO]) == (8, 1)
    assert step.position.owners == position.owners
    assert step.events == (Fought(A, ALBERTA, ONTARIO, B, 9, 2, 1, 1, 1, (Throw((6, 4, 3), (5, 4)),), 0),)


def test_case_24_numbers_of_dice() -> None:
    assert [attacker_dice(armies) for armies in (2, 3, 4, 50)] == [1, 2, 3, 3]
    assert [defender_dice(armies) for armies in (1, 2, 3, 50)] == [1, 2, 3, 3]


def test_case_26_only_as_many_pairs_as_the_fewer_dice() -> None:
    assert losses(Throw((5, 1), (4, 4, 2))) == (1, 1)


def test_case_27_one_defender_is_one_pair() -> None:
    assert losses(Throw((6, 5, 4), (3,))) == (0, 1)
    position = world("Alberta A9, Ontario B1")
    step = apply(position, Attack(ALBERTA, ONTARIO, 1), seed_of_throw(9, 1, Throw((6, 5, 4), (3,))))
    assert step.position.owners[ONTARIO] == A


def test_case_28_a_country_with_one_army_cannot_attack() -> None:
    assert rule_against(world("Peru A1"), Attack(PERU, BOLIVIEN, 1)) == "EMP-ATTACK-1"


def test_case_29_only_neighbours_are_attacked_also_over_sea() -> None:
    position = world("Alaska A9")
    assert apply(position, Attack(ALASKA, OF["Kamtschatka"], 1)).events
    assert rule_against(position, Attack(ALASKA, OF["Quebec"], 1)) == "EMP-ATTACK-2"


def test_case_31_a_series_ends_early() -> None:
    position = world("Peru A4, Bolivien B9")
    for seed in (SEED, bytes(32)):
        assert apply(position, Attack(PERU, BOLIVIEN, 100), seed).position.armies[PERU] == 1
        assert fought(position, Attack(PERU, BOLIVIEN, 100), seed).throws < 100
    weak = world("Peru A90, Bolivien B2")
    assert apply(weak, Attack(PERU, BOLIVIEN, 100)).position.owners[BOLIVIEN] == A


def test_case_32_all_armies_but_one_move_in_and_may_go_on() -> None:
    position = world("Peru A8, Bolivien B1")
    step = apply(position, Attack(PERU, BOLIVIEN, 1), seed_of_capture(position, Attack(PERU, BOLIVIEN, 1)))
    assert (step.position.owners[BOLIVIEN], step.position.armies[BOLIVIEN], step.position.armies[PERU]) == (A, 7, 1)
    assert apply(step.position, Attack(BOLIVIEN, ARGENTINIEN, 1)).events


@pytest.mark.parametrize(("how", "moved", "stayed"), [(CaptureMove.DICE, 3, 5), (CaptureMove.ONE, 1, 7)])
def test_cases_33_and_34_as_many_as_dice_or_one(how: CaptureMove, moved: int, stayed: int) -> None:
    position = world("Peru A8, Bolivien B1", options=Options(capture_move=how))
    position = captured(position, Attack(PERU, BOLIVIEN, 1))
    assert (position.armies[BOLIVIEN], position.armies[PERU]) == (moved, stayed)


def test_case_36_ten_thousand_throws_of_three_against_three() -> None:
    dice = Dice(SEED, "dice")
    won = Counter(losses(throw(9, 9, dice))[1] for _ in range(10_000))
    for pairs, share in ((3, 13.8), (2, 21.5), (1, 26.5), (0, 38.3)):
        assert abs(won[pairs] / 100 - share) < 1.5


@pytest.mark.parametrize(("attackers", "defenders", "chance"), [(9, 2, 0.9803), (4, 3, 0.3276), (11, 6, 0.5552)])
def test_case_37_chances_to_capture(attackers: int, defenders: int, chance: float) -> None:
    assert odds(attackers, defenders).win == pytest.approx(chance, abs=0.001)


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
    position = new(seats)
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
    assert not first.reveals
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
    position = reoptioned(position, computers=(True,) * 6)
    assert (position.to_move, position.to_place) == (A, 3)
    while position.to_move == A:
        position = apply(position, EMPERADO.expire(EMPERADO.view(position, A))).position
    assert sum(position.armies[country] for country in (PERU, BOLIVIEN)) == 13


def test_cases_62_and_63_times_change_at_any_time_and_nothing_else() -> None:
    still = Options(info_time=0, table_time=0, graphic_time=0)
    position, other = new(3, options=still), new(3)
    assert reoptioned(position, table_time=WAIT).options.table_time == WAIT
    for _ in range(5):
        position, other = pass_turn(position), pass_turn(other)
    assert position._replace(options=other.options) == other


def test_case_64_events_have_what_the_table_of_a_turn_tells() -> None:
    westafrika = OF["Westafrika"]
    position = world("Brasilien A3, Westafrika B1", to_place=7)
    first = apply(position, Place(BRASILIEN, 7))
    assert first.events == (Placed(A, BRASILIEN, 7, 3),)
    attack = Attack(BRASILIEN, westafrika, TO_THE_END)
    told = fought(first.position, attack, seed_of_capture(first.position, attack))
    assert (told.attackers, told.defenders, told.entered, told.attackers_lost) == (10, 1, 9, 0)


def test_case_66_settings_are_kept_without_a_position() -> None:
    data = EMPERADO.codec.encode(Kind.OPTIONS, Options(coalition=10))
    assert EMPERADO.codec.decode(Kind.OPTIONS, data).coalition == 10


def test_case_67_a_new_game_keeps_the_settings_and_deals_again() -> None:
    options = Options(start_armies=2, coalition=10)
    first, second = new(3, SEED, options), new(3, bytes(32), options)
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
    position = new(3, options=Options(auto_draw=True))
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
    position = world("Peru A8, Bolivien A1", played=MOST_ACTIONS - 1)
    step = apply(position, Move(PERU, BOLIVIEN, 1))
    assert step.position.end == End.LIMIT
    with pytest.raises(Illegal):
        apply(step.position, Done())
