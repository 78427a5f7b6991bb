"""The plan: from the cost of an action, how many deployments and pods a number of games takes."""

import math
from dataclasses import dataclass

from loadtests.simulation.costs import Cost, actions_per_game, computer_moves_per_game, costs, thinking
from loadtests.simulation.parameters import Parameters


@dataclass(frozen=True, slots=True)
class Plan:
    """The parts of one deployment at the peak of its day."""

    games: int
    owners: int
    masters: int
    gateways: int
    rules: int
    workers: int
    """Pods."""
    gateways_most: int
    rules_most: int
    workers_most: int


def carries(parameters: Parameters, masters: int, owners: int, busy: float) -> float:
    """Return how many actions a second a deployment carries whose busiest owner may be so busy, and masters as the plan says.

    Shards are not divided: with 6 owners one has 3 of 16.
    """
    cost = costs(parameters)
    shards = parameters["shards"]
    by_owners = cost["session"].rate(busy) * shards / math.ceil(shards / owners)
    by_masters = cost["redis"].rate(parameters["redis_busy"]) * shards / math.ceil(shards / masters)
    return min(by_owners, by_masters)


def games_of_deployment(parameters: Parameters) -> float:
    """Return how many games the largest deployment of the plan carries."""
    most = int(parameters["owners_most"])
    return carries(parameters, 16, most, parameters["owner_busy"]) / actions_per_game(parameters)


def plan_for(parameters: Parameters, games: float) -> Plan:
    """Return the deployment for a number of games at its peak."""
    cost = costs(parameters)
    rate = games * actions_per_game(parameters)
    owners = _least(
        rate, int(parameters["owners_least"]), int(parameters["owners_most"]), cost["session"], parameters["owner_busy"]
    )
    masters = _least(rate, int(parameters["masters_least"]), 16, cost["redis"], parameters["redis_busy"])
    demand = games * computer_moves_per_game(parameters) * thinking(parameters)
    workers = math.ceil(demand / parameters["busy_share"] / parameters["processes"])
    gateways, rules = (_stateless(parameters, rate, cost[component], component) for component in ("gateway", "rules"))
    spare = parameters["spare"]
    return Plan(
        round(games),
        owners,
        masters,
        gateways,
        rules,
        max(1, workers),
        math.ceil(gateways * spare),
        math.ceil(rules * spare),
        math.ceil(max(2, workers) * spare),
    )


def deployments_for(parameters: Parameters, games: float) -> tuple[int, Plan]:
    """Return how many equal deployments carry so many games, and one of them."""
    count = math.ceil(games / games_of_deployment(parameters))
    return count, plan_for(parameters, games / count)


def nodes(plan: Plan, parameters: Parameters) -> float:
    """Return how many nodes a deployment takes, one in each zone at least."""
    cores = plan.owners + (1 + parameters["replicas"]) * plan.masters + plan.gateways + plan.rules
    return max(3.0, (cores + plan.workers * parameters["processes"]) / parameters["node_cores"])


def _least(rate: float, least: int, most: int, cost: Cost, busy: float) -> int:
    for count in range(least, most + 1):
        if cost.busy(rate * math.ceil(16 / count) / 16) <= busy * 1.000001:
            return count
    return most


def _stateless(parameters: Parameters, rate: float, cost: Cost, component: str) -> int:
    return max(int(parameters[f"{component}_least"]), math.ceil(rate / cost.rate(parameters[f"{component}_busy"])))
