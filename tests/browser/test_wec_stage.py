"""The stage of Weaponized Chess: what is on the board can be told apart, looked up, and seen to happen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import at_night
from tests.browser.play import choose_game

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def begin(page: Page) -> None:
    choose_game(page, "wec")
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()


@pytest.mark.parametrize(("locale", "scheme", "name"), [("en-GB", "light", "Flame Pawn"), at_night("de-DE", "dark", "Flammen")])
def test_what_stands_on_a_square_is_told_beside_the_pointer_and_in_a_legend(open_page, locale, scheme, name):
    page = open_page(locale=locale, color_scheme=scheme)
    begin(page)
    page.get_by_test_id("square-(2,3)").hover(force=True)
    expect(page.get_by_test_id("hover-card")).to_contain_text(name)
    expect(page.locator(".names .lit")).to_have_text([re.compile(r"^[CS]3$"), re.compile(r"^R\s*2$")])
    page.get_by_test_id("legend").locator("summary").click()
    expect(page.get_by_test_id("legend").get_by_role("listitem")).to_have_count(3 + 23 + 18)
    assert not findings(page)


def test_the_own_piece_under_the_pointer_shows_where_it_can_go_and_what_it_can_hit(open_page):
    page = open_page()
    begin(page)
    page.get_by_test_id("square-(2,1)").hover(force=True)
    expect(page.locator(".goes").first).to_be_attached()
    page.get_by_test_id("square-(5,1)").hover(force=True)
    expect(page.locator(".goes")).to_have_count(0)


def test_squares_have_the_colours_that_the_player_has_chosen(open_page):
    page = open_page()
    begin(page)
    page.get_by_test_id("look").locator("summary").click()
    page.get_by_test_id("colours").select_option("own")
    page.get_by_test_id("colour-light").fill("#80c0ff")
    fill = "(square) => getComputedStyle(square).fill"
    light = page.get_by_test_id("square-(1,1)").locator(".square")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('[data-testid=\"square-(1,1)\"] .square')).fill === 'rgb(128, 192, 255)'"
    )
    page.reload()
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()
    assert light.evaluate(fill) == "rgb(128, 192, 255)"
