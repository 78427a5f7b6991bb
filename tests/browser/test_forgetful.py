"""A browser that keeps nothing: the game is played, the player is told, and a link brings them back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.play import choose_game, look_again, play_by_mouse, touchable
from tests.night import at_night

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

BLOCKED = """for (const kind of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, kind, { get: () => { throw new DOMException("blocked", "SecurityError"); } });"""
FULL = """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };"""
MISSING = """Object.defineProperty(window, "localStorage", { get: () => null });"""
SAID = {"en-GB": "This browser keeps nothing", "de-DE": "Dieser Browser merkt sich nichts"}
WITHOUT_DATABASES = "delete Object.getPrototypeOf(window).indexedDB; delete window.indexedDB;"


def play_a_move(page: Page) -> None:
    """Play until a move of the player is in the list."""
    choose_game(page, "einstein")
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    while page.get_by_test_id("action-list").get_by_role("button").count() == 0:
        play_by_mouse(page)


@pytest.mark.parametrize(
    ("locale", "storage"),
    [
        at_night("en-GB", FULL, id="full, in English"),
        at_night("de-DE", FULL, id="full, in German"),
        at_night("en-GB", MISSING, id="missing, in English"),
        at_night("en-GB", BLOCKED, id="blocked, in English"),
        pytest.param("de-DE", BLOCKED, id="blocked, in German"),
    ],
)
def test_the_player_is_told_and_comes_back_by_a_link(open_page, storage, locale) -> None:
    page = open_page(locale=locale)
    page.add_init_script(storage)
    page.reload()
    play_a_move(page)
    table = page.url
    expect(page.get_by_test_id("forgetful")).to_contain_text(SAID[locale])
    assert findings(page) == []
    page.get_by_test_id("make-way-back").click()
    link = page.get_by_test_id("way-back-link").input_value()
    page.goto(table)
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(page.get_by_test_id("resign")).to_have_count(0)
    page.goto("about:blank")
    page.goto(link)
    page.get_by_test_id("use-link").click()
    page.wait_for_url(table)
    expect(page.get_by_test_id("resign")).to_be_visible()
    while not touchable(page):
        look_again(page)
    before = page.get_by_test_id("action-list").get_by_role("button").count()
    while page.get_by_test_id("action-list").get_by_role("button").count() == before:
        play_by_mouse(page)


@pytest.mark.nightly
def test_a_storage_that_is_full_still_knows_the_player_whom_it_has_kept(open_page) -> None:
    page = open_page()
    play_a_move(page)
    kept = page.evaluate("localStorage['brettwerk.player']")
    page.add_init_script(FULL)
    page.reload()
    expect(page.get_by_test_id("resign")).to_be_visible()
    expect(page.get_by_test_id("forgetful")).to_have_count(0)
    page.goto(page.url.partition("/s/")[0])
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("resign")).to_be_visible()
    expect(page.get_by_test_id("forgetful")).to_have_count(0)
    assert page.evaluate("localStorage['brettwerk.player']") == kept


@pytest.mark.nightly
@pytest.mark.parametrize("missing", [WITHOUT_DATABASES, "true"], ids=["no databases", "all is there"])
def test_a_player_who_is_remembered_is_not_warned(open_page, missing) -> None:
    page = open_page()
    page.add_init_script(missing)
    page.reload()
    play_a_move(page)
    expect(page.get_by_test_id("forgetful")).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("resign")).to_be_visible()
