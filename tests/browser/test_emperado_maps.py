"""EMPERADO on another map than the usual world: it is chosen at the table, drawn, and played on."""

import pytest
from playwright.sync_api import Page, expect

from brettwerk_games.rules.emperado.maps import WORLDS
from tests.browser.axe import findings

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

ISLANDS = WORLDS["five_islands"]
SCREENS = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}


def begin(page: Page) -> None:
    """Begin a game of two on the islands, against a computer."""
    page.get_by_test_id("game-emperado").check(force=True)
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("seat-count").select_option("2")
    page.get_by_test_id("wish-1").select_option("computer")
    field = page.get_by_test_id("option-map").locator("select")
    field.evaluate("(field) => { for (let at = field; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true }")
    field.select_option("five_islands")
    page.get_by_test_id("play-button").click()


@pytest.mark.parametrize("screen", SCREENS)
def test_another_map_is_drawn_and_played_on(open_page, screen):
    page = open_page(viewport=SCREENS[screen])
    begin(page)
    countries = page.get_by_test_id("map").locator("g.place")
    expect(countries).to_have_count(ISLANDS.count)
    own = page.locator("g.place[data-mark]").first
    expect(own).to_be_visible()
    before = own.get_attribute("aria-label")
    own.click()
    page.get_by_test_id("calls").get_by_role("button").last.click()
    expect(page.get_by_test_id("calls")).to_contain_text("Done")
    assert page.get_by_test_id(own.get_attribute("data-testid") or "").get_attribute("aria-label") != before
    assert findings(page) == []
