"""The dashboards, and a real Prometheus that reads a running deployment: every query finds the series that it names."""

import itertools
import json
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx
import promql_parser
import pytest
import yaml
from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from deploy.observe.alerts import ALERTS
from deploy.observe.dashboards import BOARDS, file, text
from deploy.observe.panels import Board
from tests.deploy.tools import ROOT, prometheus
from tests.e2e.stranger import Stranger, computer, eventually, me

RECORDING = yaml.safe_load((ROOT / "deploy" / "chart" / "files" / "rules" / "recording.yaml").read_text())["groups"][0]["rules"]
RARE = {
    "brettwerk_games_left_out",
    "brettwerk_archived_total",
    "brettwerk_clock_expirations_total",
    "brettwerk_ai_fallback_moves_total",
    "brettwerk_rate_limited_total",
    "brettwerk_run_games_total",
    "brettwerk_refusals_total",
}
"""They have no sample before the first time; that they are declared is looked for in what the processes show."""
EMPTY = {"brettwerk:redis_memory:ratio"}
"""Ratios to a limit that is not set have no sample: the deployment's own Redis has none."""


def queries() -> list[str]:
    boards = [query for board in BOARDS for panel in board.panels for query, _ in panel.queries]
    return boards + [rule["expr"] for rule in RECORDING] + [alert.expression for alert in ALERTS]


def plain(query: str) -> str:
    """Return a query without Grafana's variables."""
    return query.replace("$__rate_interval", "1m").replace("$namespace", ".*")


def named(query: str) -> set[str]:
    """Return the series that a query names."""
    return set(re.findall(r"\b((?:brettwerk[_:]|process_)[\w:]+)", query))


def test_the_files_are_those_of_the_dashboards() -> None:
    for board in BOARDS:
        assert file(board).read_text() == text(board)
    assert {path.stem for path in file(BOARDS[0]).parent.glob("*.json")} == {board.uid for board in BOARDS}


def test_panels_have_ids_and_places_of_their_own_and_an_explanation() -> None:
    assert len({board.uid for board in BOARDS}) == len(BOARDS) == 5
    for board in BOARDS:
        panels: list[dict[str, Any]] = json.loads(text(board))["panels"]
        assert len({panel["id"] for panel in panels}) == len(panels)
        taken = [
            {(panel["gridPos"]["x"] + dx, panel["gridPos"]["y"] + dy) for dx in range(panel["gridPos"]["w"]) for dy in range(8)}
            for panel in panels
        ]
        assert all(not one & other for one, other in itertools.combinations(taken, 2)), board.title
        assert all(panel["description"] and panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24 for panel in panels)


def test_what_is_yes_or_no_is_said_so_and_no_is_red() -> None:
    for board in BOARDS:
        for panel in json.loads(text(board))["panels"]:
            asks = " ".join(target["expr"] for target in panel["targets"])
            shown = panel["fieldConfig"]["defaults"]
            is_truth = bool(re.search(r"(redis|archive)_(up|aof_ok)\b", asks))
            assert bool(shown["mappings"]) == is_truth, panel["title"]
            assert (shown["thresholds"]["steps"][0]["color"] == "red") == is_truth


def test_a_panel_without_samples_says_0_and_one_that_says_yes_or_no_stays_empty() -> None:
    """Nothing has happened: that is 0. Whether something is up is not known without a sample, and `no` would be a lie."""
    for board in BOARDS:
        for panel in json.loads(file(board).read_text())["panels"]:
            defaults = panel["fieldConfig"]["defaults"]
            assert defaults.get("noValue") == (None if defaults["mappings"] else "0"), panel["title"]


def lost(written: Any, read: Any, where: str = "") -> Iterator[str]:
    """What of a dashboard is not there any more, or another, after it was read and written again."""
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in written.items():
            yield from lost(value, read.get(name, ...), f"{where}.{name}")
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for number, (one, other) in enumerate(zip(written, read, strict=True)):
            yield from lost(one, other, f"{where}[{number}]")
    elif written != read:
        yield f"{where}: {written!r}"


def as_grafana_reads_it(board: Any) -> Any:
    """A dashboard by the types that are generated from Grafana's schema; these drop what they don't know."""
    plugins.register_default_plugins()
    return json.loads(JSONEncoder().encode(Dashboard.from_json(board)))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.uid)
def test_grafana_understands_everything_that_a_dashboard_says(board: Board) -> None:
    written = json.loads(text(board))
    assert list(lost(written, as_grafana_reads_it(written))) == []


@pytest.mark.parametrize(
    "place", ["fieldConfig.defaults.colour", "options.legend.position", "targets.0.expression", "gridPos.width"]
)
def test_a_field_that_grafana_does_not_know_is_found(place: str) -> None:
    written = json.loads(text(BOARDS[0]))
    *way, name = place.split(".")
    inner = next(panel for panel in written["panels"] if panel["type"] == "timeseries")
    for step in way:
        inner = inner[int(step)] if step.isdigit() else inner[step]
    inner[name] = "x"
    assert [one.rpartition(".")[2] for one in lost(written, as_grafana_reads_it(written))] == [f"{name}: 'x'"]


def test_lines_of_a_panel_have_legends_that_name_only_labels_of_their_query() -> None:
    for board in BOARDS:
        for panel in board.panels:
            legends = [legend for _, legend in panel.queries]
            assert len(set(legends)) == len(legends), panel.title
            for query, legend in panel.queries:
                kept = re.findall(r"(?:sum|max|min|count) by \(([^)]*)\)", query)
                assert set(re.findall(r"{{(\w+)}}", legend)) <= {name.strip() for names in kept for name in names.split(",")}, (
                    panel.title
                )
                assert legend or panel.kind == "stat", panel.title


@pytest.mark.parametrize("query", queries())
def test_a_query_can_be_read(query: str) -> None:
    promql_parser.parse(plain(query))


@pytest.mark.e2e
@pytest.mark.nightly
def test_a_real_prometheus_finds_in_a_deployment_every_series_that_a_query_names(tmp_path: Any) -> None:
    prometheus("prometheus")
    with Deployment(data=tmp_path / "deployment", processes=Processes(web=False, observe=True)) as deployment:
        ada = Stranger(deployment.grpc_address, "Ada")
        session, seats = ada.create(me(), computer())
        ada.play(session.id, seats[0])

        def ask(path: str, **arguments: str) -> Any:
            return httpx.get(f"http://{deployment.prometheus_address}/api/v1/{path}", params=arguments, timeout=10).json()["data"]

        wanted = {series for query in queries() for series in named(query)} - RARE
        recorded = {rule["record"] for rule in RECORDING}

        def missing() -> set[str]:
            return wanted - set(ask("label/__name__/values"))

        until = time.monotonic() + 60
        while missing() - EMPTY and time.monotonic() < until:
            time.sleep(0.5)
        assert missing() <= EMPTY
        assert recorded - EMPTY <= set(ask("label/__name__/values"))
        targets = ask("targets")["activeTargets"]
        assert {one["labels"]["job"] for one in targets if one["health"] == "up"} == {
            "rules",
            "session",
            "ai",
            "players",
            "worker",
            "gateway",
        }
        shown = "".join(
            httpx.get(f"http://{deployment.metrics_address(service)}/metrics", timeout=10).text
            for service in ("rules", "session", "ai", "players", "worker", "gateway")
        )
        assert all(f"# TYPE {series.removesuffix('_total')}" in shown for series in RARE)
        for query in queries():
            answer = httpx.get(
                f"http://{deployment.prometheus_address}/api/v1/query", params={"query": plain(query)}, timeout=10
            ).json()
            assert answer["status"] == "success", (query, answer)
        eventually(lambda: not [one for one in ask("alerts")["alerts"] if one["state"] == "firing"], within_s=20)
        ada.close()
