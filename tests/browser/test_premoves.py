"""Premoves of Weaponized Chess: chosen while the other side is to move, played when the turn comes, taken back before."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.play import BY_HAND, choose_game, new_table_for_two, set_clock

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

GONE_BY = {
    "button": lambda page: page.get_by_test_id("premove-cancel").click(),
    "Escape": lambda page: page.keyboard.press("Escape"),
    "right click": lambda page: page.get_by_test_id("square-(5,5)").click(button="right", force=True),
}


def sit_down(black: Page, white: Page, *, clock: bool = True, start: str = "chess") -> None:
    """Let two people play with Moves only, or from another start, under a clock of minutes; Black begins."""
    choose_game(black, "wec")
    if start:
        black.get_by_test_id("start").select_option(start)
    if clock:
        set_clock(black, "total", 10, 3)
    path = new_table_for_two(black)
    white.goto(black.url.partition("/s/")[0] + path)
    white.get_by_test_id("join-1").click()
    expect(white.get_by_test_id("resign")).to_be_visible()
    white.get_by_test_id("tour-skip").click()


def move(page: Page, source: str, target: str) -> None:
    page.get_by_test_id(f"square-{source}").first.click(force=True)
    expect(page.get_by_test_id(f"square-{target}").first).to_have_attribute("data-mark", "target")
    page.get_by_test_id(f"square-{target}").first.click(force=True)


def test_a_premove_is_shown_and_played_once_when_the_turn_comes(open_page):
    black, white = (
        open_page(settings=BY_HAND),
        open_page(settings=BY_HAND, color_scheme="dark", viewport={"width": 1440, "height": 900}),
    )
    sit_down(black, white)
    black.get_by_test_id("tour-skip").click()
    move(white, "(9,9)", "(8,9)")
    said = white.get_by_test_id("premove-said")
    expect(said).to_contain_text(re.compile(r"Premove: .*\(9,9\) → \(8,9\)"))
    expect(white.locator("[data-testid=board] .line.before")).to_have_count(1)
    expect(white.get_by_test_id("square-(8,9)").first).not_to_have_accessible_name(re.compile("Pawn"))
    assert findings(white) == []
    move(black, "(2,2)", "(3,2)")
    black.get_by_test_id("mode-end").click()
    for page in (black, white):
        expect(page.get_by_test_id("square-(8,9)").first).to_have_accessible_name(re.compile("Pawn"))
    expect(said).to_be_empty()
    # The Move, and nothing after it: the Turn is still White's.
    expect(white.get_by_test_id("seat-1")).to_contain_text("to move")
    expect(white.get_by_test_id("mode-end")).to_be_enabled()


@pytest.mark.nightly
@pytest.mark.parametrize("way", GONE_BY)
def test_a_premove_is_taken_back_and_nothing_is_played(open_page, way):
    black, white = open_page(settings=BY_HAND), open_page(settings=BY_HAND)
    sit_down(black, white)
    black.get_by_test_id("tour-skip").click()
    move(white, "(9,9)", "(8,9)")
    expect(white.get_by_test_id("premove-cancel")).to_be_visible()
    GONE_BY[way](white)
    expect(white.get_by_test_id("premove-said")).to_be_empty()
    move(black, "(2,2)", "(3,2)")
    black.get_by_test_id("mode-end").click()
    expect(white.get_by_test_id("seat-1")).to_contain_text("to move")
    expect(white.get_by_test_id("square-(9,9)").first).to_have_accessible_name(re.compile("Pawn"))


@pytest.mark.nightly
def test_a_premove_that_has_become_impossible_is_dropped_and_said_to_be(open_page):
    """Stunned pieces cannot Move (WEC-MOVE-9)."""
    black, white = open_page(settings=BY_HAND), open_page(settings=BY_HAND)
    sit_down(black, white, start="two_kings")
    black.get_by_test_id("tour-skip").click()
    move(white, "(9,10)", "(8,9)")
    expect(white.get_by_test_id("premove-cancel")).to_be_visible()
    black.get_by_test_id("square-(2,3)").first.click(button="right", force=True)
    black.get_by_test_id("square-(3,4)").first.click(force=True)
    expect(black.get_by_test_id("action-list")).to_have_attribute("data-plies", "1")
    move(black, "(2,2)", "(3,3)")
    black.get_by_test_id("mode-end").click()
    expect(white.get_by_test_id("premove-dropped")).to_contain_text("→ (8,9)")
    expect(white.get_by_test_id("premove-cancel")).to_have_count(0)
    expect(white.get_by_test_id("square-(9,10)").first).to_have_accessible_name(re.compile("Pawn"))
    assert findings(white) == []


@pytest.mark.nightly
def test_a_premove_is_chosen_by_keys_alone(open_page):
    black, white = open_page(settings=BY_HAND), open_page(settings=BY_HAND)
    sit_down(black, white)
    white.get_by_test_id("square-(9,9)").first.focus()
    white.keyboard.press("Enter")
    target = white.get_by_test_id("square-(8,9)").first
    expect(target).to_have_attribute("data-mark", "target")
    target.focus()
    white.keyboard.press("Enter")
    expect(white.get_by_test_id("premove-said")).to_contain_text("→ (8,9)")


@pytest.mark.nightly
@pytest.mark.parametrize("why", ["the setting is off", "there is no clock"])
def test_no_move_is_chosen_before_the_turn_where(open_page, why):
    own = {"premove": False} if why == "the setting is off" else {}
    black, white = open_page(settings=BY_HAND), open_page(settings={**BY_HAND, **own})
    sit_down(black, white, clock=why != "there is no clock")
    white.get_by_test_id("square-(9,9)").first.click(force=True)
    # A piece that cannot be chosen is asked about.
    expect(white.locator("[data-testid=board] .looked")).to_have_count(1)
    expect(white.get_by_test_id("square-(8,9)").first).not_to_have_attribute("data-mark", "target")
    expect(white.get_by_test_id("premove-said")).to_be_empty()


@pytest.mark.nightly
@pytest.mark.parametrize(("settings", "to_move"), [pytest.param({}, 1, id="preset"), pytest.param(BY_HAND, 0, id="by hand")])
def test_the_page_ends_a_turn_in_which_nothing_else_is_left_unless_it_is_not_wanted_to(open_page, settings, to_move):
    black, white = open_page(settings=settings), open_page(settings=BY_HAND)
    black.clock.install()
    black.reload()  # what a page had measured before would lie in its future
    sit_down(black, white, clock=False)
    black.get_by_test_id("tour-skip").click()
    move(black, "(2,2)", "(3,2)")
    for page in (black, white):
        expect(page.get_by_test_id("square-(3,2)").first).to_have_accessible_name(re.compile("Pawn"))
    if settings == BY_HAND:
        expect(black.get_by_test_id("mode-end")).to_be_enabled()
        black.clock.fast_forward(5000)
        black.reload()  # what the page has sent by then is answered before it shows the table again
        expect(black.get_by_test_id("mode-end")).to_be_enabled()
    expect(white.get_by_test_id(f"seat-{to_move}")).to_contain_text("to move")
