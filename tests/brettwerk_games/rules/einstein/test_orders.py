"""The order of EinStein: which move is preferred."""

import pytest

from brettwerk_games.rules.einstein import GAME
from brettwerk_games.rules.einstein.actions import Move
from brettwerk_games.rules.einstein.board import NUMBER_OF, STONES
from brettwerk_games.rules.einstein.orders import next_action
from brettwerk_games.rules.einstein.position import GONE, Position, Side
from brettwerk_games.rules.orders import DONE, Doing, Order, completed_order


def side(**squares: str) -> Side:
    """Return a side of some stones: `_3="C3"`."""
    return tuple(NUMBER_OF[squares[f"_{stone}"]] if f"_{stone}" in squares else GONE for stone in range(1, STONES + 1))


def doing(position: Position, **values: int) -> Doing:
    order = completed_order(Order("pick", {key: (value,) for key, value in values.items()}), GAME.facts.orders)
    return next_action(order, GAME.view(position, position.to_move))


WHITE = side(_2="D4", _4="D5")
BLACK = side(_1="C3", _6="A1")


@pytest.mark.parametrize(
    ("values", "move"),
    [
        ({}, Move(2, NUMBER_OF["C3"])),
        ({"captures": 3, "direction": 2}, Move(2, NUMBER_OF["C4"])),
        ({"captures": 2, "stone": 4, "direction": 3}, Move(4, NUMBER_OF["D4"])),
        ({"captures": 3, "stone": 4}, Move(4, NUMBER_OF["C4"])),
    ],
)
def test_the_preferred_move_is_played(values: dict[str, int], move: Move) -> None:
    assert doing(Position((WHITE, BLACK), roll=3), near=0, **values).action == move


def test_a_move_that_wins_comes_first() -> None:
    position = Position((side(_2="B1", _4="D5"), side(_1="C3", _6="A2")), roll=3)
    assert doing(position, near=0, captures=1, stone=4).action == Move(2, NUMBER_OF["A1"])


def test_it_ends_when_an_enemy_is_near() -> None:
    position = Position((WHITE, BLACK), roll=3)
    assert doing(position, near=2) == DONE
    assert doing(position, near=1).action is not None
