"""The chart's own queries for KEDA, asked of a real Prometheus that reads a house under load."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import promql_parser
import pytest
import yaml

from deploy.local.house import House
from tests.deploy.chart.rendering import CHART, of, run
from tests.deploy.observe.keda import wanted
from tests.deploy.tools import ROOT, prometheus


def scaled_object(pool: str, **values: Any) -> dict[str, Any]:
    """Return what the chart makes for a pool of workers, with other values of it."""
    settings = {"workers": {pool: {"scaling": "keda", **values}}, "keda": {"selector": 'namespace="local"'}}
    made = list(yaml.safe_load_all(run("template", "brettwerk", str(CHART), "--set-json", f"workers={json.dumps(settings['workers'])}", "--set-json", f"keda={json.dumps(settings['keda'])}")))  # fmt: skip # noqa: E501
    (found,) = (one for one in of("ScaledObject", [one for one in made if one]) if one["metadata"]["name"].endswith(pool))
    return dict(found)


def queries(scaled: dict[str, Any]) -> list[str]:
    return [trigger["metadata"]["query"] for trigger in scaled["spec"]["triggers"]]


@pytest.mark.parametrize("queues", ["move", "review", "move,review"])
def test_a_query_names_each_queue_of_a_pool(queues: str) -> None:
    for query in queries(scaled_object("move", queues=queues)):
        promql_parser.parse(query)
        assert f'queue=~"{queues.replace(",", "|")}"' in query


def answers(*figures: float) -> Callable[[str], list[float]]:
    """Return something to ask that gives these figures, one a query."""
    left = list(figures)
    return lambda _: [left.pop(0)]


def test_more_pods_are_wanted_when_work_waits_and_fewer_when_it_is_done() -> None:
    scaled = scaled_object("move", processes=2, busyShare=0.7, oldestWait=1, replicas=2, max=20)
    assert wanted(scaled, answers(0, 0), replicas=5) == 2
    assert wanted(scaled, answers(2.8, 0.2), replicas=2) == 2
    assert wanted(scaled, answers(14, 0.2), replicas=2) == 10
    assert wanted(scaled, answers(2.8, 3), replicas=2) == 6
    assert wanted(scaled, answers(500, 60), replicas=8) == 20
    assert wanted(scaled, lambda _: [], replicas=4) == 2


@pytest.mark.e2e
@pytest.mark.parametrize("queues", ["move", "move,review"])
def test_the_number_of_worker_pods_rises_under_load_and_falls_after_it(tmp_path: Path, queues: str) -> None:
    prometheus("prometheus")
    scaled = scaled_object("move", queues=queues, processes=1, replicas=1, max=20)
    with House(data=tmp_path, web=False, observe=True, workers=1, environment={"BRETTWERK_WORKER_QUEUES": queues}) as house:

        def ask(query: str) -> list[float]:
            answer = httpx.get(f"http://{house.prometheus_address}/api/v1/query", params={"query": query}, timeout=10).json()
            return [float(one["value"][1]) for one in answer["data"]["result"]]

        def until(condition: Callable[[], bool], what: str) -> None:
            end = time.monotonic() + 120
            while not condition():
                assert time.monotonic() < end, f"{what}: {[ask(query) for query in queries(scaled)]}"
                time.sleep(0.5)

        until(lambda: all(ask(query) for query in queries(scaled)), "the queries have no answer")
        assert wanted(scaled, ask, replicas=1) == 1
        load = [sys.executable, "-m", "loadtests.crowd", "--grpc", house.grpc_address, "--web", house.web_address, "--quiet"]
        load += ["--people", "0", "--solos", "16", "--think", "0.1", "--seconds", "90"]
        with (tmp_path / "load.log").open("w") as log:
            crowd = subprocess.Popen(load, cwd=ROOT, stdout=log, stderr=log)
        try:
            until(lambda: wanted(scaled, ask, replicas=1) >= 4, "it never rose")
        finally:
            crowd.terminate()
            crowd.wait()
        until(lambda: wanted(scaled, ask, replicas=4) == 1, "it never fell")
