"""Placing, and cards that are turned in by hand."""

import functools
import itertools
import operator

import pytest

from brettwerk_games.rules.emperado.actions import CardSet, Done, Exchange, Exchanged, Place, Placed, Received
from brettwerk_games.rules.emperado.options import CardExchange, Options
from brettwerk_games.rules.emperado.position import REVISION
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.emperado.worlds import BOLIVIEN, EMPERADO, PERU, A, B, after, apply, rule_against, world

BY_HAND = Options(card_exchange=CardExchange.MANUAL)


def test_sets_stay_until_their_owner_turns_them_in() -> None:
    position = world("Peru A1", to_move=B, seats=2, cards={A: (3, 0, 0)}, options=BY_HAND)
    step = apply(position, Done())
    assert step.events == (Received(A, 3, 0, 0, 0),)
    assert step.position.exchanging
    assert step.position.parties[A].cards == 3


def test_an_exchange_pays_the_bonus_and_raises_it() -> None:
    position = world("Peru A1", to_place=3, exchanging=True, card_bonus=7, cards={A: (1, 2, 4)}, options=BY_HAND)
    step = apply(position, Exchange(CardSet.CANNONS))
    assert step.events == (Exchanged(A, CardSet.CANNONS, 7),)
    assert (step.position.to_place, step.position.card_bonus) == (10, 8)
    assert step.position.parties[A][:3] == (1, 2, 1)
    again = apply(step.position, Exchange(CardSet.MIXED)).position
    assert (again.to_place, again.parties[A][:3]) == (18, (0, 1, 0))


@pytest.mark.parametrize(
    ("hand", "sets"),
    [
        ((0, 0, 0), []),
        ((2, 2, 0), []),
        ((3, 0, 0), [CardSet.RIDERS]),
        ((0, 4, 0), [CardSet.SOLDIERS]),
        ((0, 2, 3), [CardSet.CANNONS]),
        ((1, 1, 1), [CardSet.MIXED]),
        ((3, 1, 3), [CardSet.RIDERS, CardSet.CANNONS, CardSet.MIXED]),
    ],
)
def test_sets_are_three_equal_or_three_different_cards(hand: tuple[int, int, int], sets: list[CardSet]) -> None:
    position = world("Peru A1", to_place=3, exchanging=True, cards={A: hand}, options=BY_HAND)
    listed = [action.set for action in EMPERADO.actions(EMPERADO.view(position, A)) if isinstance(action, Exchange)]
    assert listed == sets
    for chosen in CardSet:
        if chosen not in sets:
            assert rule_against(position, Exchange(chosen)) == "EMP-CARD-3"


@functools.lru_cache
def most(riders: int, soldiers: int, cannons: int) -> int:
    """Return how many sets a hand has at most, by trying all ways."""
    ways = ((3, 0, 0), (0, 3, 0), (0, 0, 3), (1, 1, 1))
    hand = (riders, soldiers, cannons)
    left = [tuple(map(operator.sub, hand, way)) for way in ways if all(map(operator.ge, hand, way))]
    return max((1 + most(*rest) for rest in left), default=0)


def exchanged(hand: tuple[int, int, int], revision: int = REVISION) -> list[Exchanged]:
    """Return what is turned in by itself at the beginning of A's turn."""
    position = world("Peru A1", to_move=B, seats=2, cards={A: hand}, card_bonus=8, revision=revision)
    return [event for event in apply(position, Done()).events if isinstance(event, Exchanged)]


def test_as_many_sets_as_possible_are_turned_in_by_themselves() -> None:
    assert exchanged((3, 2, 2)) == [Exchanged(A, CardSet.MIXED, 8), Exchanged(A, CardSet.MIXED, 9)]
    for hand in itertools.product(range(8), repeat=3):
        assert len(exchanged(hand)) == most(*hand), hand  # type: ignore[arg-type]


def test_three_equal_cards_go_first_where_that_makes_no_difference() -> None:
    assert [event.set for event in exchanged((1, 1, 4))] == [CardSet.CANNONS, CardSet.MIXED]


def test_games_of_former_revisions_turn_three_equal_cards_in_first_whatever_that_costs() -> None:
    assert [event.set for event in exchanged((3, 2, 2), revision=0)] == [CardSet.RIDERS]


def test_with_five_cards_a_set_has_to_go_before_anything_is_placed() -> None:
    five = world("Peru A1", to_place=3, exchanging=True, cards={A: (2, 2, 1)}, options=BY_HAND)
    assert rule_against(five, Place(PERU, 1)) == "EMP-CARD-4"
    assert EMPERADO.expire(EMPERADO.view(five, A)) == Exchange(CardSet.MIXED)
    assert after(five, Exchange(CardSet.MIXED), Place(PERU, 3)).armies[PERU] == 1 + 3
    four = world("Peru A1", to_place=3, exchanging=True, cards={A: (1, 2, 1)}, options=BY_HAND)
    assert after(four, Place(PERU, 3)).armies[PERU] == 4


def test_after_the_first_army_nothing_is_turned_in_any_more() -> None:
    position = world("Peru A1", to_place=3, exchanging=True, cards={A: (3, 0, 0)}, options=BY_HAND)
    assert rule_against(after(position, Place(PERU, 1)), Exchange(CardSet.RIDERS)) == "EMP-CARD-4"


def test_where_cards_are_exchanged_by_themselves_nobody_does_it_by_hand() -> None:
    position = world("Peru A1", to_place=3, cards={A: (3, 0, 0)})
    assert rule_against(position, Exchange(CardSet.RIDERS)) == "EMP-CARD-4"


def test_armies_may_go_to_several_countries() -> None:
    position = world("Peru A1, Bolivien A2", to_place=9)
    position = after(position, Place(PERU, 4), Place(BOLIVIEN, 1), Place(PERU, 20))
    assert (position.armies[PERU], position.armies[BOLIVIEN], position.to_place) == (9, 3, 0)


def test_placing_is_not_resumed() -> None:
    assert rule_against(world("Peru A5"), Place(PERU, 1)) == "EMP-TURN-5"


def test_a_placement_is_shown_with_the_armies_that_stood_there() -> None:
    assert apply(world("Peru A5", to_place=100), Place(PERU, 20)).events == (Placed(A, PERU, 20, 5),)


@pytest.mark.parametrize("action", [Place(60, 1), Place(-1, 1), Place(PERU, 0), Place(PERU, -3)])
def test_countries_and_numbers_that_there_are_not_are_malformed(action: Place) -> None:
    with pytest.raises(Malformed):
        apply(world("Peru A5", to_place=3), action)
