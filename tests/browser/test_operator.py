"""The page for operators: nothing without their key, everything with it, on every screen, in both languages and colours."""

import pytest
from playwright.sync_api import Page, expect

from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import LOOKS, SCREENS
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


@pytest.fixture
def key(site: Deployment) -> str:
    return site.environment["BRETTWERK_OPERATOR_KEY"]


def overflow(page: Page) -> int:
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide


@LOOKS
@pytest.mark.parametrize("screen", by_day(SCREENS, "full-hd", "android"))
def test_the_launchers_link_shows_every_process_and_leaves_no_key_in_the_address(
    open_page: Opener, key: str, locale: str, scheme: str, screen: str
) -> None:
    page = open_page(f"/operator#{key}", locale=locale, color_scheme=scheme, **SCREENS[screen].context)
    processes = page.get_by_test_id("process")
    expect(processes).to_have_count(7)
    for service in ("ai", "gateway", "players", "rules", "session", "worker", "statistics"):
        expect(processes.filter(has_text=f"{service} ").first).to_be_visible()
    expect(page.get_by_test_id("figure")).to_have_count(10)
    assert key not in page.url
    assert page.url.endswith("/operator")
    assert overflow(page) <= 0
    assert findings(page) == []
    page.reload()
    expect(processes).to_have_count(7)


def test_a_key_can_be_typed_and_forgotten(open_page: Opener, key: str) -> None:
    page = open_page("/operator")
    expect(page.get_by_test_id("figure")).to_have_count(0)
    page.get_by_label("Operator's key").fill(key)
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_test_id("figure")).to_have_count(10)
    page.get_by_role("button", name="Forget the key").click()
    expect(page.get_by_label("Operator's key")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Operator's key")).to_be_visible()
    expect(page.get_by_test_id("figure")).to_have_count(0)


def test_a_wrong_key_shows_nothing(open_page: Opener) -> None:
    page = open_page(f"/operator#{'x' * 40}")
    expect(page.get_by_test_id("operator-wrong")).to_be_visible()
    expect(page.get_by_test_id("figure")).to_have_count(0)
    assert page.evaluate("sessionStorage.getItem('brettwerk.operator')") is None
    assert findings(page) == []
