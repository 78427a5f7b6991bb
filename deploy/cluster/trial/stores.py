"""The stores that have several servers: who is the master, and what can be done to them and to their Sentinels."""

import time

from deploy.cluster import images, settings
from deploy.cluster.not_well import NotWell
from deploy.cluster.place import Place
from deploy.cluster.trial.cluster import RELEASE, WAIT_S, Cluster, wait

STORES = ("redis-sessions", "redis-broker")
SERVERS = 3
_TLS = ("--tls", "--cacert", "/tls/ca.crt")


class Stores:
    """Both stores of the release."""

    def __init__(self, cluster: Cluster, place: Place, killed: set[str]) -> None:
        """`killed` takes the ids of containers that are killed here."""
        self._cluster, self._place, self._killed = cluster, place, killed

    def forget(self) -> None:
        """Delete the StatefulSets and leave their pods, as an operator has to before one server can become several."""
        for store in STORES:
            self._cluster.kubectl("delete", "statefulset", f"{RELEASE}-{store}", "--cascade=orphan")

    def master(self, store: str) -> str:
        """Return the pod that the Sentinels take for the master. Raises NotWell when none of them says so."""
        name, fault = f"{RELEASE}-{store}", ""
        for number in range(SERVERS):
            command = ["valkey-cli", *_TLS, "-p", "26379", "sentinel", "get-master-addr-by-name", name]
            try:
                said = self._cluster.kubectl("exec", f"{name}-{number}", "-c", "sentinel", "--", *command).split()
            except NotWell as error:
                fault = str(error)
                continue
            if said:
                return said[0].split(".")[0]
        raise NotWell(f"no Sentinel of {store} says who is the master: {fault}")

    def lose_master(self, store: str) -> float:
        """Delete the master without asking it; return the seconds until the Sentinels had another one."""
        before = self.master(store)
        self._cluster.kubectl("delete", "pod", before, "--grace-period=0", "--force")
        began = time.monotonic()
        wait(lambda: self._is_another(store, before), f"{before} is still the master", WAIT_S, self._cluster.plight)
        return time.monotonic() - began

    def lose_sentinel(self, store: str) -> None:
        """Kill the Sentinel beside the master, as the kernel does; its container has to be started again."""
        pod = self.master(store)
        container = self._sentinel(pod)
        self._killed.add(container)
        name = self._cluster.kubectl("get", "pod", pod, "-o", "jsonpath={.spec.nodeName}")
        (node,) = (node for node in settings.there(self._place) if node.name == name)
        images.ctr(self._place, node, "tasks", "kill", "--signal", "SIGKILL", container)
        wait(
            lambda: self._sentinel(pod) not in ("", container), f"the Sentinel of {pod} is not back", WAIT_S, self._cluster.plight
        )

    def _sentinel(self, pod: str) -> str:
        path = '{.status.containerStatuses[?(@.name=="sentinel")].containerID}'
        return self._cluster.kubectl("get", "pod", pod, "-o", f"jsonpath={path}").partition("://")[2]

    def _is_another(self, store: str, before: str) -> bool:
        try:
            return self.master(store) != before
        except NotWell:
            return False
