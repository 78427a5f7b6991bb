"""Two people share a device in a game that hides pieces: neither sees what only the other may know (WEC-OBS-1)."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import LOOKS
from tests.browser.play import BY_HAND, choose_game
from tests.browser.test_sounds import listen
from tests.browser.test_wec import square, turn

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SECRET = ("AAA", "Flak", "reinforcement of White: ", "Verstärkung von Weiß: ")
"""Secrets of White after the first Turn: the stealthy AAA, and which pieces can be called in."""


QUIET = "() => { const was = globalThis.was; globalThis.was = heard.length; return was > 0 && was === heard.length; }"
"""Something was heard, and for a while nothing more."""


def begin(page: Page) -> None:
    choose_game(page, "wec")
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("hand-over-to")).to_be_visible()


def tells_nothing(page: Page) -> None:
    """Assert that neither the page nor what is spoken tells anything of the board."""
    expect(page.get_by_test_id("hidden-board")).to_be_visible()
    for gone in ("board", "bar", "inspector", "action-list", "hover-card", "more"):
        expect(page.get_by_test_id(gone)).to_have_count(0)
    expect(page.get_by_test_id("spoken")).to_be_empty()
    everything = page.evaluate("document.documentElement.outerHTML")
    assert not [word for word in SECRET if word in everything]


def test_the_next_player_s_pieces_are_hidden_until_that_one_has_the_device(open_page) -> None:
    page = open_page(settings=BY_HAND)
    listen(page)
    begin(page)
    tells_nothing(page)
    page.get_by_test_id("hand-taken").click()
    page.get_by_test_id("tour-skip").click()
    expect(square(page, "(2,3)")).to_be_visible()
    title = page.title()
    square(page, "(2,2)").click()
    square(page, "(4,4)").click()
    expect(page.get_by_test_id("mode-end")).to_be_enabled()
    page.wait_for_function("() => heard.length > 0")
    page.get_by_test_id("mode-end").click()
    expect(page.get_by_test_id("hand-over-to")).to_contain_text("White")
    tells_nothing(page)
    page.wait_for_function(QUIET, polling=500)  # the end of the own Turn is heard
    heard = page.evaluate("heard.length")
    assert not findings(page)
    for key in ("ArrowLeft", "Home", "h", "Escape", "7", "1"):
        page.keyboard.press(key)
        tells_nothing(page)
    assert (page.title(), page.evaluate("heard.length")) == (title, heard)
    page.get_by_test_id("hand-taken").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    assert "AAA" in page.evaluate("document.documentElement.outerHTML"), "what is looked for is there to be found"


@pytest.mark.nightly
def test_neither_a_reload_nor_back_nor_a_second_tab_shows_them(open_page) -> None:
    page = open_page(settings=BY_HAND)
    begin(page)
    page.get_by_test_id("hand-taken").click()
    page.get_by_test_id("tour-skip").click()
    table = page.url
    other = page.context.new_page()
    other.goto(table)
    tells_nothing(other)
    turn(page, "(2,2)", "(4,4)")
    tells_nothing(page)
    page.reload()
    tells_nothing(page)
    page.goto(page.url.partition("/s/")[0] + "/rules/wec")
    page.go_back()
    tells_nothing(page)
    # White plays in the other tab; when it is Black's turn again, nobody has said so in the first one.
    other.get_by_test_id("hand-taken").click()
    turn(other, "(9,9)", "(8,8)")
    expect(page.get_by_test_id("hand-over-to")).to_contain_text("Black")
    for each in (page, other):
        tells_nothing(each)
    page.get_by_test_id("hand-open").click()
    turn(page, "(2,9)", "(3,8)")
    expect(square(page, "(9,8)")).to_have_attribute("aria-label", re.compile("AAA"))


@pytest.mark.nightly
@LOOKS
def test_the_card_can_be_read_in_both_languages_and_colours(open_page, locale, scheme) -> None:
    page = open_page(locale=locale, color_scheme=scheme, viewport={"width": 390, "height": 844})
    begin(page)
    tells_nothing(page)
    assert not findings(page)
