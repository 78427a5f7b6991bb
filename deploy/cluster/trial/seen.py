"""Pods, and what is to keep them, as the API server tells of them. Nothing here asks it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

COMPONENT = "app.kubernetes.io/component"


@dataclass(frozen=True)
class Restart:
    """That the kubelet started a container of a pod again."""

    container: str
    times: int
    ended: str
    """The id of the one before."""
    why: str
    """How that one ended, and the last line that it wrote, where the kubelet kept it."""

    @classmethod
    def of(cls, status: Mapping[str, Any]) -> "Restart":
        """Return what a container's status says about it."""
        end = status.get("lastState", {}).get("terminated", {})
        words = [end.get("reason", ""), f"exit code {end['exitCode']}" if "exitCode" in end else ""]
        last = [line for line in end.get("message", "").splitlines() if line.strip()][-1:]
        why = ": ".join([", ".join(filter(None, words)), *last])
        return cls(status.get("name", ""), status["restartCount"], end.get("containerID", "").partition("://")[2], why)


@dataclass(frozen=True)
class Pod:
    """One pod."""

    name: str
    uid: str
    component: str
    is_ready: bool
    is_ending: bool
    node: str = ""
    address: str = ""
    waits_because: str = ""
    """Why its container does not start, in the kubelet's word."""
    started_again: Sequence[Restart] = ()

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> "Pod":
        """Return a pod as the API tells of it."""
        metadata, status = described["metadata"], described.get("status", {})
        conditions = {one["type"]: one["status"] for one in status.get("conditions", [])}
        containers = status.get("containerStatuses", [])
        return cls(
            name=metadata["name"],
            uid=metadata["uid"],
            component=metadata.get("labels", {}).get(COMPONENT, ""),
            is_ready=conditions.get("Ready") == "True",
            is_ending="deletionTimestamp" in metadata,
            node=described.get("spec", {}).get("nodeName", ""),
            address=status.get("podIP", ""),
            waits_because=next(filter(None, (one.get("state", {}).get("waiting", {}).get("reason") for one in containers)), ""),
            started_again=[Restart.of(one) for one in containers if one.get("restartCount")],
        )

    @property
    def restarts(self) -> int:
        """Return how often any of its containers was started again."""
        return sum(one.times for one in self.started_again)


@dataclass(frozen=True)
class Workload:
    """A Deployment or StatefulSet."""

    kind: str
    name: str
    component: str
    wanted: int
    is_stable: bool
    """Whether all its pods are those of its newest form, and ready."""

    @classmethod
    def of(cls, kind: str, described: Mapping[str, Any]) -> "Workload":
        """Return a workload as the API tells of it."""
        metadata, status, wanted = described["metadata"], described.get("status", {}), described["spec"].get("replicas", 1)
        counts = [status.get(key, 0) for key in ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")]
        is_newest = status.get("observedGeneration", 0) >= metadata.get("generation", 0)
        return cls(
            kind=kind,
            name=metadata["name"],
            component=metadata.get("labels", {}).get(COMPONENT, ""),
            wanted=wanted,
            is_stable=is_newest and all(count == wanted for count in counts),
        )


def unstable(workloads: Sequence[Workload]) -> Sequence[str]:
    """Return the names of those that are not as wanted."""
    return [workload.name for workload in workloads if not workload.is_stable]


def lacking(component: str, wanted: int, pods: Sequence[Pod], without: str = "") -> int:
    """Return how many ready pods a component lacks; the pod with the uid `without` counts for nothing."""
    ready = [pod for pod in pods if pod.component == component and pod.is_ready and not pod.is_ending and pod.uid != without]
    return max(0, wanted - len(ready))
