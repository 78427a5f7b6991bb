"""Measures to scale workers by: the chart's own expressions, evaluated by promtool and asked of a Prometheus that reads a
deployment."""

import functools
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import promql_parser
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.deploy.chart.rendering import CHART, TRIED, Thing, of, rendered, run, things
from tests.deploy.observe.keda import wanted
from tests.deploy.observe.promtool import RULES, evaluated
from tests.deploy.tools import ROOT, prometheus
from tests.night import examples

ALL = "x200"
"""As many values as promtool needs."""


TWO_POOLS: dict[str, dict[str, Any]] = {"think": {"scaling": "keda", "processes": 2, "max": 500}, "large": {"processes": 8}}


def scaled_objects(pools: Mapping[str, Mapping[str, Any]]) -> dict[str, Thing]:
    """Return what the chart makes for pools of workers that KEDA scales, by the pools' names."""
    return {str(one["metadata"]["name"]).removeprefix("brettwerk-worker-"): one for one in _made(json.dumps(pools))}


@functools.cache
def _made(pools: str) -> list[Thing]:
    values = [f"workers={pools}", 'keda={"trigger":"prometheus","selector":"namespace=\\"local\\""}']
    return of("ScaledObject", things(run("template", "brettwerk", str(CHART), *(word for value in values for word in ("--set-json", value)))))  # fmt: skip # noqa: E501


def scaled_object(**values: Any) -> Thing:
    """Return what the chart makes for its one pool, with other values of it."""
    return scaled_objects({"think": {"scaling": "keda", **values}})["think"]


def queries(scaled: Thing) -> list[str]:
    """The load, and how long a person waits."""
    return [trigger["metadata"]["query"] for trigger in scaled["spec"]["triggers"]]


def deployment(
    *, wanted: Mapping[str, float], backlog: float = 0, slots: float, person: float | None = None, processes: int = 2
) -> dict[str, str]:
    """Return what a deployment shows: so many seconds wanted a second by each class, by several processes of the AI service."""
    series: dict[str, str] = {}
    for number in range(processes):
        where = f'namespace="local",instance="{number}"'
        series |= {
            f'brettwerk_ai_wanted_seconds_total{{{where},class="{who}"}}': f"0+{5 * rate / processes}{ALL}"
            for who, rate in wanted.items()
        }
        series[f"brettwerk_ai_backlog_seconds{{{where}}}"] = f"{backlog}{ALL}"
        series[f"brettwerk_ai_slots{{{where}}}"] = f"{slots}{ALL}"
        if person is not None:
            series[f'brettwerk_ai_oldest_wait_seconds{{{where},class="person"}}'] = f"{person}{ALL}"
        series[f'brettwerk_ai_oldest_wait_seconds{{{where},class="nobody"}}'] = f"900{ALL}"
    # Another deployment in the same Prometheus is no concern of this one's.
    series['brettwerk_ai_wanted_seconds_total{namespace="other",class="person"}'] = f"0+5000{ALL}"
    series['brettwerk_ai_backlog_seconds{namespace="other"}'] = f"9000{ALL}"
    series['brettwerk_ai_slots{namespace="other"}'] = f"900{ALL}"
    return series


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("shown", "load", "wait"),
    [
        (deployment(wanted={}, slots=4), 0, 0),
        (deployment(wanted={"person": 2, "nobody": 0.8}, slots=4, person=0.3), 0.7, 0.3),
        (deployment(wanted={"person": 2}, slots=4, person=0.3, processes=1), 0.5, 0.3),
        (deployment(wanted={"person": 4}, backlog=240, slots=4, person=7), 3, 7),
        (deployment(wanted={"person": 1}, backlog=60, slots=0, person=20), 3, 20),
        (deployment(wanted={"nobody": 3}, backlog=600, slots=4), 5.75, 0),
    ],
    ids=["nothing is wanted", "enough workers", "one AI service", "too few workers", "no workers", "nobody waits"],
)
def test_load_is_demand_and_backlog_by_the_capacity_of_workers(
    tmp_path: Path, shown: dict[str, str], load: float, wait: float
) -> None:
    asked, waited = queries(scaled_object())
    assert evaluated(tmp_path, shown, asked) == pytest.approx([load])
    assert evaluated(tmp_path, shown, waited) == pytest.approx([wait])


@pytest.mark.nightly
def test_without_an_ai_service_nothing_is_said_and_the_pods_stay(tmp_path: Path) -> None:
    scaled = scaled_object()
    assert evaluated(tmp_path, {'brettwerk_ai_slots{namespace="other"}': f"4{ALL}"}, queries(scaled)[0]) == []
    assert scaled["spec"]["triggers"][0]["metadata"]["ignoreNullValues"] == "false"
    assert wanted(scaled, lambda query: [] if query == queries(scaled)[0] else [0.0], replicas=4) == 4


@pytest.mark.nightly
@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rates=some.dictionaries(some.sampled_from(["person", "hint", "watcher", "nobody"]), some.integers(0, 1000), max_size=4),
    backlog=some.integers(0, 100_000),
    slots=some.integers(0, 500),
)
def test_the_recorded_load_is_that_by_which_keda_scales(tmp_path: Path, rates: dict[str, int], backlog: int, slots: int) -> None:
    """Alerts, dashboards and an adapter for the HPA look at the recorded one."""
    shown = deployment(wanted=rates, backlog=backlog, slots=slots)
    expected = [(sum(rates.values()) + backlog / 30) / max(slots, 1)]
    assert evaluated(tmp_path, shown, queries(scaled_object())[0]) == pytest.approx(expected, rel=1e-3, abs=1e-6)
    recorded = evaluated(tmp_path, shown, 'brettwerk:ai_load:ratio{namespace="local"}')
    assert recorded == pytest.approx(expected, rel=1e-3, abs=1e-6)


@pytest.mark.nightly
def test_a_pool_with_time_lets_wait_for_longer(tmp_path: Path) -> None:
    shown = deployment(wanted={"nobody": 2}, backlog=600, slots=4)
    (asked, _), (unhurried, _) = queries(scaled_object()), queries(scaled_object(clearWithin=300))
    assert evaluated(tmp_path, shown, asked) == pytest.approx([5.5])
    assert evaluated(tmp_path, shown, unhurried) == pytest.approx([1])


def answers(*figures: float) -> Callable[[str], list[float]]:
    """Return something to ask that gives these figures, one a query."""
    left = list(figures)
    return lambda _: [left.pop(0)]


def test_more_pods_are_wanted_when_work_waits_and_fewer_when_it_is_done() -> None:
    scaled = scaled_object(processes=2, busyShare=0.7, oldestWait=1, replicas=2, max=20)
    assert wanted(scaled, answers(0, 0), replicas=5) == 2
    assert wanted(scaled, answers(0.7, 0.2), replicas=6) == 6
    assert wanted(scaled, answers(2.1, 0.2), replicas=2) == 6
    assert wanted(scaled, answers(0.7, 3), replicas=2) == 6
    assert wanted(scaled, answers(50, 60), replicas=8) == 20


@pytest.mark.nightly
@settings(max_examples=examples(50), deadline=None)
@given(rate=some.floats(0.5, 200), first=some.integers(1, 300))
def test_pods_settle_where_their_busy_share_is_and_stay_there(rate: float, first: int) -> None:
    """Two pools of unlike pods, which grow and shrink in proportion: together they come to what is wanted."""
    objects = scaled_objects(TWO_POOLS)
    processes = {"think": 2, "large": 8}

    def slots(replicas: dict[str, int]) -> int:
        return sum(processes[pool] * count for pool, count in replicas.items())

    def next_of(replicas: dict[str, int]) -> dict[str, int]:
        load = rate / slots(replicas)
        return {pool: wanted(objects[pool], answers(load, 0), count) for pool, count in replicas.items()}

    replicas = {"think": first, "large": 1}
    for _ in range(30):
        replicas = next_of(replicas)
    assert next_of(replicas) == replicas
    assert rate / slots(replicas) <= 0.7 * 1.1 + 0.001
    assert slots(replicas) <= rate / 0.7 / 0.9 + sum(processes.values())


def test_workers_are_not_scaled_to_zero_unless_that_is_asked_for() -> None:
    for example in TRIED:
        made = things(rendered(example))
        assert all(one["spec"]["minReplicaCount"] >= 1 for one in of("ScaledObject", made))
        assert all(one["spec"]["minReplicas"] >= 1 for one in of("HorizontalPodAutoscaler", made))
    for scaling in ("none", "hpa"):
        with pytest.raises(AssertionError, match=r"workers\.think\.replicas: 0 needs workers\.think\.scaling: keda"):
            scaled_object(replicas=0, scaling=scaling)


@pytest.mark.nightly
def test_the_last_pod_goes_when_nothing_is_wanted_and_the_first_comes_as_soon_as_anything_is() -> None:
    scaled = scaled_object(replicas=0, max=20)
    assert scaled["spec"]["minReplicaCount"] == 0
    assert wanted(scaled, answers(0, 0), replicas=3) == 0
    assert wanted(scaled, answers(0, 0), replicas=0) == 0
    assert wanted(scaled, answers(0.01, 0), replicas=0) == 1
    assert wanted(scaled, answers(0, 0.2), replicas=0) == 1
    assert wanted(scaled, answers(7, 0, 7, 0), replicas=1) == 10, "from one on by the formula"
    assert wanted(scaled, answers(0.1, 0, 0.1, 0), replicas=2) == 1
    assert wanted(scaled, lambda _: [], replicas=2) == 2, "without an answer the pods that there are stay"


def test_an_hpa_asks_an_adapter_for_what_is_recorded() -> None:
    """Its two series are those that the rules of deploy/observe/adapter.yaml give to the adapter."""
    made = things(rendered(CHART / "examples" / "given-certificates.yaml"))
    (scaler,) = (one for one in of("HorizontalPodAutoscaler", made) if "-worker-" in one["metadata"]["name"])
    asked = {one["external"]["metric"]["name"]: one["external"] for one in scaler["spec"]["metrics"] if one["type"] == "External"}
    adapter = yaml.safe_load((ROOT / "deploy" / "observe" / "adapter.yaml").read_text())["externalRules"]
    assert {one["name"]["as"] for one in adapter} == set(asked)
    recorded = {rule["record"] for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]}
    assert asked["brettwerk_ai_load"]["target"] == {"type": "Value", "value": "0.7"}
    for rule in adapter:
        promql_parser.parse(rule["metricsQuery"].replace("<<.Series>>", "a").replace("<<.LabelMatchers>>", 'namespace="g"'))
        named = rule["seriesQuery"].partition("{")[0]
        assert named in recorded | {"brettwerk_ai_oldest_wait_seconds"}


@pytest.mark.e2e
@pytest.mark.nightly
def test_the_number_of_worker_pods_rises_under_load_and_falls_after_it(tmp_path: Path) -> None:
    """Its players sleep for the time that they are granted, so that a busy machine has little to do with it."""
    prometheus("prometheus")
    scaled = scaled_object(processes=1, replicas=1, max=20)
    asleep = "loadtests.computers.sleeping_worker"
    with Deployment(data=tmp_path, processes=Processes(web=False, observe=True, workers=1, worker_program=asleep)) as deployment:

        def ask(query: str) -> list[float]:
            answer = httpx.get(f"http://{deployment.prometheus_address}/api/v1/query", params={"query": query}, timeout=10).json()
            return [float(one["value"][1]) for one in answer["data"]["result"]]

        def until(condition: Callable[[], bool], what: str) -> None:
            end = time.monotonic() + 120
            while not condition():
                assert time.monotonic() < end, f"{what}: {[ask(query) for query in queries(scaled)]}"
                time.sleep(0.5)

        until(lambda: all(ask(query) for query in queries(scaled)), "the queries have no answer")
        assert wanted(scaled, ask, replicas=1) == 1
        load = [
            sys.executable,
            "-m",
            "loadtests.crowd",
            "--grpc",
            deployment.grpc_address,
            "--web",
            deployment.web_address,
            "--quiet",
        ]
        load += ["--people", "0", "--solos", "16", "--think", "0.1", "--seconds", "90"]
        with (tmp_path / "load.log").open("w") as log:
            crowd = subprocess.Popen(load, cwd=ROOT, stdout=log, stderr=log)
        try:
            until(lambda: wanted(scaled, ask, replicas=1) >= 4, "it never rose")
        finally:
            crowd.terminate()
            crowd.wait()
        until(lambda: wanted(scaled, ask, replicas=4) == 1, "it never fell")
