"""How Kubernetes' autoscaler and KEDA decide about pods, as the chart sets them (deploy/chart/templates/workers.yaml).

The autoscaler's algorithm is that of https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale: for each figure
the number of pods times figure / threshold, of these the largest; then the window that steadies it, and the policies.
"""

import math
from collections import deque

from loadtests.simulation.parameters import Parameters


def load(wanted_per_s: float, backlog_s: float, slots: float, clear_within_s: float) -> float:
    """Return demand over capacity, the chart's query."""
    return (wanted_per_s + backlog_s / clear_within_s) / max(slots, 1.0)


class Autoscaler:
    """Decides how many pods there should be."""

    def __init__(self, parameters: Parameters, least: int, most: int) -> None:
        """`least` and `most` bound the answers."""
        self.least, self.most = least, most
        self._tolerance = parameters["tolerance"]
        self._window_s = parameters["stabilisation_s"]
        self._up, self._up_s = parameters["up_share"], parameters["up_s"]
        self._down, self._down_s = parameters["down_share"], parameters["down_s"]
        self._wishes: deque[tuple[float, int]] = deque()
        """Recent answers before the window; the first is the largest, so later ones matter only if they are smaller."""
        self._changes: deque[tuple[float, int]] = deque()

    def decide(self, now: float, pods: int, ratios: list[float]) -> int:
        """Return how many pods there should be now; a ratio is a figure over its threshold."""
        wish = max((self._wish(pods, ratio) for ratio in ratios), default=pods)
        wish = min(max(wish, self.least), self.most)
        while self._wishes and self._wishes[-1][1] <= wish:
            self._wishes.pop()
        self._wishes.append((now, wish))
        while self._wishes[0][0] < now - self._window_s:
            self._wishes.popleft()
        while self._changes and self._changes[0][0] <= now - max(self._up_s, self._down_s):
            self._changes.popleft()
        if wish > pods:
            before = pods - sum(change for at, change in self._changes if change > 0 and at > now - self._up_s)
            decided = max(pods, min(wish, math.ceil(before * (1 + self._up))))
        else:
            before = pods - sum(change for at, change in self._changes if change < 0 and at > now - self._down_s)
            decided = max(min(pods, self._wishes[0][1]), min(pods, int(before * (1 - self._down))))
        decided = max(decided, self.least)
        if decided != pods:
            self._changes.append((now, decided - pods))
        return decided

    def _wish(self, pods: int, ratio: float) -> int:
        if abs(ratio - 1) <= self._tolerance:
            return pods
        return math.ceil(pods * ratio - 1e-9)
