"""The criteria of a puzzle, by judges whose words are known."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from brettwerk_games.players.registry import level_of, make_player
from brettwerk_games.rules.registry import games
from services.ai.puzzles.__main__ import play
from services.ai.puzzles.criteria import Finder, Found

EINSTEIN = games()["einstein"]


class Words:
    """A judge that says of the listed actions what it was told to."""

    def __init__(self, *worths: float) -> None:
        self._worths = worths
        self.asked = 0

    def worths(self, view: Any, actions: Sequence[Any], go_on: Callable[[float], bool]) -> list[float] | None:
        said: Mapping[Any, float] = dict(zip(EINSTEIN.actions(view), self._worths, strict=True))
        worths = []
        for action in actions:
            self.asked += 1
            worths.append(said[action])
            if not go_on(worths[-1]):
                return None
        return worths


@pytest.fixture(scope="module")
def view() -> Any:
    """A view with three actions."""
    return next(one.view for one in play(EINSTEIN, 2, 1) if len(EINSTEIN.actions(one.view)) == 3)


def found(view: Any, sifts: Sequence[float], agrees: Sequence[float] | None = None) -> Found | None:
    return Finder(EINSTEIN, Words(*sifts), Words(*(agrees or sifts)), votes=0).find(view)


def test_one_good_action_of_three_makes_a_puzzle(view: Any):
    made = found(view, (0.3, 0.8, 0.4))
    assert made is not None
    assert [round(one.kept, 3) for one in made.actions] == [1.0, 0.5, 0.375]
    assert [one.action for one in made.right] == [EINSTEIN.actions(view)[1]]
    assert made.chance == 0.8


@pytest.mark.parametrize(
    "worths",
    [
        (0.8, 0.79, 0.1),  # two good ones of three
        (0.8, 0.7, 0.1),  # one that is nearly as good
        (0.1, 0.05, 0.05),  # nothing to keep
        (0.8, 0.69, 0.69),  # nothing much to lose
    ],
)
def test_an_unclear_position_makes_no_puzzle(view: Any, worths: Sequence[float]):
    assert found(view, worths) is None


def test_the_judge_that_looks_further_has_to_agree(view: Any):
    # the quick judge's second action is doubtful, and is better than it looks
    assert found(view, (0.3, 0.8, 0.63)) is not None
    assert found(view, (0.3, 0.8, 0.63), (0.3, 0.8, 0.75)) is None


def test_clearly_bad_actions_are_not_weighed_again(view: Any):
    agrees = Words(0.9, 0.8, 0.9)
    assert Finder(EINSTEIN, Words(0.1, 0.8, 0.1), agrees, votes=0).find(view) is not None
    assert agrees.asked == 1


def test_there_is_none_without_time(view: Any):
    assert Finder(EINSTEIN, Words(0.3, 0.8, 0.4), Words(0.3, 0.8, 0.4)).find(view, until=0.0) is None


def test_the_strongest_player_has_to_play_what_is_called_right(view: Any):
    finder = Finder(EINSTEIN)
    words = dict(zip(EINSTEIN.actions(view), (0.1, 0.1, 0.1), strict=True))
    level = level_of(EINSTEIN, "")
    assert level is not None
    best = make_player(EINSTEIN, level, 0).think(view, time.monotonic() + level.think_ms / 1000, 0).action
    other = next(action for action in words if action != best)
    for called_right, makes_one in ((best, True), (other, False)):
        said = [0.8 if action == called_right else 0.1 for action in words]
        assert (Finder(EINSTEIN, Words(*said), Words(*said)).find(view) is not None) == makes_one
    assert finder.promise(view) >= 0
