"""The release on the cluster: with which chart, values and images it was installed, and what the kubelet made of its pods."""

from collections.abc import Sequence

from deploy.cluster import settings
from deploy.cluster.settings import NAMESPACE
from deploy.cluster.trial.cluster import RELEASE, Cluster
from deploy.cluster.trial.report import Report

CHART = "deploy/chart"
VALUES = "deploy/cluster/values.yaml"


class Installation:
    """The release, as the trial changes it."""

    def __init__(self, cluster: Cluster, report: Report, tag: str) -> None:
        """`tag` is that of the checkout's images."""
        self.cluster = cluster
        self.tag = tag
        self.values = [VALUES]
        """Files with the values, each on top of those before."""
        self.killed = set[str]()
        """The ids of containers that the trial killed itself."""
        self._report = report

    def install(self, chart: str, tag: str) -> None:
        """Install a release in a namespace that enforces *restricted*."""
        cluster = self.cluster
        cluster.kubectl("create", "namespace", NAMESPACE)
        restricted = [f"pod-security.kubernetes.io/{mode}=restricted" for mode in ("enforce", "warn", "audit")]
        cluster.kubectl("label", "namespace", NAMESPACE, *restricted)
        cluster.helm("install", RELEASE, chart, *self.arguments(tag))
        self.await_stable("installed")

    def upgrade(self, *more: str) -> None:
        """Go to the checkout's chart and images with the values as they now are. Raises NotWell."""
        # An autoscaler that is switched off leaves its number of pods behind, which is the chart's again.
        self.cluster.helm("upgrade", RELEASE, CHART, *self.arguments(self.tag), "--force-conflicts", *more)
        self.await_stable("upgraded")

    def roll_all(self) -> None:
        """Replace the pods of all Deployments at once. Raises NotWell."""
        self.cluster.kubectl("rollout", "restart", "deployment")
        self.await_stable("rolled")

    def roll_back(self, revision: str = "") -> None:
        """Go back to a revision, or to the one before. Raises NotWell."""
        self.cluster.helm("rollback", RELEASE, *([revision] if revision else []))
        self.await_stable("rolled back")

    def test(self) -> None:
        """Run the chart's own test. Raises NotWell."""
        self.cluster.helm("test", RELEASE, "--timeout", "10m")

    def arguments(self, tag: str) -> Sequence[str]:
        """Return what Helm is told of values."""
        values = [word for file in self.values for word in ("--values", file)]
        return [*values, "--set", f"database.url={settings.DATABASE_URL}", "--set-string", f"image.tag={tag}"]

    def await_stable(self, what: str) -> None:
        """Wait until all workloads are as wanted. Raises NotWell."""
        self.cluster.await_stable(what)
        self.note_restarts()

    def note_restarts(self) -> None:
        """Note the containers that were started again and that nobody here had killed."""
        step = self._report.steps[-1]
        for pod in self.cluster.pods():
            for one in pod.started_again:
                if one.times > 1 or one.ended not in self.killed:
                    self._report.restarts.setdefault((f"{pod.name}, {one.container}", one.times), (step.name, one.why))
