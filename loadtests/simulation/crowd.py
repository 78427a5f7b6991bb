"""A day of many deployments in several regions, with everything that fails in them."""

import random
from collections.abc import Callable
from dataclasses import replace

from loadtests.simulation.agenda import Agenda
from loadtests.simulation.costs import costs
from loadtests.simulation.day import DAY_S, WorldDay
from loadtests.simulation.deployment import Deployment, Surroundings
from loadtests.simulation.parameters import Parameters
from loadtests.simulation.plan import Plan, deployments_for
from loadtests.simulation.plan import nodes as nodes_of
from loadtests.simulation.pods import ZONES
from loadtests.simulation.tally import Sample, Tally

TICK_S = 60.0
SAMPLE_S = 300.0
CAUSES = ("pods", "nodes", "zones", "releases")
"""What may go wrong, and may be left out."""


class Crowd:
    """The simulation; `tally` has what it counted."""

    def __init__(
        self,
        parameters: Parameters,
        games: float,
        seed: int,
        *,
        causes: tuple[str, ...] = CAUSES,
        lose_zones: bool = False,
        owners: int | None = None,
    ) -> None:
        """`lose_zones` loses one in every region at its peak, too; `owners` is in place of the plan's."""
        self.parameters = parameters
        self.agenda = Agenda()
        self.tally = Tally()
        self.deployments: list[Deployment] = []
        self.day = WorldDay(parameters, games)
        self._chance = random.Random(seed)
        self._lost: dict[str, set[int]] = {region: set() for region in self.day.peaks}
        self._around = Surroundings(parameters, self.agenda, self._chance, self.tally, costs(parameters))
        for region, peak in self.day.peaks.items():
            count, plan = deployments_for(parameters, peak)
            if owners is not None:
                plan = replace(plan, owners=owners)
            self._add(region, count, plan)
        self._plan_faults(causes, lose_zones=lose_zones)

    def _add(self, region: str, count: int, plan: Plan) -> None:
        weights = [max(0.1, self._chance.gauss(1, self.parameters["uneven"])) for _ in range(count)]
        self.deployments += [
            Deployment(self._around, plan, region, weight / sum(weights), self._lost[region]) for weight in weights
        ]

    def run(self, seconds: float = DAY_S) -> Tally:
        """Let so much time go by, and return what was counted."""
        for deployment in self.deployments:
            deployment.begin(self._games(deployment))
        self._tick()
        self.agenda.run(seconds)
        for deployment in self.deployments:
            deployment.advance()
        return self.tally

    def _games(self, deployment: Deployment) -> float:
        return self.day.games(deployment.region, self.agenda.now) * deployment.weight

    def _tick(self) -> None:
        for deployment in self.deployments:
            deployment.decide(self._games(deployment))
        if self.agenda.now % SAMPLE_S == 0:
            self._sample()
        self.agenda.after(TICK_S, self._tick)

    def _sample(self) -> None:
        cores: dict[str, float] = {}
        pods: dict[str, int] = {}
        for deployment in self.deployments:
            for component, used in deployment.cores().items():
                cores[component] = cores.get(component, 0.0) + used
            for component, count in deployment.counts().items():
                pods[component] = pods.get(component, 0) + count
        self.tally.samples.append(
            Sample(
                self.agenda.now,
                sum(deployment.games for deployment in self.deployments),
                sum(deployment.games * deployment.owners.stalled for deployment in self.deployments),
                cores,
                pods,
                max(deployment.busiest() for deployment in self.deployments),
            )
        )

    def _plan_faults(self, causes: tuple[str, ...], *, lose_zones: bool) -> None:
        parameters = self.parameters
        sizes = [_sizes(deployment.plan, parameters) for deployment in self.deployments]
        pods = [sum(size.values()) for size in sizes]
        nodes = [nodes_of(deployment.plan, parameters) for deployment in self.deployments]
        if "pods" in causes:
            self._by_chance("pods", parameters["pod_fails_per_day"] * sum(pods), lambda: self._lose_pod(sizes, pods))
        if "nodes" in causes:
            self._by_chance("nodes", parameters["node_fails_per_day"] * sum(nodes), lambda: self._lose_node(sizes, nodes))
        if "zones" in causes:
            for region in self.day.peaks:
                rate = parameters["zone_fails_per_day"] * ZONES
                self._by_chance("zones", rate, lambda region=region: self._lose_zone(region))  # type: ignore[misc]
        if lose_zones:
            for region in self.day.peaks:
                self.agenda.at(self.day.peak_at(region), lambda region=region: self._lose_zone(region))  # type: ignore[misc]
        if "releases" in causes:
            for deployment in self.deployments:
                for _ in range(int(parameters["releases_per_day"])):
                    begin = self._chance.uniform(0, DAY_S)
                    self.agenda.at(begin, lambda deployment=deployment: self._release(deployment))  # type: ignore[misc]

    def _by_chance(self, cause: str, per_day: float, action: Callable[[], None]) -> None:
        """Do something at random times, so often a day on average."""
        if per_day <= 0:
            return

        def happen() -> None:
            self.tally.faults[cause] += cause != "zones"
            action()
            self.agenda.after(self._chance.expovariate(per_day / DAY_S), happen)

        self.agenda.after(self._chance.expovariate(per_day / DAY_S), happen)

    def _lose_pod(self, sizes: list[dict[str, int]], pods: list[int]) -> None:
        (number,) = self._chance.choices(range(len(pods)), weights=pods)
        deployment, size = self.deployments[number], sizes[number]
        (component,) = self._chance.choices(list(size), weights=list(size.values()))
        self._lose(deployment, component, self._chance.randrange(size[component]), with_node=False)

    def _lose(self, deployment: Deployment, component: str, number: int, *, with_node: bool) -> None:
        """Lose one pod; `number` counts those of the component, and for pods without state only says in which zone."""
        parameters, chance = self.parameters, self._chance
        evicted = parameters["evict_s"] if with_node else 0.0
        zone = number % ZONES
        match component:
            case "session":
                deployment.owners.lose_owner(number, evicted + chance.uniform(*parameters.span("back_session_s")))
            case "master" | "replica":
                away = evicted + chance.uniform(*parameters.span("back_redis_s"))
                if component == "master":
                    deployment.owners.lose_master(number, away, with_node=with_node)
                else:
                    number %= deployment.plan.masters
                    zones = deployment.owners.masters[number].replicas
                    if zones:
                        deployment.owners.lose_replica(number, chance.choice(zones), away)
            case "gateway":
                deployment.lose_gateways(zone, 1, with_node=with_node)
            case _ if with_node:
                deployment.pods[component].lose(zone, 1)
            case _:
                deployment.pods[component].crash(zone)

    def _lose_node(self, sizes: list[dict[str, int]], nodes: list[float]) -> None:
        """Lose a node: each pod of its zone is on it with the same chance."""
        (number,) = self._chance.choices(range(len(nodes)), weights=nodes)
        zone, share = self._chance.randrange(ZONES), min(1.0, ZONES / nodes[number])
        for component, count in sizes[number].items():
            for pod in range(zone, count, ZONES):
                if self._chance.random() < share:
                    self._lose(self.deployments[number], component, pod, with_node=True)

    def _lose_zone(self, region: str) -> None:
        zone = self._chance.randrange(ZONES)
        if self._lost[region]:
            return
        self.tally.faults["zones"] += 1
        self._lost[region].add(zone)
        for deployment in self.deployments:
            if deployment.region == region:
                deployment.lose_zone(zone, self.parameters["zone_lost_s"])
        self.agenda.after(self.parameters["zone_lost_s"], lambda: self._lost[region].discard(zone))

    def _release(self, deployment: Deployment) -> None:
        """Replace session pods and gateways, one after the other."""
        self.tally.faults["releases"] += 1
        wait = 0.0
        for number in range(deployment.plan.owners):
            wait += self._chance.uniform(*self.parameters.span("release_pod_s"))
            self.agenda.after(wait, lambda number=number: deployment.owners.roll_owner(number))  # type: ignore[misc]
        gateways = deployment.pods["gateway"].alive
        for number in range(gateways):
            after = (number + 1) * wait / (gateways + 1)
            self.agenda.after(after, lambda: deployment.reconnect(1 / gateways, (0.0, 0.0)))


def _sizes(plan: Plan, parameters: Parameters) -> dict[str, int]:
    return {
        "session": plan.owners,
        "master": plan.masters,
        "replica": plan.masters * int(parameters["replicas"]),
        "gateway": plan.gateways,
        "rules": plan.rules,
        "worker": plan.workers,
    }
