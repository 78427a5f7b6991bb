"""The list of legal actions, and the actions played when time is over."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.emperado.actions import TO_THE_END, Attack, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.legal import amounts
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import End, Position
from brettwerk_games.rules.refusals import GameOver, NotYourTurn
from tests.brettwerk_games.rules.emperado.test_rules import OPTIONS, steps
from tests.brettwerk_games.rules.emperado.worlds import BOLIVIEN, BRASILIEN, EMPERADO, PERU, A, B, apply, world
from tests.night import examples


def listed(position: Position) -> tuple[object, ...]:
    return tuple(EMPERADO.actions(EMPERADO.view(position, position.to_move)))


@pytest.mark.parametrize(
    ("most", "offered"),
    [(1, (1,)), (2, (1, 2)), (5, (1, 5)), (7, (1, 5, 7)), (100, (1, 5, 20, 100)), (250, (1, 5, 20, 100, 250))],
)
def test_amounts_are_the_clicks_and_all(most: int, offered: tuple[int, ...]) -> None:
    assert amounts(most) == offered


def test_armies_are_placed_in_every_own_country() -> None:
    position = world("Peru A8, Bolivien A1", to_place=7)
    assert listed(position) == tuple(Place(country, armies) for country in sorted((PERU, BOLIVIEN)) for armies in (1, 5, 7))


def test_attacks_and_moves_are_listed_after_the_end_of_the_turn() -> None:
    position = world("Bolivien A9, Brasilien A1", rest="B", armies=1)
    actions = listed(position)
    assert actions[0] == Done()
    assert {a for a in actions if isinstance(a, Move)} == {Move(BOLIVIEN, BRASILIEN, n) for n in (1, 5, 8)}
    assert {a.throws for a in actions if isinstance(a, Attack) and a.target == PERU} == {1, 5, TO_THE_END}
    assert len(set(actions)) == len(actions)


def test_a_battle_of_one_throw_is_listed_once() -> None:
    position = world("Peru A2, Bolivien B1, Brasilien A1, Kolumbien A1", rest="A", armies=1)
    assert [a for a in listed(position) if isinstance(a, Attack)] == [Attack(PERU, BOLIVIEN, TO_THE_END)]


@given(OPTIONS, st.integers(2, 6), st.integers(0, 2**32))
@settings(max_examples=examples(15), deadline=None)
def test_expiry_ends_the_turn_in_a_few_actions(options: Options, seats: int, seed: int) -> None:
    for number, (position, _, _) in enumerate(steps(options, seats, seed, 100)):
        if number % 10:
            continue
        seat, turn = position.to_move, (position.to_move, position.round)
        for _ in range(12):
            if position.end is not None or (position.to_move, position.round) != turn:
                break
            view = EMPERADO.view(position, seat)
            action = EMPERADO.expire(view)
            assert action in EMPERADO.actions(view)
            assert isinstance(action, Exchange | Place | Enter | Done)
            position = apply(position, action).position
        else:
            raise AssertionError("the turn goes on")


def test_expiry_arms_the_most_threatened_country() -> None:
    position = world("Peru A8, Bolivien A1, Kolumbien B90", to_place=7)
    assert EMPERADO.expire(EMPERADO.view(position, A)) == Place(PERU, 7)


def test_expiry_is_for_the_seat_on_turn() -> None:
    position = world("Peru A8")
    with pytest.raises(NotYourTurn):
        EMPERADO.expire(EMPERADO.view(position, B))
    over = position._replace(end=End.FREED, winner=A)
    with pytest.raises(GameOver):
        EMPERADO.expire(EMPERADO.view(over, A))
