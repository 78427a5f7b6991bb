"""A game gets chance when a seat leaves, and one that was written before that is asked as it always was."""

from typing import Any

import pytest

from brettwerk_games.rules.interface import Flag, Resign, Step
from brettwerk_games.rules.plateau.game import Plateau
from tests.brettwerk_games.packages.packages import example, packaged
from tests.brettwerk_games.rules.kit.options import presets

SEED = bytes(range(32))


class Leaves(Plateau):
    """Tells what `leave` was given, with the seed and without it."""

    def leave(self, position: Any, seat: int, reason: Any, seed: bytes, /) -> Step[Any, Any]:
        return Step((seat, reason.name, seed))


class LeavesAsIn10(Plateau):
    def leave(self, position: Any, seat: int, reason: Any, /) -> Step[Any, Any]:  # type: ignore[override]
        return Step((seat, reason.name))


class LeavesAsAModule(Plateau):
    leave: Any = staticmethod(lambda position, seat, reason: Step((seat, reason.name)))


@pytest.mark.parametrize(
    ("kind", "given"),
    [(Leaves, (1, "RESIGNED", SEED)), (LeavesAsIn10, (1, "RESIGNED")), (LeavesAsAModule, (1, "RESIGNED"))],
)
def test_a_game_that_lets_seats_leave_is_given_the_seed_if_it_takes_one(kind: type[Any], given: tuple[Any, ...]) -> None:
    game = kind()
    position = game.new(presets(game, 2), 2, None, SEED).position
    assert game.system_action(position, Resign(1), SEED).position == given


@pytest.mark.parametrize("leaving", [Resign, Flag])
def test_of_two_the_other_one_wins_when_a_seat_leaves(leaving: type[Any]) -> None:
    for game in (example(), packaged("breakthrough")):
        position = game.new(presets(game, 2), 2, None, SEED).position
        outcome = game.outcome(game.system_action(position, leaving(0), SEED).position)
        assert outcome is not None
        assert outcome.winners == (1,)


def test_a_fault_within_leave_is_not_taken_for_one_of_its_parameters() -> None:
    def broken(position: Any, seat: int, reason: Any, seed: bytes) -> Any:
        raise TypeError("something else")

    game = type("Broken", (Plateau,), {"leave": staticmethod(broken)})()
    position = game.new(presets(game, 2), 2, None, SEED).position
    with pytest.raises(TypeError, match="something else"):
        game.system_action(position, Resign(1), SEED)
