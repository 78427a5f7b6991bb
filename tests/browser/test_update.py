"""Pages that are open while another build takes the place of theirs, or while nothing can be fetched."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from tests.browser.play import look_again
from tests.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

HASHED = re.compile(r"-([\w-]{8})(?=\.\w+$)")


def _turned(found: re.Match[str]) -> str:
    return f"-{found[1][::-1]}"


class Updated:
    """A gateway beside the site's own that serves a copy of the web client, which an update replaces."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.address = address

    def update(self) -> None:
        """Put another build in the place of the one that is there: the same client, with other names of its files."""
        compressed = [path for path in self.folder.rglob("*") if path.suffix in (".br", ".gz")]
        for path in compressed:
            path.unlink()
        names = {path.name: HASHED.sub(_turned, path.name) for path in (self.folder / "assets").iterdir()}
        pattern = re.compile("|".join(map(re.escape, names)))
        for path in sorted(self.folder.rglob("*"), key=lambda path: path.name == "index.html"):
            if path.suffix in (".js", ".css", ".html", ".json"):
                path.write_text(pattern.sub(lambda found: names[found[0]], path.read_text()))
            if path.name in names:
                path.rename(path.with_name(names[path.name]))


@pytest.fixture
def updated(site: Deployment, tmp_path: Path) -> Iterator[Updated]:
    folder = tmp_path / "client"
    shutil.copytree(web.BUILT, folder)
    address = f"127.0.0.1:{free_port()}"
    environment = site.environment | {
        "BRETTWERK_HTTP_LISTEN": address,
        "BRETTWERK_GATEWAY_LISTEN": f"127.0.0.1:{free_port()}",
        "BRETTWERK_METRICS_LISTEN": f"127.0.0.1:{free_port()}",
        "BRETTWERK_HEALTH_LISTEN": "",
        "BRETTWERK_WEB_FOLDER": str(folder),
    }
    process = subprocess.Popen([sys.executable, "-m", "gateway"], env=os.environ | environment, stderr=subprocess.DEVNULL)
    try:
        yield Updated(folder, address)
    finally:
        process.terminate()
        process.wait()


def visit(page: Page, updated: Updated) -> None:
    """Open the first page once the gateway serves it, and mark the page, so that a reload is seen."""
    page.goto(f"http://{updated.address}/", wait_until="commit") if is_served(page, updated) else pytest.fail("no gateway")
    expect(page.get_by_test_id("play-button")).to_be_enabled()
    page.evaluate("window.isTheSame = true")


def is_served(page: Page, updated: Updated) -> bool:
    for _ in range(200):
        with contextlib.suppress(Exception):
            if page.request.get(f"http://{updated.address}/v1/health").ok:
                return True
        look_again(page)
    return False


def is_the_same(page: Page) -> bool:
    return bool(page.evaluate("window.isTheSame === true"))


def test_a_page_that_an_update_has_taken_away_comes_after_one_reload(chromium, updated):
    with contextlib.closing(chromium.new_context(locale="en-GB", service_workers="block")) as context:
        page = context.new_page()
        visit(page, updated)
        updated.update()
        page.get_by_role("link", name="Tournaments").first.click()
        expect(page.get_by_role("heading", name="Tournaments").first).to_be_visible()
        assert not is_the_same(page)
        assert page.url.endswith("/tournaments")
        page.go_back()
        expect(page.get_by_test_id("play-button")).to_be_enabled()


@pytest.mark.nightly
def test_with_a_service_worker_the_page_of_the_old_build_comes_without_a_reload(chromium, updated):
    with contextlib.closing(chromium.new_context(locale="en-GB")) as context:
        page = context.new_page()
        visit(page, updated)
        page.evaluate("""async () => {
            await navigator.serviceWorker.register("/service-worker.js");
            await navigator.serviceWorker.ready;
            while (navigator.serviceWorker.controller === null) await new Promise((done) => setTimeout(done, 50));
        }""")
        updated.update()
        page.get_by_role("link", name="Tournaments").first.click()
        expect(page.get_by_role("heading", name="Tournaments").first).to_be_visible()
        assert is_the_same(page)


def test_a_page_that_does_not_come_after_a_reload_either_says_so_and_offers_another_one(chromium, site):
    with contextlib.closing(chromium.new_context(locale="de-DE", service_workers="block")) as context:
        page = context.new_page()
        page.goto(f"http://{site.web_address}/")
        expect(page.get_by_test_id("play-button")).to_be_enabled()
        loads: list[Page] = []
        page.on("load", lambda loaded: loads.append(loaded))
        context.route("**/assets/TournamentsPage-*.js", lambda route: route.fulfill(status=404, body="There is no such file."))
        page.get_by_role("link", name="Turniere").first.click()
        expect(page.get_by_test_id("missing-files")).to_contain_text("konnte nicht geladen werden")
        assert len(loads) == 1
        context.unroute("**/assets/TournamentsPage-*.js")
        page.get_by_test_id("reload").click()
        expect(page.get_by_role("heading", name="Turniere").first).to_be_visible()
        expect(page.get_by_test_id("reload")).to_be_hidden()


@pytest.mark.nightly
def test_a_part_of_a_table_that_does_not_come_says_so_and_leaves_the_game_alone(chromium, site):
    with contextlib.closing(chromium.new_context(locale="en-GB", service_workers="block")) as context:
        page = context.new_page()
        page.goto(f"http://{site.web_address}/")
        page.get_by_test_id("play-button").click()
        expect(page.get_by_test_id("board")).to_be_visible()
        page.evaluate("window.isTheSame = true")
        context.route("**/assets/SettingsDialog-*.js", lambda route: route.fulfill(status=404, body=""))
        page.get_by_test_id("open-settings").click()
        expect(page.get_by_test_id("missing-files")).to_contain_text("could not be loaded")
        assert is_the_same(page)
        expect(page.get_by_test_id("board")).to_be_visible()
