"""Recording rules and alerts: in order, provoked one by one, and each with its page."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from deploy.observe.alerts import ALERTS, FILE, text
from deploy.observe.panels import RUNBOOKS as PAGES
from deploy.observe.panels import link
from tests.deploy.tools import ROOT, prometheus

TESTS = Path(__file__).with_name("alerts.test.yaml")
RUNBOOKS = ROOT / "docs" / "runbooks"


def test_the_rules_file_is_that_of_the_alerts() -> None:
    assert FILE.read_text() == text()


def test_promtool_finds_nothing() -> None:
    files = sorted(map(str, FILE.parent.glob("*.yaml")))
    done = subprocess.run([prometheus("promtool"), "check", "rules", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("looked", ["1m", "15s"])
def test_every_alert_is_provoked_and_silent_while_all_is_well(looked: str, tmp_path: Path) -> None:
    """A Prometheus looks every 15 seconds."""
    written = TESTS.read_text()
    whole = yaml.safe_load(
        written.replace("evaluation_interval: 15s", f"evaluation_interval: {looked}").replace("../../..", str(ROOT))
    )
    asked = whole["tests"]
    wanted = {alert.name for alert in ALERTS}
    silent = {one["alertname"] for test in asked for one in test["alert_rule_test"] if not one["exp_alerts"]}
    provoked = {one["alertname"] for test in asked for one in test["alert_rule_test"] if one["exp_alerts"]}
    assert silent == wanted
    assert provoked == wanted
    tests = tmp_path / TESTS.name
    panels = {alert.name: alert.panel for alert in ALERTS}
    for one in (one for test in asked for one in test["alert_rule_test"]):
        for alert in one["exp_alerts"]:
            namespace = alert["exp_labels"]["namespace"]
            alert["exp_annotations"] |= {
                "runbook_url": f"{PAGES}/{one['alertname']}.md",
                "dashboard_url": f"{link(*panels[one['alertname']])}&var-namespace={namespace}",
            }
    tests.write_text(json.dumps(whole))
    done = subprocess.run([prometheus("promtool"), "test", "rules", str(tests)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_page_with_its_meaning_and_its_remedy() -> None:
    pages = {page.stem: page.read_text() for page in RUNBOOKS.glob("*.md") if page.stem != "README"}
    assert set(pages) == {alert.name for alert in ALERTS}
    for alert in ALERTS:
        page = pages[alert.name]
        assert page.startswith(f"# {alert.name}\n")
        for heading in ("## What players notice", "## Look", "## Do"):
            assert heading in page, alert.name
        assert len(page) > 400


def test_pages_name_only_series_dashboards_and_files_that_there_are() -> None:
    source = (ROOT / "services" / "runtime" / "metrics.py").read_text() + (
        ROOT / "services" / "ai" / "celery_worker" / "exporter.py"
    ).read_text()
    for page in RUNBOOKS.glob("*.md"):
        for series in re.findall(r"`(brettwerk_\w+)`", page.read_text()):
            assert series in source or series.removeprefix("brettwerk_ai_worker_") in ("slots", "busy"), (page.name, series)
        for other in re.findall(r"\]\(([^)#]+\.md)\)", page.read_text()):
            assert (page.parent / other).exists(), (page.name, other)
