"""The trial itself, step by step."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from brettwerk_client.refusals import Refused
from deploy.cluster import settings
from deploy.cluster.not_well import NotWell
from deploy.cluster.settings import NAMESPACE
from deploy.cluster.trial.cluster import RELEASE, WAIT_S, Cluster, wait
from deploy.cluster.trial.ledger import lost
from deploy.cluster.trial.playing import Playing
from deploy.cluster.trial.report import Back, Report, Step
from deploy.cluster.trial.seen import Pod, Workload, lacking

PLAY_S = 15.0
"""How long people play undisturbed, to have something to compare with."""
CHART = "deploy/chart"
VALUES = "deploy/cluster/values.yaml"


class Trial:
    """Runs the steps, and notes what each came to."""

    def __init__(self, cluster: Cluster, playing: Playing, report: Report, tag: str, next_tag: str) -> None:
        self._cluster, self._playing, self._report = cluster, playing, report
        self._values = ["--values", VALUES, "--set", f"database.url={settings.DATABASE_URL}", "--set-string"]
        self._tag, self._next_tag = f"image.tag={tag}", f"image.tag={next_tag}"
        self._began: dict[str, float] = {}
        self._restarts: dict[str, int] = {}

    def run(self) -> None:
        """Do everything; a step that goes wrong is noted, and the next ones are tried, unless nothing could be installed."""
        with self._step("`helm install` with TLS, namespace *restricted*") as step:
            self._install()
        if step.failure:
            return
        with self._step("`helm test`"):
            self._cluster.helm("test", RELEASE, "--timeout", "10m")
        self._playing.begin()
        with self._step("nothing"):
            self._play_on()
        for component, numbers in {"worker-think": (3, 1), "session": (3, 1, 2)}.items():
            for number in numbers:
                with self._step(f"{component} scaled to {number}"):
                    self._scale(component, number)
        for workload in self._cluster.workloads():
            with self._step(f"`rollout restart` of {workload.component}"):
                self._roll(workload)
        self._each_pod("killed", "every pod killed, one after the other", self._kill)
        self._each_pod("evicted", "every pod evicted, one after the other", self._evict)
        with self._step("`helm upgrade` to other images"):
            self._cluster.helm("upgrade", RELEASE, CHART, *self._values, self._next_tag)
            self._await_stable("upgraded")
        with self._step("`helm rollback`"):
            self._cluster.helm("rollback", RELEASE)
            self._await_stable("rolled back")
        with self._step("games played to their ends, records compared"):
            self._compare()
        with self._step("`helm uninstall`"):
            self._uninstall()

    def _install(self) -> None:
        cluster = self._cluster
        cluster.kubectl("create", "namespace", NAMESPACE)
        restricted = [f"pod-security.kubernetes.io/{mode}=restricted" for mode in ("enforce", "warn", "audit")]
        cluster.kubectl("label", "namespace", NAMESPACE, *restricted)
        cluster.helm("install", RELEASE, CHART, *self._values, self._tag)
        self._await_stable("installed")

    def _await_stable(self, what: str) -> None:
        self._cluster.await_stable(what)
        self._note_restarts()

    def _note_restarts(self) -> None:
        for pod in self._cluster.pods():
            if pod.restarts:
                self._restarts[f"{pod.component} ({pod.name})"] = pod.restarts
        self._report.restarts = self._restarts

    def _play_on(self) -> None:
        """Wait until people have played for a while."""
        began = time.monotonic()
        ledger = self._playing.ledger
        wait(
            lambda: time.monotonic() - began > PLAY_S and len(ledger.since(began)) > 0,
            "nobody could act",
            WAIT_S,
            lambda: "; ".join(ledger.failures[-3:]),
        )

    def _scale(self, component: str, number: int) -> None:
        (workload,) = (one for one in self._cluster.workloads() if one.component == component)
        self._cluster.kubectl("scale", workload.kind, workload.name, f"--replicas={number}")
        self._await_stable(f"{component} scaled to {number}")

    def _roll(self, workload: Workload) -> None:
        self._cluster.kubectl("rollout", "restart", workload.kind, workload.name)
        self._await_stable(f"{workload.component} rolled")

    def _each_pod(self, how: str, name: str, hurt: Callable[[Pod], None]) -> None:
        with self._step(name):
            for workload in self._cluster.workloads():
                for pod in [one for one in self._cluster.pods() if one.component == workload.component and not one.is_ending]:
                    hurt(pod)
                    seconds = wait(
                        lambda pod=pod, workload=workload: not self._lacks(workload, pod),  # type: ignore[misc]
                        f"{pod.name} {how}: not back",
                        WAIT_S,
                        self._cluster.plight,
                    )
                    self._report.back.append(Back(workload.component, how, seconds))
                    print(f"  {pod.name} {how}: back after {seconds:.1f} s", file=sys.stderr, flush=True)
            self._await_stable(how)

    def _lacks(self, workload: Workload, pod: Pod) -> int:
        return lacking(workload.component, workload.wanted, self._cluster.pods(), without=pod.uid)

    def _kill(self, pod: Pod) -> None:
        self._note_restarts()
        self._cluster.kubectl("delete", "pod", pod.name, "--grace-period=0", "--force")

    def _evict(self, pod: Pod) -> None:
        self._note_restarts()
        wait(lambda: self._cluster.evict(pod.name), f"{pod.name} may not be evicted", WAIT_S, self._cluster.plight)

    def _compare(self) -> None:
        unfinished = self._playing.finish()
        ledger = self._playing.ledger
        records, wrong = self._playing.records()
        missing = lost(ledger.acknowledged, records)
        report = self._report
        report.games, report.actions, report.lost = ledger.games, len(ledger.acknowledged), len(missing)
        report.given_up = list(ledger.failures)
        report.wrong = [*wrong, *(f"{table} did not come to an end" for table in unfinished)]
        for step in report.steps:
            began = self._began[step.name]
            step.lost = sum(began <= one.at_s < began + step.took_s for one in missing)

    def _uninstall(self) -> None:
        self._cluster.helm("uninstall", RELEASE, "--wait", "--timeout", "10m")
        wait(lambda: not self._cluster.pods(), "pods are left", WAIT_S, self._cluster.plight)

    @contextmanager
    def _step(self, name: str) -> Iterator[Step]:
        step, began = Step(name), time.monotonic()
        self._began[name] = began
        self._report.steps.append(step)
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr, flush=True)
        try:
            yield step
        except (NotWell, OSError, Refused) as error:
            step.failure = str(error)
            print(f"  not well: {error}", file=sys.stderr, flush=True)
        step.took_s = time.monotonic() - began
        meanwhile = self._playing.ledger.since(began)
        step.actions = len(meanwhile)
        step.longest_s = max((one.waited_s for one in meanwhile), default=0.0)
