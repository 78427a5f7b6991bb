"""The browser's Back button: it closes what lies over the page, and leads from page to page, never from move to move."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import SCREENS
from tests.browser.play import play_by_mouse, press_back
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


OPEN_AND_ESCAPE = """(button) => {
  button.click();
  return button.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
}"""
"""Opens a menu and presses Escape before the browser says that it is open; true where that is left to the browser."""


def entries(page: Page) -> int:
    return int(page.evaluate("history.length"))


@pytest.mark.parametrize("screen", by_day(SCREENS, "desktop"))
def test_back_closes_a_dialog_and_the_table_stays(open_page, screen):
    page = open_page(**SCREENS[screen].context)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    table = page.url
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    press_back(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url == table
    expect(page.get_by_test_id("board")).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("play-button")).to_be_visible()


@pytest.mark.parametrize("screen", by_day(SCREENS, "iphone"))
def test_back_closes_a_menu_and_the_table_stays(open_page, screen):
    page = open_page(**SCREENS[screen].context)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    table = page.url
    menu = page.get_by_test_id("more-menu")
    for _ in range(2):
        page.get_by_test_id("more").click()
        expect(menu).to_be_visible()
        press_back(page)
        expect(menu).to_be_hidden()
        assert page.url == table
    page.get_by_test_id("more").click()
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    assert page.get_by_test_id("more").evaluate(OPEN_AND_ESCAPE), "the page took the key that the menu closes by"
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    page.go_back()
    expect(page.get_by_test_id("play-button")).to_be_visible()


def test_a_dialog_that_was_closed_otherwise_takes_no_further_press_of_back(open_page):
    page = open_page()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    for _ in range(2):
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)  # not only closed: the page has heard of it
    page.go_back()
    expect(page.get_by_test_id("play-button")).to_be_visible()


def test_moves_leave_nothing_in_the_history(open_page):
    page = open_page()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    before = entries(page)
    for _ in range(10):
        play_by_mouse(page)
    assert entries(page) == before
