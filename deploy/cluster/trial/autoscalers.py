"""Pods that come and go with the load: workers by KEDA, from none and to few, and services by the autoscaler's look at CPU."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from deploy.cluster.not_well import NotWell
from deploy.cluster.trial.cluster import RELEASE, WAIT_S, Cluster, wait
from deploy.cluster.trial.faulty_prometheus import FaultyPrometheus
from deploy.cluster.trial.installation import Installation
from deploy.cluster.trial.players import Players
from deploy.cluster.trial.prometheus import Prometheus, can_run
from deploy.cluster.trial.report import Action

KEDA_VALUES = "deploy/cluster/keda.yaml"
AUTOSCALING_VALUES = "deploy/cluster/autoscaling.yaml"
CROWD = 40
"""Programs that play in addition, at a game and against a level that want more thinking than one worker has."""
GAME, LEVEL = "wec", "strong"
MAX_WORKERS = 6
"""Of KEDA_VALUES."""
SCALED_AWAY = 20
"""Workers that are told to end while they think."""
_WORKERS = "worker-think"
_FIGURES, _KEDA, _DEMAND = "metrics.k8s.io/v1beta1", "keda.sh/v1alpha1", "external.metrics.k8s.io/v1beta1"


class Autoscalers:
    """The release as autoscalers change it."""

    def __init__(self, installation: Installation, players: Players) -> None:
        self._installation, self._players = installation, players
        self._cluster = installation.cluster
        self._crowd: Players | None = None

    def actions(self) -> Iterator[Action]:
        """Yield the steps that this cluster has the programs for."""
        if self._cluster.has(_FIGURES):
            yield "`kubectl top pods`", self._top
            yield "rules, session and gateway scaled by CPU (HorizontalPodAutoscaler)", self._by_cpu
            yield "workers scaled by CPU (`scaling: hpa`)", self._workers_by_cpu
        if _has_adapter(self._cluster):
            yield "workers scaled by demand (`hpa.demand`, prometheus-adapter)", self._workers_by_demand
        if self._cluster.has(_KEDA):
            yield "workers scaled by KEDA, to none while nobody plays", self._to_zero
            yield "the first move that a computer is asked for, by KEDA from no worker", self._from_zero
            yield f"{CROWD} programs more, at Weaponized Chess against *{LEVEL}*", self._crowded
            yield "KEDA killed", self._without_keda
            yield f"a worker that thinks told to end, {SCALED_AWAY} times", self._scale_away
            yield f"the {CROWD} programs gone", self._emptied
            for fault in ("away", "wrong", "slow"):
                yield f"`keda.trigger: prometheus`, and a Prometheus that is {fault}", partial(self._without_prometheus, fault)

    def _top(self) -> str:
        wait(lambda: self._says("top", "pods", "--no-headers"), "no figures of pods", WAIT_S, self._cluster.plight)
        lines = [line.split() for line in self._cluster.kubectl("top", "pods", "--no-headers").splitlines()]
        return f"{len(lines)} pods, {sum(int(line[2].removesuffix('Mi')) for line in lines)} MiB"

    def _says(self, *arguments: str) -> bool:
        try:
            return bool(self._cluster.kubectl(*arguments).strip())
        except NotWell:
            return False

    def _by_cpu(self) -> str:
        grown = dict[str, float]()

        def have_grown() -> bool:
            for one in self._autoscalers():
                if one["status"].get("currentReplicas", 0) > one["spec"]["minReplicas"]:
                    grown.setdefault(one["metadata"]["name"].removeprefix("brettwerk-"), time.monotonic() - began)
            return len(grown) == len(self._autoscalers())

        with self._changed(AUTOSCALING_VALUES):
            names = [one["metadata"]["name"] for one in self._autoscalers()]
            self._cluster.kubectl("scale", "deployment", *names, "--replicas=1")
            began = time.monotonic()
            wait(have_grown, "too few pods", WAIT_S, lambda: f"{self._cluster.plight()}; grown: {grown}")
        return "; ".join(f"{name} from 1 pod to more after {seconds:.0f} s" for name, seconds in grown.items())

    @contextmanager
    def _changed(self, values: str, *more: str) -> Iterator[None]:
        """Upgrade to a further file of values, and back at the end."""
        self._installation.values.append(values)
        try:
            self._installation.upgrade(*more)
            yield
        finally:
            self._installation.values.remove(values)
            self._installation.upgrade()

    def _autoscalers(self) -> list[dict]:  # type: ignore[type-arg]
        return list(json.loads(self._cluster.kubectl("get", "hpa", "-o", "json"))["items"])

    def _to_zero(self) -> str:
        # Its operator keeps connections by address, and so trusts the authority of a release that was there before.
        self._cluster.kubectl("--namespace", "keda", "rollout", "restart", "deployment/keda-operator")
        self._cluster.kubectl("--namespace", "keda", "rollout", "status", "deployment/keda-operator", "--timeout=5m")
        self._installation.values.append(KEDA_VALUES)
        try:
            if not self._players.hold():
                raise NotWell("somebody was still waiting for an answer")
            began = time.monotonic()
            self._installation.upgrade()
            wait(lambda: not self._workers(), "there are still workers", WAIT_S, self._cluster.plight)
        except NotWell:
            self._players.go_on()
            raise
        return f"none {time.monotonic() - began:.0f} s after the last move"

    def _from_zero(self) -> str:
        began = time.monotonic()
        self._players.go_on()
        ledger = self._players.ledger
        wait(lambda: bool(ledger.answers_since(began)), "no computer has moved", WAIT_S, self._cluster.plight)
        first = ledger.answers_since(began)[0]
        self._players.play_on()
        return f"made {first.at_s - began:.1f} s after people went on"

    def _crowded(self) -> str:
        self._crowd = self._players.crowd(CROWD, GAME, LEVEL)
        began = time.monotonic()
        self._crowd.begin()
        return self._grown(began)

    def _grown(self, began: float) -> str:
        """Wait until there are as many workers as there may be, and say when each was ready. Raises NotWell."""
        seen = dict[int, float]()

        def are_all() -> bool:
            there = len(self._workers(ready=True))
            if there not in seen:
                seen[there] = time.monotonic() - began
                print(f"  {there} workers after {seen[there]:.0f} s", file=sys.stderr, flush=True)
            return there >= MAX_WORKERS

        wait(are_all, f"there are no {MAX_WORKERS} workers", WAIT_S, self._cluster.plight)
        self._players.play_on()
        return ", ".join(f"{number} after {seconds:.0f} s" for number, seconds in sorted(seen.items()) if number > 1) + " ready"

    def _without_keda(self) -> None:
        before = len(self._workers(ready=True))
        self._cluster.kubectl("--namespace", "keda", "delete", "pods", "--all", "--grace-period=0", "--force")
        self._players.play_on()
        if len(self._workers(ready=True)) < before:
            raise NotWell(f"of {before} workers, {len(self._workers(ready=True))} are left")
        available = ["wait", "--for=condition=Available", "deployment", "--all", f"--timeout={WAIT_S:.0f}s"]
        self._cluster.kubectl("--namespace", "keda", *available)
        self._installation.await_stable("KEDA killed")

    def _scale_away(self) -> str:
        ledger, began = self._players.ledger, time.monotonic()
        for number in range(SCALED_AWAY):
            wait(lambda: len(self._workers(ready=True)) > 1, "no second worker", WAIT_S, self._cluster.plight)
            there = self._workers(ready=True)
            name = there[number % len(there)]
            self._cluster.kubectl("delete", "pod", name, "--wait=false")
            wait(lambda name=name: self._cluster.has_ended(name), f"{name} stays", WAIT_S, self._cluster.plight)  # type: ignore[misc]
        moves = ledger.answers_since(began)
        self._installation.await_stable("workers scaled away")
        return f"{len(moves)} moves meanwhile, {sum(one.waited_s > 2 for one in moves)} of them after more than 2 s"

    def _emptied(self) -> str:
        unfinished = self._crowd.finish() if self._crowd else []
        began = time.monotonic()
        try:
            wait(lambda: len(self._workers()) == 1, "there is more than one worker", 2 * WAIT_S, self._cluster.plight)
            took_s = time.monotonic() - began
        finally:
            self._installation.values.remove(KEDA_VALUES)
            self._installation.upgrade()
        if unfinished:
            raise NotWell(f"not played to the end: {', '.join(unfinished)}")
        waited = [one.waited_s for one in self._players.ledger.answers_since(began) if one.at_s - one.waited_s >= began]
        moves = f"{len(waited)} moves asked for meanwhile came after {max(waited, default=0.0):.1f} s at most"
        return f"one worker after {took_s:.0f} s; {moves}"

    def _without_prometheus(self, fault: str) -> str:
        """Let KEDA ask a Prometheus that does not help, and say what an operator hears of it. Raises NotWell if workers go."""
        before = {event["metadata"]["uid"] for event in self._events()}
        with FaultyPrometheus(fault) as prometheus:
            by_query = f"keda.trigger=prometheus,keda.prometheus={prometheus.address},workers.think.replicas=1"
            with self._changed(KEDA_VALUES, "--set", by_query):
                wait(lambda: bool(self._news(before)), "KEDA says nothing", WAIT_S, self._cluster.plight)
                self._players.play_on()
                if not self._workers(ready=True):
                    raise NotWell("no worker is left")
                return self._news(before)[0]

    def _events(self) -> list[dict]:  # type: ignore[type-arg]
        return list(json.loads(self._cluster.kubectl("get", "events", "-o", "json"))["items"])

    def _news(self, before: set[str]) -> list[str]:
        """Return what KEDA has said of its trigger since."""
        new = (event for event in self._events() if event["metadata"]["uid"] not in before)
        return [f"{event['reason']}: {event['message']}" for event in new if event["reason"] == "KEDAScalerFailed"]

    def _workers_by_cpu(self) -> str:
        self._installation.upgrade("--set", "workers.think.scaling=hpa,workers.think.max=3")
        crowd = self._players.crowd(CROWD, GAME, LEVEL)
        began = time.monotonic()
        crowd.begin()
        try:
            wait(lambda: len(self._workers(ready=True)) > 1, "there is one worker", WAIT_S, self._cluster.plight)
            took_s = time.monotonic() - began
        finally:
            unfinished = crowd.finish()
            self._installation.upgrade()
        if unfinished:
            raise NotWell(f"not played to the end: {', '.join(unfinished)}")
        return f"a second one {took_s:.0f} s after {CROWD} programs more had begun"

    def _workers_by_demand(self) -> str:
        """Let only the two figures of demand count, and not CPU."""
        with Prometheus(self._cluster):
            self._installation.upgrade("--set", f"workers.think.scaling=hpa,workers.think.max={MAX_WORKERS},hpa.demand=true")
            no_cpu = '[{"op": "remove", "path": "/spec/metrics/0"}]'
            self._cluster.kubectl("patch", "hpa", f"{RELEASE}-{_WORKERS}", "--type=json", "-p", no_cpu)
            crowd = self._players.crowd(CROWD, GAME, LEVEL)
            began = time.monotonic()
            crowd.begin()
            try:
                return self._grown(began)
            finally:
                crowd.finish()
                self._installation.upgrade()

    def _workers(self, ready: bool = False) -> list[str]:
        """Return the names of workers that are not ending; with `ready`, of those that work."""
        there = [pod for pod in self._cluster.pods() if pod.component == _WORKERS and not pod.is_ending]
        return [pod.name for pod in there if pod.is_ready or not ready]


def absent(cluster: Cluster) -> Iterator[str]:
    """Yield the parts that the cluster lacks for some of the steps."""
    if not cluster.has(_FIGURES):
        yield "metrics-server: no HorizontalPodAutoscaler by CPU has scaled anything"
    if not cluster.has(_KEDA):
        yield "KEDA: nothing was scaled by demand"
    if not _has_adapter(cluster):
        yield "prometheus-adapter: no HorizontalPodAutoscaler went by demand (`hpa.demand`)"
    if cluster.nodes() == 1:
        yield "a second node: nothing was spread, and no pod moved"


def _has_adapter(cluster: Cluster) -> bool:
    """Return whether prometheus-adapter answers for the figures of demand, where KEDA would, and a Prometheus can be asked."""
    return cluster.has(_DEMAND) and not cluster.has(_KEDA) and can_run()
