"""Changes of the release that do not come to their end, while old pods go on; and secrets that are replaced."""

import base64
import json
import secrets
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress

from deploy.cluster.not_well import NotWell
from deploy.cluster.trial.cluster import RELEASE, WAIT_S, wait
from deploy.cluster.trial.installation import CHART, Installation
from deploy.cluster.trial.players import Players
from deploy.cluster.trial.report import Action

_QUOTA = "no-more-pods"


class Mishaps:
    """An operator's troubles with the release."""

    def __init__(self, installation: Installation, players: Players) -> None:
        self._installation, self._players = installation, players
        self._cluster = installation.cluster

    def actions(self) -> Iterator[Action]:
        """Yield the steps."""
        yield "`helm upgrade` to an image that cannot be had, and `helm rollback`", self._no_image
        yield "`rollout restart` under a ResourceQuota that allows no further pod", self._no_room
        yield "`helm upgrade` killed half way, and run again", self._interrupted
        yield "all certificates replaced", self._certify_anew
        yield "the key of calls between services replaced", self._new_key

    def _no_image(self) -> str:
        before = {pod.uid for pod in self._cluster.pods()}
        self._cluster.helm("upgrade", RELEASE, CHART, *self._installation.arguments("not-there"))
        wait(lambda: bool(self._waiting(before)), "no pod waits for its image", WAIT_S, self._cluster.plight)
        why = self._waiting(before)
        self._players.play_on()
        self._installation.roll_back()
        return f"pods wait: {', '.join(sorted(why))}"

    def _waiting(self, before: set[str]) -> set[str]:
        new = (pod for pod in self._cluster.pods() if pod.uid not in before)
        return {pod.waits_because for pod in new if "Image" in pod.waits_because}

    def _no_room(self) -> str:
        cluster = self._cluster
        cluster.kubectl("create", "quota", _QUOTA, "--hard=pods=0")
        cluster.kubectl("wait", "--for=jsonpath={.status.hard.pods}=0", f"quota/{_QUOTA}", "--timeout=60s")
        deployment = f"deployment/{RELEASE}-gateway"
        try:
            cluster.kubectl("rollout", "restart", deployment)
            cluster.kubectl("wait", "--for=condition=ReplicaFailure", deployment, f"--timeout={WAIT_S:.0f}s")
            path = r'jsonpath={.status.conditions[?(@.type=="ReplicaFailure")].message}'
            said = cluster.kubectl("get", deployment, "-o", path)
            self._players.play_on()
        finally:
            cluster.kubectl("delete", "quota", _QUOTA)
        self._installation.await_stable("room again")
        return said.partition("forbidden: ")[2] or said

    def _interrupted(self) -> str:
        changed = ["--set-string", "gateway.podAnnotations.trial=once", "--set-string", "session.podAnnotations.trial=once"]
        arguments = [
            "upgrade",
            RELEASE,
            CHART,
            *self._installation.arguments(self._installation.tag),
            *changed,
            "--wait",
            "--timeout",
            "10m",
        ]
        before = {pod.uid for pod in self._cluster.pods()}
        running = self._cluster.begin_helm(*arguments)
        wait(lambda: any(pod.uid not in before for pod in self._cluster.pods()), "no new pod", WAIT_S, self._cluster.plight)
        running.send_signal(signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            running.wait(timeout=60)
        status = json.loads(self._cluster.helm("status", RELEASE, "-o", "json"))["info"]["status"]
        try:
            self._cluster.helm(*arguments)
            said = "the second `helm upgrade` finished it"
        except NotWell as refusal:
            if "another operation" not in str(refusal):
                raise
            self._installation.roll_back()
            self._cluster.helm(*arguments)
            said = "the second `helm upgrade` was refused (another operation is in progress) until `helm rollback`"
        self._installation.await_stable("upgraded at last")
        return f"status {status}; {said}"

    def _certify_anew(self) -> None:
        """Without the secrets the chart has the authority sign new ones; pods are rolled, as they would be later on."""
        names = self._cluster.kubectl("get", "secrets", "-o", "name").split()
        self._cluster.kubectl("delete", *(name for name in names if name.endswith("-tls")))
        self._installation.upgrade()
        self._cluster.kubectl("rollout", "restart", "deployment,statefulset")
        self._installation.await_stable("certified anew")
        self._players.play_on()

    def _new_key(self) -> None:
        """In the three steps of docs/operations.md."""
        secret = f"secret/{RELEASE}-inner-key"
        old = self._cluster.kubectl("get", secret, "-o", "jsonpath={.data.inner-key}")
        new = secrets.token_urlsafe(36)
        for keys in (f"{_decoded(old)},{new}", f"{new},{_decoded(old)}", new):
            self._cluster.kubectl("patch", secret, "--type=merge", "-p", f'{{"stringData": {{"inner-key": "{keys}"}}}}')
            self._installation.roll_all()
        self._players.play_on()


def _decoded(text: str) -> str:
    return base64.b64decode(text).decode()
