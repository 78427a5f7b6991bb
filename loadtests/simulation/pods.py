"""Pods that have no state: they are lost with their zones, and come back where there is room."""

import random
from collections.abc import Callable

from loadtests.simulation.agenda import Agenda
from loadtests.simulation.parameters import Parameters

ZONES = 3


def spread(count: int) -> list[int]:
    """Return how many of so many pods are in each zone."""
    return [count // ZONES + (zone < count % ZONES) for zone in range(ZONES)]


class Pods:
    """The pods of one component of a deployment. `changing` is called before their number changes."""

    def __init__(
        self,
        component: str,
        parameters: Parameters,
        agenda: Agenda,
        chance: random.Random,
        lost_zones: set[int],
        changing: Callable[[], None],
        count: int,
    ) -> None:
        self.component = component
        self._parameters, self._agenda, self._chance = parameters, agenda, chance
        self._lost_zones, self._changing = lost_zones, changing
        self._back = parameters.span(f"back_{component}_s")
        self.ready = spread(count)
        self.starting = 0
        self.lost = 0
        """Pods of nodes that are gone, which Kubernetes still counts."""

    def begin(self, count: int) -> None:
        """Be so many at the beginning of the day."""
        self.ready = spread(count)

    @property
    def alive(self) -> int:
        """How many are ready."""
        return sum(self.ready)

    @property
    def total(self) -> int:
        """How many Kubernetes counts."""
        return self.alive + self.starting + self.lost

    def crash(self, zone: int) -> None:
        """Let one process end; it is started again where it was."""
        if self.ready[zone] == 0:
            return
        self._changing()
        self.ready[zone] -= 1
        self.starting += 1
        self._agenda.after(self._chance.uniform(*self._back), lambda: self._is_ready(zone))

    def lose(self, zone: int, count: int, spread_s: float = 0.0) -> None:
        """Let pods be gone with their nodes; they are replaced elsewhere once Kubernetes has evicted them.

        Of many nodes it evicts one after the other, in `spread_s` all of them.
        """
        count = min(count, self.ready[zone])
        if count == 0:
            return
        self._changing()
        self.ready[zone] -= count
        self.lost += count
        for number in range(count):
            wait = self._parameters["evict_s"] + spread_s * (number + 1) / count
            self._agenda.after(wait, lambda: self._evict(1))

    def scale(self, wanted: int) -> None:
        """Start pods, or end some, until there are so many."""
        if wanted > self.total:
            self.start(wanted - self.total)
        elif wanted < self.total:
            self._changing()
            for _ in range(min(self.total - wanted, self.alive - 1)):
                self.ready[max(range(ZONES), key=self.ready.__getitem__)] -= 1

    def start(self, count: int) -> None:
        """Start pods: at once where nodes have room, the others when there are more nodes."""
        room = max(1, int(self._parameters["warm_share"] * self.alive))
        self.starting += count
        for number in range(count):
            wait = 0.0 if number < room else self._parameters["node_start_s"]
            self._agenda.after(wait + self._chance.uniform(*self._back), lambda: self._is_ready(None))

    def _evict(self, count: int) -> None:
        count = min(count, self.lost)
        self.lost -= count
        self.start(count)

    def _is_ready(self, zone: int | None) -> None:
        self._changing()
        self.starting -= 1
        if zone is None or zone in self._lost_zones:
            there = [one for one in range(ZONES) if one not in self._lost_zones]
            zone = min(there, key=self.ready.__getitem__)
        self.ready[zone] += 1
