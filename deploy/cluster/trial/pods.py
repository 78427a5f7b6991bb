"""Pods scaled, rolled, killed and evicted."""

import sys
from collections.abc import Callable, Iterator
from functools import partial

from deploy.cluster.trial.cluster import WAIT_S, wait
from deploy.cluster.trial.installation import Installation
from deploy.cluster.trial.players import Players
from deploy.cluster.trial.report import Action, Back, Report
from deploy.cluster.trial.seen import Pod, Workload, lacking


class Pods:
    """The pods of the release."""

    def __init__(self, installation: Installation, players: Players, report: Report) -> None:
        self._installation, self._players, self._report = installation, players, report
        self._cluster = installation.cluster

    def actions(self) -> Iterator[Action]:
        """Yield the steps."""
        for component, numbers in {"worker-think": (3, 1), "session": (3, 1, 2)}.items():
            for number in numbers:
                yield f"{component} scaled to {number}", partial(self._scale, component, number)
        for workload in self._cluster.workloads():
            yield f"`rollout restart` of {workload.component}", partial(self._roll, workload)
        yield "every pod killed, one after the other", partial(self._each, "killed", self._kill)
        yield "every pod evicted, one after the other", partial(self._each, "evicted", self._evict)
        yield "all pods killed at once", self._kill_all

    def _kill_all(self) -> None:
        self._installation.note_restarts()
        names = [pod.name for pod in self._cluster.pods() if not pod.is_ending and pod.is_ready]
        self._cluster.kubectl("delete", "pod", *names, "--grace-period=0", "--force")
        self._installation.await_stable("all pods killed")
        self._players.play_on()

    def _scale(self, component: str, number: int) -> None:
        (workload,) = (one for one in self._cluster.workloads() if one.component == component)
        self._cluster.kubectl("scale", workload.kind, workload.name, f"--replicas={number}")
        self._installation.await_stable(f"{component} scaled to {number}")

    def _roll(self, workload: Workload) -> None:
        self._cluster.kubectl("rollout", "restart", workload.kind, workload.name)
        self._installation.await_stable(f"{workload.component} rolled")

    def _each(self, how: str, hurt: Callable[[Pod], None]) -> None:
        for workload in self._cluster.workloads():
            for pod in [one for one in self._cluster.pods() if one.component == workload.component and not one.is_ending]:
                self._installation.note_restarts()
                hurt(pod)
                seconds = wait(
                    lambda pod=pod, workload=workload: not self._lacks(workload, pod),  # type: ignore[misc]
                    f"{pod.name} {how}: not back",
                    WAIT_S,
                    self._cluster.plight,
                )
                self._report.back.append(Back(workload.component, how, seconds))
                print(f"  {pod.name} {how}: back after {seconds:.1f} s", file=sys.stderr, flush=True)
        self._installation.await_stable(how)

    def _lacks(self, workload: Workload, pod: Pod) -> int:
        return lacking(workload.component, workload.wanted, self._cluster.pods(), without=pod.uid)

    def _kill(self, pod: Pod) -> None:
        self._cluster.kubectl("delete", "pod", pod.name, "--grace-period=0", "--force")

    def _evict(self, pod: Pod) -> None:
        wait(lambda: self._cluster.evict(pod.name), f"{pod.name} may not be evicted", WAIT_S, self._cluster.plight)
