"""Pods and workloads, as the API server tells of them."""

from typing import Any

import pytest

from deploy.cluster.trial.seen import COMPONENT, Pod, Restart, Workload, lacking, unstable


def deployment(**changed: int) -> dict[str, Any]:
    status = {"replicas": 2, "updatedReplicas": 2, "readyReplicas": 2, "availableReplicas": 2, "observedGeneration": 4, **changed}
    metadata = {"name": "brettwerk-rules", "generation": 4, "labels": {COMPONENT: "rules"}}
    return {"metadata": metadata, "spec": {"replicas": 2}, "status": status}


def pod(name: str, component: str = "rules", ready: str = "True", **metadata: str) -> Pod:
    return Pod.of(
        {
            "metadata": {"name": name, "uid": f"uid-{name}", "labels": {COMPONENT: component}, **metadata},
            "status": {"conditions": [{"type": "Ready", "status": ready}], "containerStatuses": [{"restartCount": 1}]},
        }
    )


def test_a_workload_is_stable_when_all_its_pods_are_new_and_ready() -> None:
    assert unstable([Workload.of("deployment", deployment())]) == []


@pytest.mark.parametrize(
    "changed",
    [{"replicas": 3}, {"updatedReplicas": 1}, {"readyReplicas": 1}, {"availableReplicas": 1}, {"observedGeneration": 3}],
)
def test_a_workload_that_is_changing_is_not_stable(changed: dict[str, int]) -> None:
    assert unstable([Workload.of("deployment", deployment(**changed))]) == ["brettwerk-rules"]


def test_a_workload_of_no_pods_is_stable() -> None:
    described = deployment()
    described["spec"]["replicas"], described["status"] = 0, {"observedGeneration": 4}
    assert Workload.of("deployment", described).is_stable


def test_pods_that_end_or_are_not_ready_or_of_others_do_not_count() -> None:
    pods = [
        pod("a"),
        pod("b", deletionTimestamp="2026-11-26T03:00:00Z"),
        pod("c", ready="False"),
        pod("d", component="ai"),
        pod("e"),
    ]
    assert lacking("rules", 2, pods) == 0
    assert lacking("rules", 3, pods) == 1
    assert lacking("rules", 2, pods, without="uid-a") == 1
    assert pods[0].restarts == 1


def test_a_container_that_was_started_again_says_how_the_one_before_ended() -> None:
    end = {"reason": "Error", "exitCode": 2, "containerID": "containerd://abc", "message": "starting\nno broker\n\n"}
    status = {"name": "ai", "restartCount": 1, "lastState": {"terminated": end}}
    found = Pod.of({"metadata": {"name": "a", "uid": "1"}, "status": {"containerStatuses": [status, {"restartCount": 0}]}})
    assert found.started_again == [Restart("ai", 1, "abc", "Error, exit code 2: no broker")]
    assert Restart.of({"restartCount": 1}) == Restart("", 1, "", "")


def test_a_pod_that_is_not_yet_placed_is_not_ready() -> None:
    assert not Pod.of({"metadata": {"name": "a", "uid": "1"}, "status": {}}).is_ready
