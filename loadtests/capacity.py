"""The plan of docs/capacity.md: from the cost of an action, what a core carries, and what a number of games takes.

    python -m loadtests.capacity                        # the tables of docs/capacity.md
    python -m loadtests.capacity --set owner_busy=0.5   # another value than capacity.json has

Nothing is run and nothing is drawn by lot: it is arithmetic. Every number stands in `capacity.json` with where it comes from. The
last two tables say what happens when one of three zones is lost at the peak: how long games stand still whose owner is gone, and
how soon connections are back.
"""

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loadtests.markdown import table

FILE = Path(__file__).with_suffix(".json")
COMPONENTS = ("gateway", "session", "rules", "redis", "others")
SIZES = (1_000.0, 100_000.0, 10_000_000.0)
ZONES = 3
MIB = 1024.0


class Parameters:
    """Numbers by name. Raises KeyError for a name that the file does not have."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> float:
        return float(self._values[name])

    def most(self, name: str) -> float:
        """Return the most of something that is spread between two numbers."""
        return float(max(self._values[name]))

    def least(self, name: str) -> float:
        """Return the least of it."""
        return float(min(self._values[name]))

    def table(self, name: str) -> dict[str, Any]:
        """Return values by name, such as those of each game."""
        return dict(self._values[name])

    def replaced(self, **values: Any) -> "Parameters":
        """Return these with other values. Raises KeyError for names that there are not."""
        if unknown := values.keys() - self._values.keys():
            raise KeyError(*unknown)
        return Parameters(self._values | values)


def read_parameters(file: Path = FILE) -> Parameters:
    """Return what the file says."""
    return Parameters({name: entry["value"] for name, entry in json.loads(file.read_text(encoding="utf-8")).items()})


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of an action in one component: at saturation, when much is done together, and alone.

    In between it is assumed to fall in proportion to how busy the core is.
    """

    saturated: float
    lone: float

    def at(self, busy: float) -> float:
        """Return what an action costs on a core that is so busy."""
        return self.saturated + (1 - busy) * (self.lone - self.saturated)

    def rate(self, busy: float) -> float:
        """Return how many actions a second make one core so busy."""
        return busy / self.at(busy)

    def busy(self, rate: float) -> float:
        """Return how busy so many actions a second make one core; above 1, what they take against what there is."""
        if rate * self.saturated >= 1:
            return rate * self.saturated
        return rate * self.lone / (1 + rate * (self.lone - self.saturated))


def costs(parameters: Parameters) -> dict[str, Cost]:
    """Return what an action of the mix of games costs each component."""
    mix = parameters.table("mix")
    found = {}
    for component in COMPONENTS:
        of_games = parameters.table(f"part_{component}_us")
        saturated, lone = (sum(share * of_games[game][side] for game, share in mix.items()) / 1e6 for side in (0, 1))
        found[component] = Cost(saturated, lone)
    return found


def actions_per_game(parameters: Parameters) -> float:
    """Return the actions a second of a game, of people and computers."""
    return parameters["actions_per_game_s"] + computer_moves_per_game(parameters)


def computer_moves_per_game(parameters: Parameters) -> float:
    """Return the moves a second of computers, spread over all games."""
    return parameters["computer_share"] * parameters["computer_moves_s"]


def thinking(parameters: Parameters) -> float:
    """Return the seconds that a computer's move of the mix takes."""
    of_games = parameters.table("think_s")
    return float(sum(share * of_games[game] for game, share in parameters.table("mix").items()))


@dataclass(frozen=True, slots=True)
class Plan:
    """The pods of one deployment at the peak of its day."""

    games: int
    owners: int
    masters: int
    gateways: int
    rules: int
    workers: int


def carries(parameters: Parameters, masters: int, owners: int, busy: float) -> float:
    """Return how many actions a second a deployment carries whose busiest owner may be so busy, and masters as the plan says.

    Shards are not divided: with 6 owners one has 3 of 16.
    """
    cost, shards = costs(parameters), parameters["shards"]
    by_owners = cost["session"].rate(busy) * shards / math.ceil(shards / owners)
    by_masters = cost["redis"].rate(parameters["redis_busy"]) * shards / math.ceil(shards / masters)
    return min(by_owners, by_masters)


def games_of_deployment(parameters: Parameters) -> float:
    """Return how many games the largest deployment of the plan carries."""
    return carries(parameters, 16, int(parameters["owners_most"]), parameters["owner_busy"]) / actions_per_game(parameters)


def plan_for(parameters: Parameters, games: float) -> Plan:
    """Return the deployment for a number of games at its peak."""
    cost, rate = costs(parameters), games * actions_per_game(parameters)
    owners = _fewest(rate, parameters, "owners", cost["session"], parameters["owner_busy"])
    masters = _fewest(rate, parameters, "masters", cost["redis"], parameters["redis_busy"])
    gateways, rules = (
        max(int(parameters[f"{component}_least"]), math.ceil(rate / cost[component].rate(parameters[f"{component}_busy"])))
        for component in ("gateway", "rules")
    )
    demand = games * computer_moves_per_game(parameters) * thinking(parameters)
    workers = math.ceil(demand / parameters["busy_share"] / parameters["processes"])
    return Plan(round(games), owners, masters, gateways, rules, max(1, workers))


def deployments_for(parameters: Parameters, games: float) -> tuple[int, Plan]:
    """Return how many equal deployments carry so many games, and one of them."""
    count = math.ceil(games / games_of_deployment(parameters))
    return count, plan_for(parameters, games / count)


def _fewest(rate: float, parameters: Parameters, kind: str, cost: Cost, busy: float) -> int:
    most = int(parameters[f"{kind}_most"])
    for count in range(int(parameters[f"{kind}_least"]), most):
        if cost.busy(rate * math.ceil(16 / count) / 16) <= busy * 1.000001:
            return count
    return most


def goes_on_after_s(parameters: Parameters) -> float:
    """Return within how many seconds all games of a full deployment go on when a zone is lost; infinity if owners are too busy.

    The owners that are left take shards once leases have run out and they have looked. Then some have two: with what the actions
    of those leave of a core, they read each game of the new shard and go on with its watches, one after the other.
    """
    owners, cost = int(parameters["owners_most"]), costs(parameters)["session"]
    left = owners - math.ceil(owners / ZONES)
    shards_of_each = math.ceil(parameters["shards"] / left)
    games = games_of_deployment(parameters) / parameters["shards"]
    spare = 1 - shards_of_each * games * actions_per_game(parameters) * cost.saturated
    if spare <= 0:
        return math.inf
    each_s = (parameters["read_ms"] + parameters["connections"] * parameters["watch_ms"]) / 1000
    further = shards_of_each - math.floor(parameters["shards"] / owners)
    return parameters.most("lease_s") + parameters.most("claim_s") + further * games * each_s / spare


def connected_after_s(parameters: Parameters) -> float:
    """Return within how many seconds all connections to the gateways of a lost zone are back at the others."""
    plan = plan_for(parameters, games_of_deployment(parameters))
    left = plan.gateways - math.ceil(plan.gateways / ZONES)
    rate = plan.games * actions_per_game(parameters)
    spare = left * max(0.0, 1 - rate / left * costs(parameters)["gateway"].saturated)
    if spare <= 0:
        return math.inf
    lost = plan.games * parameters["connections"] * (1 - left / plan.gateways)
    notice = parameters.most("notice_s") - parameters.least("notice_s")
    return (
        parameters.least("notice_s") + parameters.most("backoff_s") + max(notice, lost * parameters["connect_ms"] / 1000 / spare)
    )


def tables(parameters: Parameters) -> str:
    """Return what an action costs, what masters and owners carry, what each size takes, and what a lost zone does."""
    return "\n\n".join((_costs(parameters), _carried(parameters), _sizes(parameters), _owners(parameters), _gateways(parameters)))


def _costs(parameters: Parameters) -> str:
    rows = [
        (
            component,
            f"{1e6 * cost.saturated:,.0f}",
            f"{1e6 * cost.lone:,.0f}",
            f"{1e6 * cost.at(0.7):,.0f}",
            f"{cost.rate(0.7):,.0f}",
            f"{1 / cost.saturated:,.0f}",
        )
        for component, cost in costs(parameters).items()
    ]
    return table(("component", "µs at saturation", "alone", "at 70 %", "actions/s a core at 70 %", "at saturation"), rows)


def _carried(parameters: Parameters) -> str:
    masters, busy = (1, 3, 5, 8, 16), parameters["owner_busy"]
    rows = []
    for owners in (1, 2, 3, 4, 6, 8, 16):
        full = [carries(parameters, count, owners, 0.7) / actions_per_game(parameters) for count in masters]
        planned = carries(parameters, 3, owners, busy) / actions_per_game(parameters)
        rows.append((str(owners), *(f"{games:,.0f}" for games in full), f"{planned:,.0f}"))
    heads = [f"{count} master{'s' * (count > 1)}" for count in masters]
    return table(("owners", *heads, f"3 masters, owners {100 * busy:.0f} % busy"), rows)


def _sizes(parameters: Parameters) -> str:
    plans = [deployments_for(parameters, games) for games in SIZES]
    rate, cost = actions_per_game(parameters), costs(parameters)
    thought = computer_moves_per_game(parameters) * thinking(parameters) / parameters["busy_share"]
    gib = parameters["session_kib"] / MIB**2 * (1 + parameters["kept_s"] / parameters["game_s"])
    connections_gib = parameters["connections"] * parameters["connection_kib"] / MIB**2
    busy = {"session": "owner_busy", "gateway": "gateway_busy", "rules": "rules_busy"}

    def cores(component: str, games: float) -> str:
        each = parameters[busy[component]]
        return f"{games * rate * cost[component].at(each) / each:,.1f}"

    rows: Sequence[tuple[str, ...]] = [
        ("actions a second", *(f"{games * rate:,.0f}" for games in SIZES)),
        ("deployments", *(f"{count:,}" for count, _ in plans)),
        ("games of each", *(f"{plan.games:,}" for _, plan in plans)),
        ("session pods of each", *(str(plan.owners) for _, plan in plans)),
        ("masters of each; replicas", *(f"{plan.masters}; {plan.masters * parameters['replicas']:.0f}" for _, plan in plans)),
        ("gateway pods of each", *(str(plan.gateways) for _, plan in plans)),
        ("rules pods of each", *(str(plan.rules) for _, plan in plans)),
        ("worker pods of each", *(str(plan.workers) for _, plan in plans)),
        *((f"{component}, cores in all", *(cores(component, games) for games in SIZES)) for component in busy),
        ("Redis, GB in all, without replicas", *(f"{games * gib:,.1f}" for games in SIZES)),
        ("gateways, GB in all", *(f"{games * connections_gib:,.1f}" for games in SIZES)),
        ("workers, cores in all", *(f"{games * thought:,.0f}" for games in SIZES)),
    ]
    return table(("concurrent games", *(f"{games:,.0f}" for games in SIZES)), rows)


def _owners(parameters: Parameters) -> str:
    """Return what a lost zone does to games, by how busy owners are and by what reading a session takes."""
    once, slower, slowest = (parameters["read_ms"] * times for times in (1, 1.8, 3))
    rows = []
    for busy in sorted({parameters["owner_busy"], 0.28, 0.35, 0.5, 0.7}):
        given = parameters.replaced(owner_busy=busy)
        found = [goes_on_after_s(given.replaced(read_ms=ms)) for ms in (once, slower, slowest)]
        count = f"{math.ceil(1e6 / games_of_deployment(given)):,}"
        rows.append((f"{100 * busy:.0f} %", count, *map(_seconds, found)))
    heads = ("all games go on within", f"reading takes {slower:g} ms, not {once:g}", f"{slowest:g} ms")
    return table(("owners are busy", "deployments for a million games", *heads), rows)


def _gateways(parameters: Parameters) -> str:
    rows = []
    for busy, least in ((parameters["gateway_busy"], parameters["gateway_least"]), (0.7, 3)):
        given = parameters.replaced(gateway_busy=busy, gateway_least=least)
        pods = plan_for(given, games_of_deployment(given)).gateways
        rows.append((f"{100 * busy:.0f} %", f"{least:.0f}", str(pods), _seconds(connected_after_s(given))))
    return table(("gateways are busy", "pods at least", "pods", "connections of a lost zone are back within"), rows)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if math.isfinite(seconds) else "never"


def _setting(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    return name, json.loads(value)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another value than capacity.json has")
    given = parser.parse_args(arguments)
    print(tables(read_parameters().replaced(**dict(map(_setting, given.set)))))


if __name__ == "__main__":
    main()
