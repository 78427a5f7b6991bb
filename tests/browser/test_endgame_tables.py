"""Operators have large endgame tables built and deleted: size and time are said before, and then how far it is."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from deploy.local import web
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.brettwerk_games.players.einstein.conftest import needs_compiler
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import LOOKS, SCREENS
from tests.browser.test_operator import overflow
from tests.e2e.stranger import eventually
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser, needs_compiler]
LONG_MS = 120_000
"""Others may keep the machine busy."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, tables: Path) -> Iterator[Deployment]:
    """A deployment with tables of its own, whose workers rest."""
    web.build(lambda line: print(line))
    own = {"BRETTWERK_TABLES_FOLDER": str(tables), "BRETTWERK_WORKER_IDLE_S": "1"}
    with Deployment(data=tmp_path_factory.mktemp("site"), processes=Processes(on_demand=True), environment=own) as started:
        yield started


@LOOKS
@pytest.mark.parametrize("screen", by_day(SCREENS, "android"))
def test_an_operator_has_large_tables_built_and_deleted(
    open_page: Opener, site: Deployment, tables: Path, locale: str, scheme: str, screen: str
) -> None:
    key = site.environment["BRETTWERK_OPERATOR_KEY"]
    page = open_page(f"/operator#{key}", locale=locale, color_scheme=scheme, **SCREENS[screen].context)
    part = page.get_by_test_id("endgame-tables")
    summary = part.locator("summary")
    expect(summary).to_be_visible(timeout=LONG_MS)
    summary.focus()
    page.keyboard.press("Enter")
    build = part.get_by_test_id("tables-build-5")
    expect(build).to_contain_text(re.compile(r"1[.,]1\sGB"), timeout=LONG_MS)
    expect(part.get_by_test_id("machine-tables")).to_have_count(1)
    expect(part.get_by_test_id("tables-delete")).to_have_count(0)
    eventually(lambda: (tables / "einstein-4.table").exists(), within_s=LONG_MS / 1000)
    build.focus()
    page.keyboard.press("Enter")
    expect(part.get_by_test_id("tables-building")).to_contain_text(re.compile(r": 5 (stones|Steine), \d+\s%"), timeout=LONG_MS)
    expect(part.get_by_role("progressbar")).to_be_visible()
    assert findings(page) == []
    assert overflow(page) <= 0
    part.get_by_test_id("tables-delete").click()
    expect(part.get_by_test_id("tables-building")).to_have_count(0, timeout=LONG_MS)
    expect(part.get_by_test_id("tables-delete")).to_have_count(0, timeout=LONG_MS)
    expect(part.get_by_test_id("tables-fault")).to_have_count(0)
    eventually(lambda: not any(tables.glob("einstein-5.*")), within_s=LONG_MS / 1000)
    assert sorted(one.name for one in tables.glob("*.table")) == [f"einstein-{stones}.table" for stones in (2, 3, 4)]
