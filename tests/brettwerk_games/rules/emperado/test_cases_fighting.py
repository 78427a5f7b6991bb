"""The numbered rule cases 1 to 37: set-up, armies received, attacks. Each name says its number."""

from collections import Counter

import pytest

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import TO_THE_END, Attack, Done, Drew, Fought, Move, Place, Placed, Received, Throw
from brettwerk_games.rules.emperado.battle import attacker_dice, defender_dice, losses, throw
from brettwerk_games.rules.emperado.deal import shares
from brettwerk_games.rules.emperado.odds import odds
from brettwerk_games.rules.emperado.options import CaptureMove, Options
from brettwerk_games.rules.emperado.position import GHOST
from brettwerk_games.rules.emperado.reinforcement import continent_bonus, country_bonus, income
from brettwerk_games.rules.emperado.world import NEIGHBOURS
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.emperado.worlds import (
    ALASKA,
    ALBERTA,
    ARGENTINIEN,
    BOLIVIEN,
    BRASILIEN,
    EMPERADO,
    OF,
    ONTARIO,
    PERU,
    SEED,
    A,
    B,
    C,
    apply,
    captured,
    continent,
    dealt,
    fought,
    pass_turn,
    placed,
    rule_against,
    seed_of_capture,
    seed_of_throw,
    seeds,
    world,
)


@pytest.mark.parametrize(
    ("seats", "shared", "ghosts"),
    [
        (2, (29, 30), 1),
        (3, (19, 20, 21), 0),
        (4, (13, 14, 15, 16), 2),
        (5, (10, 11, 12, 13, 14), 0),
        (6, (7, 8, 9, 10, 11, 12), 3),
    ],
)
def test_cases_1_to_5_each_seat_is_dealt_one_country_more(seats: int, shared: tuple[int, ...], ghosts: int) -> None:
    owners = Counter(dealt(seats).owners)
    assert shares(seats) == tuple(owners[seat] for seat in range(seats)) == shared
    assert owners[GHOST] == ghosts


@pytest.mark.parametrize("seats", [1, 7])
def test_case_6_one_or_seven_seats_are_refused(seats: int) -> None:
    with pytest.raises(Malformed) as refused:
        dealt(seats)
    assert refused.value.rule == "EMP-SETUP-1"


def test_case_7_a_new_game() -> None:
    position = dealt(4)
    assert set(position.armies) == {3}
    assert all(party.cards == 0 for party in position.parties)
    assert (position.card_bonus, position.round, position.to_move) == (4, 1, A)


def test_case_8_equal_seeds_deal_equally() -> None:
    assert dealt(5) == dealt(5)
    assert dealt(5).owners != dealt(5, bytes(32)).owners


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
    seed = next(seed for seed in seeds() if all(dealt(2, seed).owners[country] == A for country in polar))
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
