"""A deployment with the built web client, and a real Chromium."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from deploy.local import chromium as chromium_here
from deploy.local import web
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.amounts import SHARE
from tests.surroundings import lacking

SLOWER = float(os.environ.get("BRETTWERK_BROWSER_SLOWER", "1"))
"""How many times as slow as this machine pages are: for finding tests that rely on what passes by itself (CONTRIBUTING.md)."""
WAIT_MS = 20_000 * max(1, SLOWER / 2)
"""How long a condition or an element is waited for. Of the programs that share a machine only pages are slowed."""
expect.set_options(timeout=WAIT_MS)
MOTION = "no-preference" if SHARE > 1 else "reduce"
"""Motion takes a quarter of what pages cost: by day they move only where a test is about that, and at night everywhere."""
Opener = Callable[..., Page]


def is_fault(line: ConsoleMessage) -> bool:
    """Tell whether a line of the console says that something is wrong.

    A network that a test has taken away is none, nor a page or a game that is not there: Chromium reports each 404, whatever the
    page does.
    """
    if line.type != "error" or "ERR_INTERNET" in line.text:
        return False
    url = line.location["url"]
    is_asked_for = ".PlayService/GetGame?" in url or url.endswith("/v1/GetSession")
    is_missing = is_asked_for or (line.page is not None and url == line.page.url)
    return not ("status of 404" in line.text and is_missing)


@contextlib.contextmanager
def started_site(folders: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Yield a deployment that serves the web client, and ends with the block."""
    web.build(lambda line: print(line))
    own = {
        "statistics": {"BRETTWERK_RUNS_NICE": "0"},  # others that keep the machine busy are no players here
        "players": {"BRETTWERK_PUZZLE_GAMES": "0"},  # and games of tests make poor puzzles, at half a minute of work each
    }
    with Deployment(data=folders.mktemp("site"), processes=Processes(statistics=True, own_environment=own)) as started:
        yield started


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """The deployment that tests share."""
    with started_site(tmp_path_factory) as started:
        yield started


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, or the one that playwright installed."""
    with sync_playwright() as playwright:
        found = chromium_here.find() or playwright.chromium.executable_path
        if not Path(found).exists():
            lacking("there is no Chromium", "apt install chromium, or .venv/bin/playwright install chromium")
        browser = playwright.chromium.launch(executable_path=found, args=chromium_here.ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, site: Deployment, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Opens pages of people who know nothing of each other; fails when one of them had a script error or a console error.

    They have no service worker, which fetches two hundred files for each of them, unless the test has the mark `service_worker`.
    `settings` are what a player has set before; `play.BY_HAND` for a test that is not about what the page does by itself.
    """
    faults: list[str] = []
    workers = "allow" if request.node.get_closest_marker("service_worker") else "block"
    with contextlib.ExitStack() as undo:

        def open_one(path: str = "/", *, settings: Mapping[str, object] | None = None, **context: object) -> Page:
            if settings is not None:
                kept = [{"name": "brettwerk.settings", "value": json.dumps(settings)}]
                context["storage_state"] = {"origins": [{"origin": f"http://{site.web_address}", "localStorage": kept}]}
            options = {
                "viewport": {"width": 1280, "height": 800},
                "locale": "en-GB",
                "reduced_motion": MOTION,
                "service_workers": workers,
                **context,
            }
            browser_context = chromium.new_context(**options)  # type: ignore[arg-type]
            undo.callback(browser_context.close)
            browser_context.set_default_timeout(WAIT_MS)
            page = browser_context.new_page()
            if SLOWER > 1:
                browser_context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.on("pageerror", lambda error: faults.append(f"{error}"))
            page.on("console", lambda line: faults.append(f"{line.text} {line.location}") if is_fault(line) else None)
            page.goto(f"http://{site.web_address}{path}")
            return page

        yield open_one
    assert not faults, faults
