"""A backup by the chart's own CronJob, and the way back from it that docs/kubernetes.md describes."""

from pathlib import Path
from typing import Any

import yaml

from deploy.cluster import images
from deploy.cluster.not_well import NotWell
from deploy.cluster.place import ROOT
from deploy.cluster.trial.cluster import RELEASE, WAIT_S, Cluster, wait
from deploy.cluster.trial.stores import SERVERS, STORES

MANIFEST = ROOT / "deploy" / "manifests" / "restore.yaml"
_ALL = ("deployment,statefulset", "-l", f"app.kubernetes.io/instance={RELEASE}")
_JOB = f"{RELEASE}-backup-now"


def back_up(cluster: Cluster) -> str:
    """Run the CronJob's work now; return what it said of the games. Raises NotWell when it fails."""
    cluster.kubectl("create", "job", _JOB, f"--from=cronjob/{RELEASE}-backup")
    cluster.kubectl("wait", "--for=condition=Complete", f"job/{_JOB}", f"--timeout={WAIT_S:.0f}s")
    return cluster.kubectl("logs", f"job/{_JOB}", "-c", "games").strip().splitlines()[-1]


def restore(cluster: Cluster) -> None:
    """Stop everything, put the newest backup into the volume of the first server, and start everything again. Raises NotWell."""
    numbers = {(one.kind, one.name): one.wanted for one in cluster.workloads()}
    cluster.kubectl("scale", *_ALL, "--replicas=0")
    wait(lambda: not _running(cluster), "pods are left", WAIT_S, cluster.plight)
    cluster.kubectl("apply", "-f", "-", given=yaml.safe_dump(pod(MANIFEST)))
    try:
        cluster.kubectl("wait", "--for=jsonpath={.status.phase}=Succeeded", f"pod/{RELEASE}-restore", f"--timeout={WAIT_S:.0f}s")
    except NotWell as fault:
        raise NotWell(f"{fault}: {cluster.kubectl('logs', f'pod/{RELEASE}-restore')}") from fault
    cluster.kubectl("delete", "pod", f"{RELEASE}-restore")
    cluster.kubectl("delete", "pvc", *(f"data-{RELEASE}-{STORES[0]}-{number}" for number in range(1, SERVERS)))
    cluster.kubectl("scale", *_ALL, "--replicas=1")
    for (kind, name), number in numbers.items():
        if number > 1:
            cluster.kubectl("scale", kind, name, f"--replicas={number}")


def pod(manifest: Path) -> dict[str, Any]:
    """Return the guide's pod for this node: it has its own image of the store, and its archive is in PostgreSQL."""
    described: dict[str, Any] = yaml.safe_load(manifest.read_text())
    (container,) = described["spec"]["containers"]
    container["image"], container["imagePullPolicy"] = images.STORE, "Never"
    for volume in described["spec"]["volumes"]:
        if volume["name"] == "archive":
            del volume["persistentVolumeClaim"]
            volume["emptyDir"] = {}
    return described


def _running(cluster: Cluster) -> bool:
    """Return whether a pod of a service or a store is left; that of the backup has ended by itself."""
    return any(one.component != "backup" for one in cluster.pods())
