"""Pools of workers: all alike but for what they say, and those of an older release's values."""

import json
from typing import Any

import pytest

from tests.deploy.chart.rendering import CHART, Thing, name, of, run, things
from tests.night import at_night


def workers(pools: dict[str, Any], *more: str) -> dict[str, Thing]:
    """Return the deployments that the chart makes for pools of workers, by the names of the pools."""
    made = things(run("template", "brettwerk", str(CHART), "--set-json", f"workers={json.dumps(pools)}", *more))
    prefix = "brettwerk-worker-"
    return {name(one).removeprefix(prefix): one for one in of("Deployment", made) if name(one).startswith(prefix)}


def thinkers(pools: dict[str, Any], *more: str) -> dict[str, Thing]:
    """Return those of them that think for players."""
    return {pool: made for pool, made in workers(pools, *more).items() if pool != "statistics"}


def container(deployment: Thing) -> Thing:
    (found,) = deployment["spec"]["template"]["spec"]["containers"]
    return dict(found)


def environment(deployment: Thing) -> dict[str, Any]:
    return {one["name"]: one.get("value") for one in container(deployment)["env"]}


def test_there_is_one_pool_and_it_serves_whatever_is_wanted() -> None:
    made = thinkers({})
    assert set(made) == {"think"}
    assert environment(made["think"])["BRETTWERK_WORKER_CONCURRENCY"] == "2"
    assert not {"BRETTWERK_WORKER_QUEUE", "BRETTWERK_WORKER_QUEUES"} & set(environment(made["think"]))


@pytest.mark.nightly
def test_games_for_statistics_are_played_by_a_pool_of_their_own_which_can_be_left_out() -> None:
    made = workers({"think": {"env": {"BRETTWERK_LOG_LEVEL": "debug"}}})
    assert set(made) == {"think", "statistics"}
    assert environment(made["statistics"])["BRETTWERK_WORKER_QUEUE"] == "statistics"
    assert set(workers({"statistics": {"enabled": False}})) == {"think"}


@pytest.mark.nightly
def test_another_pool_takes_from_the_first_what_it_does_not_say() -> None:
    think = {"processes": 4, "replicas": 3, "env": {"BRETTWERK_LOG_LEVEL": "debug"}, "nodeSelector": {"kind": "fast"}}
    spot = {"replicas": 7, "nodeSelector": {"kind": "spot"}, "tolerations": [{"key": "spot", "operator": "Exists"}]}
    made = thinkers({"think": think, "spot": spot})
    assert [made[pool]["spec"]["replicas"] for pool in ("think", "spot")] == [3, 7]
    assert all(environment(one)["BRETTWERK_WORKER_CONCURRENCY"] == "4" for one in made.values())
    assert all(environment(one)["BRETTWERK_LOG_LEVEL"] == "debug" for one in made.values())
    pods = {pool: one["spec"]["template"]["spec"] for pool, one in made.items()}
    assert pods["spot"]["nodeSelector"] == {"kind": "spot"}
    assert pods["spot"]["tolerations"] == spot["tolerations"]
    assert pods["think"]["nodeSelector"] == {"kind": "fast"}
    assert "tolerations" not in pods["think"]
    assert container(made["spot"])["resources"] == container(made["think"])["resources"]


@pytest.mark.nightly
def test_the_first_pool_can_be_left_out_and_still_says_what_the_others_do_not() -> None:
    made = thinkers({"think": {"enabled": False, "processes": 3}, "spot": {}})
    assert set(made) == {"spot"}
    assert environment(made["spot"])["BRETTWERK_WORKER_CONCURRENCY"] == "3"


AS_BEFORE = {"tablesSize": "3Gi", "env": {"BRETTWERK_TABLES_STONES": "5"}}
"""How releases up to 1.0.0 were asked for large tables."""


@pytest.mark.parametrize(
    ("given", "stones", "room", "mib"),
    [
        ({}, "4", "64Mi", "64"),
        at_night({"tables": 5}, "5", "2Gi", "2048"),
        at_night({"tables": 6}, "6", "40Gi", "40960"),
        (AS_BEFORE, "5", "3Gi", "3072"),
    ],
)
def test_a_pod_has_room_for_the_tables_that_it_is_to_build(given: dict[str, Any], stones: str, room: str, mib: str) -> None:
    (made,) = thinkers({"think": given}).values()
    assert environment(made)["BRETTWERK_TABLES_STONES"] == stones
    assert environment(made)["BRETTWERK_TABLES_ROOM_MIB"] == mib
    (volume,) = (one for one in made["spec"]["template"]["spec"]["volumes"] if one["name"] == "tables")
    assert volume["emptyDir"] == {"sizeLimit": room}


OF_0_1_0 = {
    "queues": "move", "replicas": 2, "max": 20, "processes": 2, "scaling": "keda", "oldestWait": 1, "busyShare": 0.7, "cpu": 60,
    "resources": {"requests": {"cpu": "2", "memory": "512Mi"}, "limits": {"memory": "512Mi"}},
    "tablesSize": "64Mi", "nodeSelector": {}, "tolerations": [], "env": {},
}  # fmt: skip


@pytest.mark.nightly
def test_values_of_the_release_before_go_on_in_place_and_helm_says_what_to_do() -> None:
    """Deployments of the same names are replaced pod by pod; others would end before new ones have started."""
    old = {"move": {"replicas": 2, "scaling": "keda"}, "review": {"queues": "review", "scaling": "keda"}}
    assert set(thinkers(old)) == {"think", "move", "review"}
    said = run("install", "brettwerk", str(CHART), "--dry-run=client", "--set-json", f"workers={json.dumps(old)}")
    for pool in old:
        assert f"workers.{pool}: since 0.2.0 all workers do the same work" in said
    assert "since 0.2.0" not in run("install", "brettwerk", str(CHART), "--dry-run=client")


@pytest.mark.nightly
def test_values_that_helm_kept_of_the_release_before_are_enough() -> None:
    """`--reuse-values` brings the old presets, and none of the new ones."""
    made = thinkers({"think": None, "move": OF_0_1_0, "review": OF_0_1_0 | {"queues": "review"}}, "--set", "hpa=null")
    assert set(made) == {"move", "review"}
    assert all("BRETTWERK_WORKER_QUEUES" not in environment(one) for one in made.values())
