"""The node besides the first: drained, cut off for a while, and lost for good together with a volume."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from deploy.cluster import settings
from deploy.cluster.not_well import NotWell
from deploy.cluster.place import Place
from deploy.cluster.trial.cluster import RELEASE, WAIT_S, wait
from deploy.cluster.trial.installation import Installation
from deploy.cluster.trial.players import Players
from deploy.cluster.trial.report import Action
from deploy.cluster.trial.stores import STORES

CUT_OFF_S = 90.0
"""Longer than the controllers wait for a sign of a node, and shorter than pods tolerate that there is none (300 s)."""
_OTHER = settings.Node(2)
_CUT = f"""table inet cut {{
  chain coming {{ type filter hook prerouting priority -300; iifname "{_OTHER.wire}" drop; }}
  chain going {{ type filter hook postrouting priority 300; oifname "{_OTHER.wire}" drop; }}
}}"""
"""Nothing goes over the wire to the node any more, in either direction, and nobody is told."""


class Nodes:
    """The second node, in a zone of its own."""

    def __init__(self, installation: Installation, players: Players, place: Place) -> None:
        self._installation, self._players, self._place = installation, players, place
        self._cluster = installation.cluster

    def actions(self) -> Iterator[Action]:
        """Yield the steps that there are nodes for; after the last, only the first node is left."""
        if len(settings.there(self._place)) == 1:
            return
        yield "all pods scheduled anew, in both zones", self._where
        yield f"{_OTHER.name} drained, and taken back", self._drain
        yield f"{_OTHER.name} cut off for {CUT_OFF_S:.0f} s", self._cut_off
        yield f"{_OTHER.name} dead, and with it a volume of each store", self._lose

    def _where(self) -> str:
        """Have pods scheduled anew, and say which workloads are in both zones. Raises NotWell where several pods are in one."""
        self._installation.roll_all()
        nodes: dict[str, list[str]] = {}
        for pod in self._cluster.pods():
            nodes.setdefault(pod.component, []).append(pod.node)
        together = [name for name, those in nodes.items() if len(those) > 1 and len(set(those)) == 1]
        if together:
            raise NotWell(f"all in one zone: {', '.join(together)}")
        return f"in both zones: {', '.join(sorted(name for name, those in nodes.items() if len(set(those)) > 1))}"

    def _drain(self) -> None:
        drain = ["drain", _OTHER.name, "--ignore-daemonsets", "--delete-emptydir-data", "--force", f"--timeout={WAIT_S:.0f}s"]
        try:
            self._cluster.kubectl(*drain)
            self._installation.await_stable("drained")
            self._players.play_on()
        finally:
            self._cluster.kubectl("uncordon", _OTHER.name)
        self._cluster.kubectl("rollout", "restart", "deployment,statefulset")
        self._installation.await_stable("spread")

    def _set_apart(self) -> None:
        """Have one server of each store on the second node, and two on the first: a store outlives one of three."""
        for store in STORES:
            while len(there := self._servers(store, _OTHER)) != 1:
                shut = _OTHER if there else settings.FIRST
                self._cluster.kubectl("cordon", shut.name)
                try:
                    self._cluster.kubectl("delete", "pod", self._servers(store, shut)[-1])
                    self._installation.await_stable(f"{store} set apart")
                finally:
                    self._cluster.kubectl("uncordon", shut.name)

    def _servers(self, store: str, node: settings.Node) -> list[str]:
        return [pod.name for pod in self._cluster.pods() if pod.component == store and pod.node == node.name]

    def _cut_off(self) -> str:
        self._set_apart()
        began = time.monotonic()
        subprocess.run(["nft", "-f", "-"], input=_CUT, check=True, text=True, timeout=60)
        try:
            wait(lambda: not self._is_ready(), f"{_OTHER.name} counts as ready", WAIT_S, self._cluster.plight)
            noticed_s = time.monotonic() - began
            time.sleep(max(0.0, CUT_OFF_S - noticed_s))
        finally:
            subprocess.run(["nft", "delete", "table", "inet", "cut"], check=True, timeout=60)
        wait(self._is_ready, f"{_OTHER.name} does not come back", WAIT_S, self._cluster.plight)
        self._installation.await_stable("together again")
        self._players.play_on()
        return f"noticed after {noticed_s:.0f} s"

    def _lose(self) -> str:
        self._set_apart()
        on_it = [pod for pod in self._cluster.pods() if pod.node == _OTHER.name]
        began = time.monotonic()
        for process in list(_processes(self._place)):
            with contextlib.suppress(ProcessLookupError):  # it ended with the one before
                os.kill(process, signal.SIGKILL)
        wait(lambda: not self._is_ready(), f"{_OTHER.name} counts as ready", WAIT_S, self._cluster.plight)
        noticed_s = time.monotonic() - began
        self._cluster.kubectl("delete", "node", _OTHER.name)
        for pod in on_it:
            if pod.component in STORES:
                self._cluster.kubectl("delete", "pvc", f"data-{pod.name}", "--wait=false")
                self._cluster.kubectl("delete", "pod", pod.name, "--grace-period=0", "--force", "--ignore-not-found")
        self._installation.await_stable("lost")
        self._players.play_on()
        return f"noticed after {noticed_s:.0f} s, {len(on_it)} pods of {RELEASE} were on it"

    def _is_ready(self) -> bool:
        described = json.loads(self._cluster.kubectl("get", "node", _OTHER.name, "-o", "json"))
        return any(one["type"] == "Ready" and one["status"] == "True" for one in described["status"]["conditions"])


def _processes(place: Place) -> Iterator[int]:
    """Yield the processes that the second node lives and dies with, as this machine numbers them."""
    wanted = b"\0".join([b"deploy.cluster.joined_node", str(place.folder).encode(), b"%d" % _OTHER.number])
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if wanted in file.read_bytes():
                yield int(file.parent.name)
        except OSError:
            continue
