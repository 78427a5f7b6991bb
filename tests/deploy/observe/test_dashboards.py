"""The dashboards, and a real Prometheus that reads a running deployment: every query finds what it names."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import promql_parser
import pytest
import yaml
from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from deploy.local.process_specs import STOP_ORDER
from deploy.observe.alerts import ALERTS, rules
from deploy.observe.dashboards import BOARDS, file, text
from deploy.observe.panels import ANNOTATIONS, Board
from deploy.observe.promql import by_process, series
from deploy.observe.words import BOUND, COLOURS
from tests.deploy.observe.system import observed, plain
from tests.deploy.tools import ROOT
from tests.e2e.stranger import eventually

RECORDING = yaml.safe_load((ROOT / "deploy" / "chart" / "files" / "rules" / "recording.yaml").read_text())["groups"][0]["rules"]
RUNBOOKS = ROOT / "docs" / "runbooks"
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
    """All that is asked of Prometheus."""
    boards = [query for board in BOARDS for panel in board.panels for query, _ in (*panel.queries, *panel.bounds)]
    happened = [query for _, _, query, _ in ANNOTATIONS]
    return boards + happened + [rule["expr"] for rule in RECORDING] + [alert.expression for alert in ALERTS]


def named(query: str) -> set[str]:
    """Return the series that a query names."""
    return set(re.findall(r"\b((?:brettwerk[_:]|process_)[\w:]+)", query))


def sources(query: str) -> set[str]:
    """Return the series of processes from which a query's answer is made."""
    recorded = {rule["record"]: rule["expr"] for rule in RECORDING}
    found = named(query) | set(re.findall(r"\bkube_\w+", query))
    made = {source for name in found & recorded.keys() for source in sources(recorded[name])}
    return (found - recorded.keys() | made) - {"brettwerk_build_info"} or found


def written(board: Board) -> Any:
    """Return a dashboard as its file has it."""
    return json.loads(file(board).read_text())


def test_the_files_are_those_of_the_dashboards() -> None:
    for board in BOARDS:
        assert file(board).read_text() == text(board)
    assert {path.stem for path in file(BOARDS[0]).parent.glob("*.json")} == {board.uid for board in BOARDS}


def test_every_panel_is_explained_stands_below_a_heading_and_the_grid_has_no_holes() -> None:
    assert len({board.uid for board in BOARDS}) == len(BOARDS) == 5
    for board in BOARDS:
        panels = written(board)["panels"]
        assert panels[0]["type"] == "row"
        assert len({panel["id"] for panel in panels}) == len(panels)
        assert all(panel["description"] for panel in panels if panel["type"] != "row")
        taken: Counter[tuple[int, int]] = Counter()
        for place in (panel["gridPos"] for panel in panels):
            taken.update((place["x"] + dx, place["y"] + dy) for dx in range(place["w"]) for dy in range(place["h"]))
        assert set(taken.values()) == {1}, board.title
        bottom = max(y for _, y in taken) + 1
        assert taken.keys() == {(x, y) for x in range(24) for y in range(bottom)}, board.title


def test_panels_for_yes_or_no_say_so_and_no_is_red() -> None:
    for board in BOARDS:
        for panel in written(board)["panels"]:
            asks = " ".join(target["expr"] for target in panel.get("targets", ()))
            if re.search(r"(redis|archive)_(up|aof_ok|rewrite_ok)\b", asks):
                shown = panel["fieldConfig"]["defaults"]
                assert shown["mappings"][0]["options"]["0"] == {"text": "no"}
                assert [step["color"] for step in shown["thresholds"]["steps"]] == ["red", "green"]


def test_every_game_and_every_service_has_a_colour_of_its_own_and_has_it_everywhere() -> None:
    games = {path.parent.name for path in (ROOT / "brettwerk_games" / "rules").glob("*/facts.json")}
    # `results` has no series of its own, and `services` those of all.
    services = {name for names in STOP_ORDER for name in names} - {"prometheus", "redis", "results", "services"}
    assert COLOURS["game"].keys() == games
    assert COLOURS["service"].keys() == services
    for label in ("game", "service"):
        assert len({*COLOURS[label].values()} - {BOUND}) == len(COLOURS[label])
    for board in BOARDS:
        for panel in written(board)["panels"]:
            for target in panel.get("targets", ()) if panel["type"] == "timeseries" else ():
                label = "".join(re.findall(r"^{{(game|service)}}", target["legendFormat"]))
                drawn = {
                    override["matcher"]["options"]: change["value"]["fixedColor"]
                    for override in panel["fieldConfig"]["overrides"]
                    for change in override["properties"]
                    if change["id"] == "color"
                }
                wanted = {f"/^{value}( |$)/": colour for value, colour in COLOURS.get(label, {}).items()}
                assert wanted.items() <= drawn.items(), panel["title"]


def test_a_bound_is_a_red_line_on_an_axis_of_its_own() -> None:
    bounded = [(panel, target) for board in BOARDS for panel in written(board)["panels"] for target in panel.get("targets", ())]
    bounded = [(panel, target) for panel, target in bounded if target["legendFormat"].endswith(("limit", ": size"))]
    assert len(bounded) > 4
    for panel, target in bounded:
        legend = re.sub(r"{{\w+}}", "sessions", target["legendFormat"])
        matched = [one for one in panel["fieldConfig"]["overrides"] if re.search(one["matcher"]["options"].strip("/"), legend)]
        changes = {change["id"]: change["value"] for one in matched for change in one["properties"]}
        assert changes["custom.axisPlacement"] == "right", panel["title"]
        assert changes["color"]["fixedColor"] == BOUND


def test_every_alert_leads_to_its_run_book_and_to_a_panel_that_shows_what_it_is_about() -> None:
    shown = {(board.uid, panel.title): panel for board in BOARDS for panel in board.panels}
    ids = {
        (board.uid, panel["title"]): panel["id"]
        for board in BOARDS
        for panel in written(board)["panels"]
        if panel["type"] != "row"
    }
    for alert, rule in zip(ALERTS, rules()["groups"][0]["rules"], strict=True):
        panel = shown[alert.panel]
        asked = " ".join(query for query, _ in (*panel.queries, *panel.bounds))
        assert sources(alert.expression) & sources(asked), alert.name
        links = rule["annotations"]
        assert links["dashboard_url"].startswith(f"/d/{alert.panel[0]}?viewPanel={ids[alert.panel]}&")
        assert (ROOT / links["runbook_url"]).exists()


def test_runbooks_name_panels_that_there_are_and_each_its_own() -> None:
    boards = {board.uid: board.title for board in BOARDS}
    titles = {panel.title for board in BOARDS for panel in board.panels} | set(boards.values())
    others = {"Ready", "Loading", "Status > Targets"}
    for page in RUNBOOKS.glob("*.md"):
        said = set(re.findall(r"(?<!\*)\*([^*`]+)\*(?!\*)", " ".join(page.read_text().split())))
        assert said <= titles | others, page.name
    for alert in ALERTS:
        page_text = " ".join((RUNBOOKS / f"{alert.name}.md").read_text().split())
        assert f"The panel *{alert.panel[1]}* of *{boards[alert.panel[0]]}*." in page_text, alert.name


def lost(written: Any, read: Any, where: str = "") -> Iterator[str]:
    """Yield the parts of a dashboard that are missing or changed after it was read and written again."""
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


OF_PROMETHEUS = re.compile(r"\.annotations\.list\[\d+\]\.(titleFormat|step):")
"""Fields of an annotation for Grafana's Prometheus data source; the schema of dashboards leaves them out."""


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.uid)
def test_grafana_understands_everything_that_a_dashboard_says(board: Board) -> None:
    made = written(board)
    assert [one for one in lost(made, as_grafana_reads_it(made)) if not OF_PROMETHEUS.match(one)] == []


@pytest.mark.parametrize(
    "place", ["fieldConfig.defaults.colour", "options.legend.position", "targets.0.expression", "gridPos.width"]
)
def test_a_field_that_grafana_does_not_know_is_found(place: str) -> None:
    made = written(BOARDS[0])
    *way, name = place.split(".")
    inner = next(panel for panel in made["panels"] if panel["type"] == "timeseries")
    for step in way:
        inner = inner[int(step)] if step.isdigit() else inner[step]
    inner[name] = "x"
    found = [one for one in lost(made, as_grafana_reads_it(made)) if not OF_PROMETHEUS.match(one)]
    assert [one.rpartition(".")[2] for one in found] == [f"{name}: 'x'"]


def test_lines_of_a_panel_have_legends_that_name_only_labels_of_their_query() -> None:
    for board in BOARDS:
        for panel in board.panels:
            legends = [legend for _, legend in (*panel.queries, *panel.bounds)]
            assert len(set(legends)) == len(legends), panel.title
            for query, legend in (*panel.queries, *panel.bounds):
                kept = {
                    name.strip()
                    for names in re.findall(r"(?:sum|max|min|count) by \(([^)]*)\)", query)
                    for name in names.split(",")
                }
                assert set(re.findall(r"{{(\w+)}}", legend)) <= kept, panel.title
                assert legend or panel.kind != "timeseries", panel.title


@pytest.mark.parametrize("query", queries())
def test_a_query_can_be_read(query: str) -> None:
    promql_parser.parse(plain(query))


@pytest.mark.e2e
@pytest.mark.nightly
def test_a_real_prometheus_answers_every_query_of_a_panel_while_games_go_on(tmp_path: Path) -> None:
    with observed(tmp_path) as (deployment, asked):
        wanted = {name for query in queries() for name in named(query)} - RARE
        recorded = {rule["record"] for rule in RECORDING}

        def missing() -> set[str]:
            return wanted - set(asked.get("label/__name__/values"))

        until = time.monotonic() + 120
        while (missing() - EMPTY or asked.unanswered()) and time.monotonic() < until:
            time.sleep(1)
        assert missing() <= EMPTY
        assert asked.unanswered() == []
        assert recorded - EMPTY <= set(asked.get("label/__name__/values"))
        targets = asked.get("targets")["activeTargets"]
        services = {"rules", "session", "ai", "players", "worker", "gateway"}
        assert {one["labels"]["pod"] for one in targets if one["health"] == "up"} == services
        shown = "".join(httpx.get(f"http://{deployment.metrics_address(one)}/metrics", timeout=10).text for one in services)
        assert all(f"# TYPE {name.removesuffix('_total')}" in shown for name in RARE)
        for query in queries():
            asked.values(query)
        named_by_process = asked.get("query", query=plain(by_process(series("process_resident_memory_bytes"))))["result"]
        assert {one["metric"]["pod"] for one in named_by_process} == services - {"worker"}
        eventually(lambda: not [one for one in asked.get("alerts")["alerts"] if one["state"] == "firing"], within_s=20)
