"""axe finds nothing on any page, in both themes and both languages."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import LOOKS
from tests.browser.play import new_table_for_two, play_by_mouse
from tests.e2e.stranger import FEWEST_MOVES

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def check(page: Page, where: str) -> None:
    found = findings(page)
    assert not found, f"{where}: " + "\n".join(found)


@pytest.mark.nightly
@LOOKS
def test_pages_to_read_are_accessible(open_page, locale, scheme):
    page = open_page(locale=locale, color_scheme=scheme)
    expect(page.get_by_test_id("play-button")).to_be_visible()
    check(page, "lobby")
    page.get_by_test_id("more-settings").click()
    check(page, "lobby with settings")
    page.goto(page.url + "rules/einstein")
    expect(page.locator("article h1")).to_be_visible()
    check(page, "rules")
    page.goto(page.url.replace("/rules/einstein", "/nowhere"))
    expect(page.get_by_role("main").get_by_role("link")).to_be_visible()
    check(page, "lost")


@LOOKS
def test_a_table_is_accessible_from_its_opening_to_its_end(open_page, locale, scheme):
    page, other = open_page(locale=locale, color_scheme=scheme), open_page(locale=locale)
    path = new_table_for_two(page)
    check(page, "waiting")
    other.goto(page.url.partition("/s/")[0] + path)
    other.get_by_test_id("join-1").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    check(page, "running")
    for _ in range(FEWEST_MOVES):
        play_by_mouse(page)
        play_by_mouse(other)
    check(page, "played")
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    check(page, "finished")


@pytest.mark.nightly
@LOOKS
def test_the_plain_board_is_accessible(open_page, locale, scheme):
    page = open_page(locale=locale, color_scheme=scheme)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.locator("details.settings summary").click()
    page.get_by_test_id("plain-board").check()
    expect(page.locator("[data-mark=candidate]").first).to_be_visible()
    check(page, "plain board")
