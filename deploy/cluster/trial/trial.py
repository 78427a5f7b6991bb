"""The trial itself, step by step."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from brettwerk_client.refusals import Refused
from deploy.cluster import settings
from deploy.cluster.not_well import NotWell
from deploy.cluster.release import Release
from deploy.cluster.settings import NAMESPACE
from deploy.cluster.trial.backup import back_up, restore
from deploy.cluster.trial.cluster import RELEASE, WAIT_S, Cluster, wait
from deploy.cluster.trial.ledger import lost
from deploy.cluster.trial.players import Players
from deploy.cluster.trial.report import Back, Report, Step
from deploy.cluster.trial.seen import Pod, Workload, lacking
from deploy.cluster.trial.stores import STORES, Stores

PLAY_S = 15.0
"""How long people play undisturbed, to have something to compare with."""
CHART = "deploy/chart"
VALUES = "deploy/cluster/values.yaml"
STORES_VALUES = "deploy/cluster/stores.yaml"
"""On top of them: stores of several servers, and a backup."""

Action: TypeAlias = tuple[str, Callable[[], str | None]]


class Trial:
    """Runs the steps, and notes what each came to."""

    def __init__(
        self, cluster: Cluster, stores: Stores, players: Players, report: Report, last: Release, tag: str, minutes: float
    ) -> None:
        """Nothing that hurts is begun after so many minutes."""
        self._until_s = time.monotonic() + minutes * 60
        self._cluster, self._stores, self._players, self._report = cluster, stores, players, report
        self._last, self._tag = last, tag
        self._began: dict[str, float] = {}

    def run(self) -> None:
        """Do everything; a step that goes wrong is noted, and the next ones are tried, unless nothing could be installed."""
        with self._step(f"`helm install` of {self._last.version} with TLS, namespace *restricted*") as step:
            self._install()
        if step.failure:
            return
        with self._step("`helm test`"):
            self._test()
        self._players.begin()
        with self._step("nothing"):
            self._play_on()
        for name, action in self._actions():
            if time.monotonic() > self._until_s:
                self._report.omitted.append(name)
                continue
            with self._step(name) as step:
                step.note = action() or ""
        with self._step("games played to their ends, records compared"):
            self._compare()
        with self._step("`helm uninstall`"):
            self._uninstall()

    def _actions(self) -> Iterator[Action]:
        """Yield the steps that are taken while people play, one after the other; each may return what is to be known of it."""
        yield from self._changes_of_release()
        yield from self._faults_of_stores()
        yield "a backup by the CronJob, and everything restored from it", self._back_up
        for component, numbers in {"worker-think": (3, 1), "session": (3, 1, 2)}.items():
            for number in numbers:
                yield f"{component} scaled to {number}", partial(self._scale, component, number)
        for workload in self._cluster.workloads():
            yield f"`rollout restart` of {workload.component}", partial(self._roll, workload)
        yield "every pod killed, one after the other", partial(self._each_pod, "killed", self._kill)
        yield "every pod evicted, one after the other", partial(self._each_pod, "evicted", self._evict)

    def _changes_of_release(self) -> Iterator[Action]:
        """From the last release to this checkout, back and forth, and then from one server of each store to three."""
        yield f"`helm upgrade` from {self._last.version} to this checkout", self._upgrade
        yield f"`helm rollback` to {self._last.version}", self._roll_back
        yield "`helm upgrade` to this checkout again", self._upgrade
        yield "`helm upgrade` to stores of three servers", self._replicate
        yield "`helm test` of this checkout", self._test

    def _faults_of_stores(self) -> Iterator[Action]:
        for store in STORES:
            yield f"the master of {store} killed", partial(self._lose_master, store)
            yield f"the Sentinel beside the master of {store} killed", partial(self._lose_sentinel, store)
        yield "all pods killed at once", self._lose_all

    def _lose_master(self, store: str) -> str:
        took_s = self._stores.lose_master(store)
        self._await_stable("another master")
        return f"another master after {took_s:.1f} s"

    def _lose_sentinel(self, store: str) -> None:
        self._stores.lose_sentinel(store)
        self._await_stable("a Sentinel again")

    def _lose_all(self) -> None:
        self._note_restarts()
        names = [pod.name for pod in self._cluster.pods() if not pod.is_ending and pod.is_ready]
        self._cluster.kubectl("delete", "pod", *names, "--grace-period=0", "--force")
        self._await_stable("all pods killed")
        self._play_on()

    def _back_up(self) -> str:
        """Have everybody wait for their turn, so that the backup is of what was acknowledged last; then go back to it."""
        try:
            if not self._players.hold():
                raise NotWell("somebody was still waiting for an answer")
            said = back_up(self._cluster)
            restore(self._cluster)
            self._await_stable("restored")
        finally:
            self._players.go_on()
        self._play_on()
        return said

    def _install(self) -> None:
        cluster = self._cluster
        cluster.kubectl("create", "namespace", NAMESPACE)
        restricted = [f"pod-security.kubernetes.io/{mode}=restricted" for mode in ("enforce", "warn", "audit")]
        cluster.kubectl("label", "namespace", NAMESPACE, *restricted)
        cluster.helm("install", RELEASE, self._last.chart, *self._values(self._last.version))
        self._await_stable("installed")

    def _replicate(self) -> None:
        self._stores.forget()
        self._upgrade()

    def _roll_back(self) -> None:
        self._cluster.helm("rollback", RELEASE, "1")
        self._await_stable("rolled back")

    def _upgrade(self) -> None:
        self._cluster.helm("upgrade", RELEASE, CHART, *self._values(self._tag))
        self._await_stable("upgraded")

    def _values(self, tag: str) -> Sequence[str]:
        files = [VALUES, STORES_VALUES] if self._stores.are_replicated else [VALUES]
        values = [word for file in files for word in ("--values", file)]
        return [*values, "--set", f"database.url={settings.DATABASE_URL}", "--set-string", f"image.tag={tag}"]

    def _test(self) -> None:
        self._cluster.helm("test", RELEASE, "--timeout", "10m")

    def _await_stable(self, what: str) -> None:
        self._cluster.await_stable(what)
        self._note_restarts()

    def _note_restarts(self) -> None:
        """Note the containers that were started again and that nobody here had killed."""
        step = self._report.steps[-1]
        for pod in self._cluster.pods():
            for one in pod.started_again:
                if one.times > 1 or one.ended not in self._stores.killed:
                    self._report.restarts.setdefault((f"{pod.name}, {one.container}", one.times), (step.name, one.why))

    def _play_on(self) -> None:
        """Wait until people have played for a while."""
        began = time.monotonic()
        ledger = self._players.ledger
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

    def _each_pod(self, how: str, hurt: Callable[[Pod], None]) -> None:
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
        unfinished = self._players.finish()
        ledger = self._players.ledger
        records, wrong = self._players.records()
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
        meanwhile = self._players.ledger.since(began)
        step.actions = len(meanwhile)
        step.longest_s = max((one.waited_s for one in meanwhile), default=0.0)
