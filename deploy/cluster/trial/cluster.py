"""The release on the node, through kubectl, Helm and the API."""

import json
import os
import subprocess
import time
import urllib.error
from collections.abc import Callable, Sequence

from deploy.cluster.api import Api
from deploy.cluster.not_well import NotWell
from deploy.cluster.place import Place
from deploy.cluster.settings import NAMESPACE
from deploy.cluster.tools import tools
from deploy.cluster.trial.seen import Pod, Workload, unstable

RELEASE = "brettwerk"
WAIT_S = 600.0
_EVERY_S = 0.3
_CONFLICT = 429


class Cluster:
    """The cluster as the trial changes and sees it."""

    def __init__(self, place: Place) -> None:
        self._api = Api(place)
        self._tools = tools()
        self._environment = {**os.environ, "KUBECONFIG": str(place.kubeconfig)}

    def kubectl(self, *arguments: str, given: str = "") -> str:
        """Return what kubectl says. Raises NotWell when it fails."""
        return self._run("kubectl", "--namespace", NAMESPACE, *arguments, given=given)

    def helm(self, *arguments: str) -> str:
        """Return what Helm says. Raises NotWell when it fails."""
        return self._run("helm", "--namespace", NAMESPACE, *arguments)

    def begin_helm(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Have Helm begin something, and return without waiting for it."""
        command = [str(self._tools / "helm"), "--namespace", NAMESPACE, *arguments]
        return subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def has(self, version: str) -> bool:
        """Return whether the API has a group of kinds in a version: keda.sh/v1alpha1."""
        try:
            self._api.call(f"/apis/{version}")
        except urllib.error.HTTPError:
            return False
        return True

    def nodes(self) -> int:
        """Return the number of nodes."""
        return len(self._api.items("/api/v1/nodes"))

    def pods(self) -> Sequence[Pod]:
        """Return all pods of the namespace."""
        return [Pod.of(one) for one in self._api.items(f"/api/v1/namespaces/{NAMESPACE}/pods")]

    def has_ended(self, name: str) -> bool:
        """Return whether a pod is gone, and does not only end."""
        return all(pod.name != name for pod in self.pods())

    def workloads(self) -> Sequence[Workload]:
        """Return what keeps pods."""
        kinds = {"deployment": "deployments", "statefulset": "statefulsets"}
        return [
            Workload.of(kind, one)
            for kind, path in kinds.items()
            for one in self._api.items(f"/apis/apps/v1/namespaces/{NAMESPACE}/{path}")
        ]

    def evict(self, pod: str) -> bool:
        """Ask for a pod to be evicted, as whoever drains a node does; return False where its budget does not allow it now."""
        body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod, "namespace": NAMESPACE}}
        try:
            self._api.call(f"/api/v1/namespaces/{NAMESPACE}/pods/{pod}/eviction", body)
        except urllib.error.HTTPError as error:
            if error.code == _CONFLICT:
                return False
            raise
        return True

    def server_version(self) -> str:
        """Return the API server's version."""
        return str(self._api.call("/version")["gitVersion"])

    def runtime(self) -> str:
        """Return what runs containers, and the kernel they run on."""
        nodes = self._api.items("/api/v1/nodes")
        info = nodes[0]["status"]["nodeInfo"]
        number = f"{len(nodes)} nodes: " if len(nodes) > 1 else ""
        return f"{number}{info['containerRuntimeVersion']}, Linux {info['kernelVersion']}, {info['osImage']}"

    def await_stable(self, what: str, within_s: float = WAIT_S) -> float:
        """Wait until all workloads are as wanted and no pod is ending; return the seconds that took. Raises NotWell."""
        return wait(
            lambda: not unstable(self.workloads()) and not any(pod.is_ending for pod in self.pods()),
            f"{what}: not as expected",
            within_s,
            self.plight,
        )

    def plight(self) -> str:
        """Return what is the matter with pods that are not ready, for whoever reads that a trial has failed."""
        amiss = [
            f"{pod.name} ({'ending, ' if pod.is_ending else ''}{pod.restarts} restarts)"
            for pod in self.pods()
            if not pod.is_ready
        ]
        events = self._api.items(f"/api/v1/namespaces/{NAMESPACE}/events")
        warnings = [event for event in events if event.get("type") == "Warning"][-12:]
        found = [f"{event['involvedObject'].get('name')}: {event.get('message')}" for event in warnings]
        return f"{unstable(self.workloads())}; {', '.join(amiss)}\n" + "\n".join(found)

    def _run(self, program: str, *arguments: str, given: str = "") -> str:
        command = [str(self._tools / program), *arguments]
        done = subprocess.run(
            command, env=self._environment, input=given, capture_output=True, text=True, timeout=2 * WAIT_S, check=False
        )
        if done.returncode:
            raise NotWell(f"{program} {' '.join(arguments)}: {done.stderr.strip()}\n{done.stdout.strip()[-2000:]}")
        return done.stdout


def wait(is_so: Callable[[], bool], sentence: str, within_s: float, plight: Callable[[], str]) -> float:
    """Wait until something is so, and return how many seconds that took. Raises NotWell."""
    began = time.monotonic()
    while True:
        try:
            if is_so():
                return time.monotonic() - began
        except (OSError, json.JSONDecodeError):
            pass  # asked again
        if time.monotonic() - began > within_s:
            raise NotWell(f"{sentence} after {within_s:.0f} s: {plight()}")
        time.sleep(_EVERY_S)
