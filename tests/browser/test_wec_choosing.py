"""Choosing in Weaponized Chess by touch: marks say what the rules say, and nothing is done that was not asked for."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.brettwerk_games.rules.wec.boards import board
from tests.browser.axe import findings
from tests.browser.looks import LOOKS
from tests.browser.play import BY_HAND, choose_game, middle
from tests.browser.test_wec import square
from tests.browser.wec import sit_down_at

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


IN_SIGHT = """() => {
  const log = document.querySelector("[data-testid=action-list]");
  const within = log.closest("aside").getBoundingClientRect();
  const { top, bottom } = log.getBoundingClientRect();
  return Math.min(bottom, within.bottom) - top;
}"""
"""How much of the log can be seen beside the board, in pixels."""


RESTS = """(name) => {
  const { top } = document.querySelector(`[data-testid="${name}"]`).getBoundingClientRect();
  const rests = globalThis.restsAt === top && scrollY === globalThis.scrolledTo;
  [globalThis.restsAt, globalThis.scrolledTo] = [top, scrollY];
  return rests;
}"""
"""The square stands where it stood a moment ago: the page follows what is touched."""


def tap(page: Page, name: str) -> None:
    page.get_by_test_id(f"square-{name}").scroll_into_view_if_needed()
    page.wait_for_function(RESTS, arg=f"square-{name}", polling=100)
    page.touchscreen.tap(*middle(page, name))


def plies(page: Page) -> str | None:
    return page.get_by_test_id("action-list").get_attribute("data-plies")


@pytest.mark.nightly
def test_a_landing_that_crashes_is_no_capture_and_is_asked_about(open_page, site) -> None:
    page = open_page(**PHONE)
    sit_down_at(page, site, board("B TA>[JP](5,5)", "W K(7,5)", "B FP[BI](2,2)", "B RP(3,2)"))
    tap(page, "(5,5)")
    expect(square(page, "(7,5)")).to_have_attribute("data-mark", "capture")
    page.get_by_test_id("mode-fire").tap()
    page.get_by_test_id("tool").filter(has_text="Jump Pack").tap()
    expect(square(page, "(7,5)")).to_have_attribute("data-mark", "warning")
    expect(square(page, "(8,8)")).to_have_attribute("data-mark", "target")
    expect(page.locator("[data-mark=capture]")).to_have_count(0)
    tap(page, "(7,5)")
    expect(page.get_by_test_id("board-hint")).to_contain_text("would be destroyed")
    assert plies(page) == "0"
    # A Bike whose way is blocked at its first step.
    page.get_by_test_id("mode-fire").tap()
    tap(page, "(2,2)")
    page.get_by_test_id("tool").filter(has_text="Bike").tap()
    tap(page, "(5,2)")
    expect(page.get_by_test_id("board-hint")).to_contain_text("first step is blocked")
    assert plies(page) == "0"


@pytest.mark.nightly
def test_a_square_that_two_share_is_touched_as_often_as_one_likes_and_a_ride_says_its_level(open_page, site) -> None:
    page = open_page(**PHONE)
    sit_down_at(page, site, board("B CH>(1,4)", "B JE(1,4)"))
    for chosen, mark in (("Chopper", "moving"), ("Jet", "rises"), ("Chopper", "moving"), ("Jet", "rises")):
        tap(page, "(1,4)")
        expect(page.get_by_test_id("inspector").locator("[aria-pressed=true]")).to_contain_text(chosen)
        expect(square(page, "(1,4)")).to_have_attribute("data-mark", mark)
    assert plies(page) == "0"
    expect(page.get_by_test_id("near")).to_have_text("Take off")
    tap(page, "(1,4)")
    expect(page.get_by_test_id("inspector").locator("[aria-pressed=true]")).to_contain_text("Chopper")
    expect(square(page, "(3,2)")).to_have_attribute("data-mark", "target")
    tap(page, "(3,2)")
    ways = ["Alone · Ground", "Alone · Air", "With the passenger · Ground", "With the passenger · Air"]
    expect(page.get_by_test_id("way")).to_have_text(ways)
    page.get_by_test_id("way").last.tap()
    expect(page.get_by_test_id("action-list")).to_have_attribute("data-plies", "1")
    expect(square(page, "(3,2)")).to_have_accessible_name(
        re.compile("Row 3, column 2: Black: Chopper, Air, right-handed; Black: Jet, Air")
    )


def test_one_article_is_picked_up_in_one_press_and_a_choice_of_two_is_not_lost_with_the_turn(open_page, site) -> None:
    page = open_page(**PHONE)
    sit_down_at(page, site, board("B STP(4,4)", articles=("BI(4,4)",)))
    page.get_by_test_id("mode-pick_up").tap()
    expect(page.get_by_test_id("action-list")).to_contain_text("picks up: Bike")
    sit_down_at(page, site, board("B STP(4,4)", "B RP(2,2)", articles=("BI(4,4)", "RL(4,4)")))
    tap(page, "(2,2)")
    tap(page, "(3,3)")
    expect(page.get_by_test_id("mode-end")).to_be_enabled()
    page.get_by_test_id("mode-pick_up").tap()
    tap(page, "(4,4)")
    page.get_by_test_id("mode-end").tap()
    expect(page.get_by_test_id("board-hint")).to_contain_text("Nothing has been picked up yet")
    page.get_by_test_id("tool").filter(has_text="Rocket Launcher").tap()
    expect(page.get_by_test_id("action-list")).to_contain_text("picks up: Rocket Launcher")


@LOOKS
def test_pieces_on_a_touched_square_are_in_sight_on_a_phone(open_page, site, locale, scheme) -> None:
    page = open_page(**PHONE, locale=locale, color_scheme=scheme)
    sit_down_at(page, site, board("B STP[BI](4,4)", articles=("RL(4,4)",)))
    tap(page, "(4,4)")
    card, hint = page.get_by_test_id("inspector"), page.get_by_test_id("board-hint")
    expect(card).to_be_in_viewport(ratio=0.6)
    above, below = hint.bounding_box(), card.bounding_box()
    assert above is not None and below is not None
    assert 0 <= below["y"] - above["y"] - above["height"] < 20
    assert not findings(page)


@pytest.mark.nightly
@pytest.mark.parametrize("size", [(1440, 900), (1920, 1080)])
def test_the_log_is_in_sight_and_counts_turns_as_the_history_does(open_page, size) -> None:
    page = open_page(settings=BY_HAND, viewport={"width": size[0], "height": size[1]})
    choose_game(page, "wec")
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    for source, target in (("(2,2)", "(4,4)"), ("(2,9)", "(4,7)")):
        square(page, source).click()
        square(page, target).click()
        expect(page.get_by_test_id("mode-end")).to_be_enabled()
        page.get_by_test_id("mode-end").click()
        expect(page.get_by_test_id("mode-move")).to_be_enabled(timeout=30_000)
    log = page.get_by_test_id("action-list")
    expect(log).to_be_in_viewport()
    expect(log.locator("> li .number")).to_have_text(["1.", "2.", "3.", "4."])
    assert page.evaluate(IN_SIGHT) >= 60
    page.get_by_test_id("history").locator("summary").click()
    expect(page.get_by_test_id("history").locator("li")).to_have_count(4)
