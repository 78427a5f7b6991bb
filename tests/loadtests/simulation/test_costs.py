"""What a core can do follows from the two costs that were measured."""

import pytest

from loadtests.simulation.costs import Cost, costs, delay, thinking
from loadtests.simulation.parameters import read_parameters

SESSION = Cost(saturated=377e-6, lone=706e-6)


def test_a_core_is_full_at_the_rate_that_was_measured_at_saturation() -> None:
    assert SESSION.busy(1 / 377e-6) == pytest.approx(1)
    assert SESSION.rate(1.0) == pytest.approx(1 / 377e-6)


def test_an_action_alone_takes_what_was_measured_alone() -> None:
    assert SESSION.busy(1.0) == pytest.approx(706e-6, rel=0.001)


@pytest.mark.parametrize("busy", [0.05, 0.35, 0.7, 0.95])
def test_rate_and_busy_undo_each_other(busy: float) -> None:
    assert SESSION.busy(SESSION.rate(busy)) == pytest.approx(busy)


def test_more_than_a_core_can_do_is_more_than_one() -> None:
    assert SESSION.busy(2 / 377e-6) == pytest.approx(2)


def test_the_mix_lies_between_its_games() -> None:
    found = costs(read_parameters())
    assert 377e-6 < found["session"].saturated < 667e-6
    assert thinking(read_parameters()) == pytest.approx(0.5)


def test_players_wait_only_where_more_games_are_than_can_act() -> None:
    # 1,000 games that act every five seconds make 200 actions a second.
    assert delay(1000, 201, 0.2) == 0
    # 100 a second are half of that, so a turn takes ten seconds, of which five are the pause.
    assert delay(1000, 100, 0.2) == pytest.approx(5)
    assert delay(1000, 0, 0.2) == float("inf")
    assert delay(0, 0, 0.2) == 0
