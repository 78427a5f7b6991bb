"""Operators' pages: those of a real Grafana, from a real Prometheus that reads a deployment in which people play.

There is one Grafana that could be had for this, version 7.5.5; with newer ones the same is only known of the form of the files
(test_dashboards.py).
"""

from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from deploy.local import chromium
from deploy.observe.dashboards import BOARDS
from deploy.observe.panels import ANNOTATIONS
from tests.deploy.observe import grafana
from tests.deploy.observe.system import observed
from tests.e2e.stranger import eventually
from tests.surroundings import lacking

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly, pytest.mark.timeout(900)]


def test_every_page_shows_what_it_promises_while_games_go_on_and_processes_die(tmp_path: Path) -> None:
    grafana.home()
    happened = {name: query for name, _, query, _ in ANNOTATIONS}
    with (
        observed(tmp_path) as (deployment, asked),
        grafana.Grafana(tmp_path / "grafana", deployment.prometheus_address) as shown,
        sync_playwright() as playwright,
    ):
        found = chromium.find() or playwright.chromium.executable_path
        if not Path(found).exists():
            lacking("there is no Chromium", "apt install chromium, or .venv/bin/playwright install chromium")
        browser = playwright.chromium.launch(executable_path=found, args=chromium.ARGUMENTS)

        def has_answer(query: str) -> bool:
            return asked.values(query) != []

        def look() -> None:
            eventually(lambda: asked.unanswered() == [], within_s=180)
            for board in BOARDS:
                seen = shown.look(browser, board)
                assert list(seen.errors) == [], board.title
                assert set(seen.empty) <= {panel.title for panel in board.panels if panel.needs}, board.title

        look()
        for process in ("worker", "session", "redis"):
            deployment.kill(process)
            deployment.wait(process)
        for query in (happened["Restarts"], happened["Fail-overs of stores"]):
            eventually(partial(has_answer, query), within_s=60)
        look()
        browser.close()
