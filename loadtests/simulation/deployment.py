"""One deployment: its parts, how full they are, and what its games notice."""

import math
import random
from dataclasses import dataclass

from loadtests.simulation.agenda import Agenda
from loadtests.simulation.autoscaler import Autoscaler, load
from loadtests.simulation.costs import Cost, actions_per_game, computer_moves_per_game, delay, thinking
from loadtests.simulation.owners import Owners
from loadtests.simulation.parameters import Parameters
from loadtests.simulation.plan import Plan, nodes
from loadtests.simulation.pods import ZONES, Pods
from loadtests.simulation.tally import Tally

SLOW_S = 1.0
"""An action that waits for longer is slow."""
STATELESS = ("gateway", "rules")
MIB = 1024.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all deployments share."""

    parameters: Parameters
    agenda: Agenda
    chance: random.Random
    tally: Tally
    cost: dict[str, Cost]


class Deployment:
    """One release of the chart with its own stores and workers."""

    def __init__(self, around: Surroundings, plan: Plan, region: str, weight: float, lost_zones: set[int]) -> None:
        """`weight` is its share of the region's games; `lost_zones` are those of its region."""
        self.plan, self.region, self.weight = plan, region, weight
        self.games = 0.0
        self._around, self._lost_zones = around, lost_zones
        parameters = around.parameters
        self._rate = actions_per_game(parameters)
        self._until = 0.0
        shared = (parameters, around.agenda, around.chance, lost_zones, self.advance)
        counts = {"gateway": plan.gateways, "rules": plan.rules, "worker": plan.workers}
        self.pods = {component: Pods(component, *shared, count) for component, count in counts.items()}
        self._scalers = {
            "gateway": Autoscaler(parameters, int(parameters["gateway_least"]), plan.gateways_most),
            "rules": Autoscaler(parameters, int(parameters["rules_least"]), plan.rules_most),
            "worker": Autoscaler(parameters, 1, plan.workers_most),
        }
        self.owners = Owners(
            plan,
            parameters,
            around.agenda,
            around.chance,
            around.cost["session"],
            around.tally,
            lambda: self.games,
            self.advance,
            lost_zones,
        )
        # Numbers that do not change, and that every minute of every deployment asks for.
        self._wanted_s = computer_moves_per_game(parameters) * thinking(parameters)
        self._least_share = thinking(parameters, "least_think_s") / thinking(parameters)
        self._connections = parameters["connections"]
        self._connection_gib = parameters["connection_kib"] / MIB / MIB
        self._redis_gib = parameters["session_kib"] / MIB / MIB * (1 + parameters["kept_s"] / parameters["game_s"])
        self._processes = parameters["processes"]
        self._most = {component: 1 / cost.saturated for component, cost in around.cost.items()}

    def begin(self, games: float) -> None:
        """Have the pods that so many games take, as if yesterday had been like today."""
        self.games, parameters = games, self._around.parameters
        for component in STATELESS:
            each = self._around.cost[component].rate(parameters[f"{component}_busy"])
            self.pods[component].begin(max(int(parameters[f"{component}_least"]), math.ceil(games * self._rate / each)))
        self.pods["worker"].begin(max(1, math.ceil(games * self._wanted_s / parameters["busy_share"] / self._processes)))

    def advance(self) -> None:
        """Count what has happened since the last time; until now nothing has changed."""
        seconds = self._around.agenda.now - self._until
        self._until = self._around.agenda.now
        if seconds <= 0:
            return
        tally, parameters, games = self._around.tally, self._around.parameters, self.games
        serving = 1 - self.owners.stalled
        tally.game_s += games * seconds
        tally.stalled_s += games * self.owners.stalled * seconds
        tally.actions += games * serving * self._rate * seconds
        tally.begun += games / parameters["game_s"] * seconds
        for component in STATELESS:
            if delay(games * serving, self.pods[component].alive * self._most[component], self._rate) > SLOW_S:
                tally.slow_s[component] += games * serving * seconds
        most = self._most["session"]
        if delay(max(self.owners.loads) * games, most, self._rate) > SLOW_S:
            late = sum(share for share in self.owners.loads if delay(share * games, most, self._rate) > SLOW_S)
            tally.slow_s["session"] += late * games * seconds
        self._think(seconds, serving)

    def _think(self, seconds: float, serving: float) -> None:
        tally = self._around.tally
        moves = self.games * serving * computer_moves_per_game(self._around.parameters) * seconds
        if moves == 0:
            return
        tally.moves += moves
        slots = self.pods["worker"].alive * self._processes
        wanted = self.games * serving * self._wanted_s
        if slots == 0:
            tally.unthought += moves
        elif wanted > slots:
            tally.shortened += moves
            tally.least_granted = min(tally.least_granted, max(self._least_share, slots / wanted))
            if slots < wanted * self._least_share:
                tally.slow_s["worker"] += self.games * self._around.parameters["computer_share"] * seconds

    def decide(self, games: float) -> None:
        """Let the autoscalers decide, with the games of now."""
        self.advance()
        self.games = games
        now, parameters = self._around.agenda.now, self._around.parameters
        rate = games * self._rate
        for component in STATELESS:
            pods = self.pods[component]
            busy = self._around.cost[component].busy(rate / max(1, pods.alive))
            pods.scale(self._scalers[component].decide(now, pods.total, [busy / parameters[f"{component}_busy"]]))
        workers = self.pods["worker"]
        slots, wanted = workers.alive * self._processes, games * self._wanted_s
        waiting = wanted if wanted > slots else 0.0  # what is granted settles at a second's worth of work
        ratio = load(wanted, waiting, slots, parameters["clear_within_s"]) / parameters["busy_share"]
        wait = 1.0 if waiting else 0.0
        workers.scale(self._scalers["worker"].decide(now, workers.total, [ratio, wait / parameters["oldest_wait_s"]]))
        self._measure()

    def _measure(self) -> None:
        tally, parameters = self._around.tally, self._around.parameters
        connections = self.games * self._connections / max(1, self.pods["gateway"].alive)
        used = parameters["gateway_base_gib"] + connections * self._connection_gib
        tally.gateway_memory = max(tally.gateway_memory, used / parameters["gateway_gib"])
        fullest = max(
            sum(shard.weight for shard in self.owners.shards if shard.master == number) for number in range(self.plan.masters)
        )
        tally.redis_memory = max(tally.redis_memory, fullest * self.games * self._redis_gib / parameters["master_gib"])

    def reconnect(self, share: float, notice: tuple[float, float]) -> None:
        """Let the connections of a share of the gateways come back to the others."""
        parameters = self._around.parameters
        alive = max(1, self.pods["gateway"].alive)
        rate = self.games * self._rate
        spare = alive * max(0.1, 1 - rate / alive * self._around.cost["gateway"].saturated)
        count = self.games * self._connections * share
        first, last = parameters.span("backoff_s")
        # Spread over the time in which clients notice; what comes faster than gateways take it waits in line.
        took = max(notice[1] - notice[0], count * parameters["connect_ms"] / 1000 / spare)
        self._around.tally.reconnects.add(notice[0] + first, notice[0] + last + took, count)

    def lose_gateways(self, zone: int, count: int, *, with_node: bool, spread_s: float = 0.0) -> None:
        """Let gateways be gone, with their nodes or by themselves."""
        pods = self.pods["gateway"]
        before = pods.alive
        count = min(count, pods.ready[zone])
        if count == 0:
            return
        if with_node:
            pods.lose(zone, count, spread_s)
        else:
            pods.crash(zone)
        notice = self._around.parameters.span("notice_s") if with_node else (0.0, 0.0)
        self.reconnect(count / before, notice)

    def lose_zone(self, zone: int, seconds: float) -> None:
        """Let everything in a zone be gone for so long."""
        parameters, owners, chance = self._around.parameters, self.owners, self._around.chance
        spread_s = parameters["evict_node_s"] * nodes(self.plan, parameters) / ZONES
        for number, owner in enumerate(owners.owners):
            if owner.zone == zone:
                evicted = parameters["evict_s"] + chance.uniform(0, spread_s)
                owners.lose_owner(number, evicted + chance.uniform(*parameters.span("back_session_s")))
        for number, master in enumerate(owners.masters):  # replicas first: one that is gone takes over nothing
            owners.lose_replica(number, zone, seconds)
            if master.zone == zone:
                owners.lose_master(number, seconds, with_node=True)
        self.lose_gateways(zone, self.pods["gateway"].ready[zone], with_node=True, spread_s=spread_s)
        for component in ("rules", "worker"):
            self.pods[component].lose(zone, self.pods[component].ready[zone], spread_s)

    def cores(self) -> dict[str, float]:
        """Return the cores that are busy, by component."""
        rate, cost = self.games * self._rate, self._around.cost
        found = {
            component: self.pods[component].alive * cost[component].busy(rate / max(1, self.pods[component].alive))
            for component in STATELESS
        }
        found["session"] = sum(cost["session"].busy(share * rate) for share in self.owners.loads if share)
        found["redis"] = self.plan.masters * cost["redis"].busy(rate / self.plan.masters)
        found["worker"] = self.games * self._wanted_s
        return found

    def counts(self) -> dict[str, int]:
        """Return how many pods are ready, by component."""
        found = {component: pods.alive for component, pods in self.pods.items()}
        found["session"] = sum(owner.is_alive for owner in self.owners.owners)
        found["redis"] = self.plan.masters
        return found

    def busiest(self) -> float:
        """Return how busy the busiest owner is."""
        return self._around.cost["session"].busy(max(self.owners.loads) * self.games * self._rate)
