"""The orders of EMPERADO, in positions that are written down."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.emperado.actions import TO_THE_END, Attack, CardSet, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.options import CaptureMove, CardExchange, Options
from brettwerk_games.rules.emperado.orders import next_action, require_order
from brettwerk_games.rules.emperado.position import Entry, Position
from brettwerk_games.rules.orders import DONE, IMPOSSIBLE, Doing, Order, completed_order, wait
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.emperado.worlds import ALASKA, ARGENTINIEN, BOLIVIEN, BRASILIEN, EMPERADO, PERU, A, apply, world
from tests.night import examples

CHOOSE = Options(capture_move=CaptureMove.CHOOSE)
BY_HAND = Options(card_exchange=CardExchange.MANUAL)


def order(kind: str, **values: int | tuple[int, ...]) -> Order:
    given = {key: value if isinstance(value, tuple) else (value,) for key, value in values.items()}
    return completed_order(Order(kind, given), EMPERADO.facts.orders)


def doing(given: Order, position: Position) -> Doing:
    return next_action(given, EMPERADO.view(position, A))


def test_an_attack_goes_on_until_the_country_is_taken() -> None:
    attack = order("attack", source=PERU, target=BOLIVIEN)
    assert doing(attack, world("Peru A9, Bolivien B2")) == Doing(Attack(PERU, BOLIVIEN, TO_THE_END), attack)
    assert doing(attack, world("Peru A9, Bolivien A2")) == DONE
    assert doing(attack, world("Peru B9, Bolivien C2, Alaska A1")) == IMPOSSIBLE
    assert doing(attack, world("Peru A9, Bolivien B2", to_place=3)) == wait(attack)


@given(keep=st.integers(2, 30), armies=st.integers(2, 60), defenders=st.integers(1, 60), seed=st.binary(min_size=32, max_size=32))
@settings(max_examples=examples(60), deadline=None)
def test_an_attack_stops_before_more_than_one_throw_below_what_is_kept(
    keep: int, armies: int, defenders: int, seed: bytes
) -> None:
    left: Order | None = order("attack", source=PERU, target=BOLIVIEN, keep=keep)
    position = world(f"Peru A{armies}, Bolivien B{defenders}")
    for number in range(200):
        assert left is not None
        found = doing(left, position)
        if found.action is None:
            assert found == DONE
            break
        before = position.armies[PERU]
        assert before >= keep
        position = apply(position, found.action, bytes([number]) + seed[1:]).position
        if position.owners[BOLIVIEN] != A:
            assert position.armies[PERU] >= min(before - 1, keep) - 3 or keep <= 2
        left = found.left
    else:
        raise AssertionError("the attack does not end")


def test_an_attack_makes_no_more_throws_than_are_allowed() -> None:
    attack, position = order("attack", source=PERU, target=BOLIVIEN, throws=3), world("Peru A90, Bolivien B90")
    found = doing(attack, position)
    assert found.action == Attack(PERU, BOLIVIEN, 3)
    assert found.left is not None
    assert doing(found.left, position) == DONE
    careful = order("attack", source=PERU, target=BOLIVIEN, throws=3, keep=87)
    assert doing(careful, position).action == Attack(PERU, BOLIVIEN, 1)


@pytest.mark.parametrize(("enter", "armies"), [(0, 8), (5, 5), (1, 3), (90, 8)])
def test_as_many_armies_move_in_as_are_wanted_and_can(enter: int, armies: int) -> None:
    attack = order("attack", source=PERU, target=BOLIVIEN, enter=enter)
    entering = world("Peru A6, Bolivien A3", entry=Entry(PERU, BOLIVIEN, 3), options=CHOOSE)
    assert doing(attack, entering) == Doing(Enter(armies), done=True)
    elsewhere = order("attack", source=BRASILIEN, target=ARGENTINIEN)
    assert doing(elsewhere, entering) == wait(elsewhere)


def test_armies_are_spread_evenly_and_turn_after_turn() -> None:
    left: Order | None = order("place", countries=(PERU, ALASKA, BOLIVIEN))
    position, placed = world("Peru A1, Alaska A1", to_place=5), []
    while position.to_place:
        assert left is not None
        found = doing(left, position)
        placed.append(found.action)
        assert found.action is not None
        position, left = apply(position, found.action).position, found.left
    assert placed == [Place(PERU, 3), Place(ALASKA, 2)]
    assert left is not None
    assert doing(left, position) == wait(left)
    assert doing(left, world("Bolivien A1", to_place=3)).action == Place(BOLIVIEN, 3)
    assert doing(left, world("Kolumbien A1", to_place=3)) == IMPOSSIBLE


def test_no_more_armies_are_placed_than_are_ordered() -> None:
    place = order("place", countries=(PERU,), armies=4)
    assert doing(place, world("Peru A1", to_place=9)) == Doing(Place(PERU, 4), done=True)
    first = doing(place, world("Peru A1", to_place=3))
    assert first.action == Place(PERU, 3)
    assert first.left is not None
    assert doing(first.left, world("Peru A1", to_place=3)) == Doing(Place(PERU, 1), done=True)


def test_cards_are_turned_in_when_that_is_wanted() -> None:
    soon, forced = order("trade"), order("trade", when=2)
    three = world("Peru A1", cards={A: (3, 0, 0)}, exchanging=True, to_place=3, options=BY_HAND)
    five = world("Peru A1", cards={A: (3, 1, 1)}, exchanging=True, to_place=3, options=BY_HAND)
    assert doing(soon, three) == Doing(Exchange(CardSet.RIDERS), soon)
    assert doing(forced, three) == wait(forced)
    assert isinstance(doing(forced, five).action, Exchange)
    assert doing(order("place", countries=(PERU,)), five).action is None
    assert doing(soon, world("Peru A1")) == IMPOSSIBLE


def test_armies_move_up_and_the_turn_ends_after_that() -> None:
    move, end = order("move", source=PERU, target=BOLIVIEN, keep=2), order("end_turn")
    position = world("Peru A6, Bolivien A1")
    assert doing(move, position) == Doing(Move(PERU, BOLIVIEN, 4), move)
    assert doing(move, world("Peru A2, Bolivien A5")) == wait(move)
    assert doing(move, world("Peru A6, Bolivien B1")) == IMPOSSIBLE
    assert doing(end, position) == Doing(Done(), end)
    assert doing(end, world("Peru A6", to_place=1)) == wait(end)


def test_countries_that_are_no_neighbours_are_malformed() -> None:
    view = EMPERADO.view(world("Peru A6"), A)
    for wrong in (order("attack", source=PERU, target=ALASKA), order("move", source=PERU, target=60)):
        with pytest.raises(Malformed) as caught:
            require_order(wrong, view)
        assert caught.value.field == "target"
