"""The plan has enough of everything, and more of something never carries less."""

import pytest

from loadtests.simulation.costs import actions_per_game, costs
from loadtests.simulation.parameters import read_parameters
from loadtests.simulation.plan import carries, deployments_for, games_of_deployment, plan_for

PARAMETERS = read_parameters()


@pytest.mark.parametrize("masters", [1, 3, 16])
def test_more_owners_never_carry_less(masters: int) -> None:
    carried = [carries(PARAMETERS, masters, owners, 0.7) for owners in range(1, 17)]
    assert carried == sorted(carried)


@pytest.mark.parametrize("owners", [1, 4, 16])
def test_more_masters_never_carry_less(owners: int) -> None:
    carried = [carries(PARAMETERS, masters, owners, 0.7) for masters in range(1, 17)]
    assert carried == sorted(carried)


def test_sixteen_owners_with_enough_masters_carry_what_sixteen_cores_do() -> None:
    assert carries(PARAMETERS, 16, 16, 0.7) == pytest.approx(16 * costs(PARAMETERS)["session"].rate(0.7))


@pytest.mark.parametrize("games", [1_000, 10_000, 30_000])
def test_no_owner_of_the_plan_is_busier_than_it_says(games: float) -> None:
    plan = plan_for(PARAMETERS, games)
    busiest = -(-16 // plan.owners) / 16 * games * actions_per_game(PARAMETERS)
    assert costs(PARAMETERS)["session"].busy(busiest) <= PARAMETERS["owner_busy"] + 1e-6


@pytest.mark.parametrize("games", [1_000, 100_000, 10_000_000])
def test_deployments_have_room_for_all_games(games: float) -> None:
    count, plan = deployments_for(PARAMETERS, games)
    assert count * plan.games == pytest.approx(games, rel=0.001)
    assert plan.games <= games_of_deployment(PARAMETERS) + 1
