"""The trial itself, step by step."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from brettwerk_client.refusals import Refused
from deploy.cluster.not_well import NotWell
from deploy.cluster.place import Place
from deploy.cluster.release import Release
from deploy.cluster.settings import NAMESPACE
from deploy.cluster.trial.autoscalers import Autoscalers
from deploy.cluster.trial.backup import back_up, restore
from deploy.cluster.trial.cluster import RELEASE, WAIT_S, wait
from deploy.cluster.trial.installation import CHART, Installation
from deploy.cluster.trial.ledger import lost
from deploy.cluster.trial.mishaps import Mishaps
from deploy.cluster.trial.nodes import Nodes
from deploy.cluster.trial.players import Players
from deploy.cluster.trial.pods import Pods
from deploy.cluster.trial.report import SECTIONS, Action, Report, Step
from deploy.cluster.trial.stores import STORES, Stores

STORES_VALUES = "deploy/cluster/stores.yaml"
"""On top of the others: stores of several servers, and a backup."""
_REPLICATING = "`helm upgrade` to stores of three servers"


class Trial:
    """Runs the steps, and notes the outcome of each."""

    def __init__(
        self,
        installation: Installation,
        players: Players,
        place: Place,
        report: Report,
        last: Release | None,
        minutes: float,
        sections: Sequence[str],
    ) -> None:
        """Nothing is begun after so many minutes; without a last release, the checkout is installed at once."""
        self._until_s = time.monotonic() + minutes * 60
        self._installation, self._players, self._report, self._last = installation, players, report, last
        self._cluster = installation.cluster
        self._stores = Stores(self._cluster, place, installation.killed)
        of = {
            "releases": self._releases,
            "stores": self._faults_of_stores,
            "pods": Pods(installation, players, report).actions,
            "mishaps": Mishaps(installation, players).actions,
            "scaling": Autoscalers(installation, players).actions,
            "nodes": Nodes(installation, players, place).actions,
        }
        self._sections = {section: of[section] for section in SECTIONS if section in sections}
        self._from = (last.chart, last.version) if last else (CHART, installation.tag)
        self._began: dict[str, float] = {}

    def run(self) -> None:
        """Do everything; a step that goes wrong is noted, and the next ones are tried, unless nothing could be installed."""
        chart, tag = self._from
        with self._step(f"`helm install` of {tag} with TLS, namespace *restricted*") as step:
            self._installation.install(chart, tag)
        if step.failure:
            return
        with self._step("`helm test`"):
            self._installation.test()
        self._players.begin()
        with self._step("nothing"):
            self._players.play_on()
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
        """Yield the steps that are taken while people play, one after the other."""
        for section, actions in self._sections.items():
            if section == "nodes" and self._cluster.nodes() > 1 and STORES_VALUES not in self._installation.values:
                yield _REPLICATING, self._replicate
            yield from actions()

    def _releases(self) -> Iterator[Action]:
        """From the last release to this checkout, and back and forth."""
        if self._last is None:
            return
        yield f"`helm upgrade` from {self._last.version} to this checkout", self._installation.upgrade
        yield f"`helm rollback` to {self._last.version}", partial(self._installation.roll_back, "1")
        yield "`helm upgrade` to this checkout again", self._installation.upgrade
        yield "`rollout restart` of all Deployments at once", self._roll_all

    def _faults_of_stores(self) -> Iterator[Action]:
        """From one server of each store to three, which then are killed."""
        if self._last is not None:
            yield f"stores of {self._last.version} made anew, with names for several servers", self._renew
        yield _REPLICATING, self._replicate
        yield "`helm test` of this checkout", self._installation.test
        for store in STORES:
            yield f"the master of {store} killed", partial(self._lose_master, store)
            yield f"the Sentinel beside the master of {store} killed", partial(self._lose_sentinel, store)
        yield "a backup by the CronJob, and everything restored from it", self._back_up

    def _roll_all(self) -> None:
        self._installation.roll_all()
        self._players.play_on()

    def _renew(self) -> None:
        self._stores.forget()
        self._installation.upgrade()
        self._players.play_on()

    def _replicate(self) -> None:
        self._stores.forget()
        self._installation.values.append(STORES_VALUES)
        self._installation.upgrade()

    def _lose_master(self, store: str) -> str:
        took_s = self._stores.lose_master(store)
        self._installation.await_stable("another master")
        return f"another master after {took_s:.1f} s"

    def _lose_sentinel(self, store: str) -> None:
        self._stores.lose_sentinel(store)
        self._installation.await_stable("a Sentinel again")

    def _back_up(self) -> str:
        """Have everybody wait for their turn, so that the backup is of what was acknowledged last; then go back to it."""
        try:
            if not self._players.hold():
                raise NotWell("somebody was still waiting for an answer")
            said = back_up(self._cluster)
            restore(self._cluster)
            self._installation.await_stable("restored")
        finally:
            self._players.go_on()
        self._players.play_on()
        return said

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
        self._cluster.kubectl("delete", "namespace", NAMESPACE, "--timeout=5m")

    @contextmanager
    def _step(self, name: str) -> Iterator[Step]:
        step, began = Step(name), time.monotonic()
        self._began[name] = began
        self._report.steps.append(step)
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr, flush=True)
        try:
            yield step
        except (NotWell, OSError, Refused, LookupError, ValueError, subprocess.SubprocessError) as error:
            step.failure = str(error) if isinstance(error, NotWell | Refused) else f"{type(error).__name__}: {error}"
            print(f"  not well: {error}", file=sys.stderr, flush=True)
        step.took_s = time.monotonic() - began
        ledger = self._players.ledger
        meanwhile = ledger.since(began)
        step.actions = len(meanwhile)
        step.longest_s = max((one.waited_s for one in meanwhile), default=0.0)
        step.longest_move_s = max((one.waited_s for one in ledger.answers_since(began)), default=0.0)
        said = f"  {step.took_s:.0f} s, {step.actions} actions, {step.longest_s:.1f} s, a move {step.longest_move_s:.1f} s"
        print(f"{said}; {step.note}", file=sys.stderr, flush=True)
