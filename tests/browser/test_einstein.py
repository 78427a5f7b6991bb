"""People play EinStein in a browser."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keys import CELL, press, tab_to, walk
from tests.browser.play import (
    BY_HAND,
    GAME_S,
    choose_game,
    is_over,
    look_again,
    new_table_for_two,
    play_by_mouse,
    play_to_the_end,
    touchable,
)

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

FOCUSED = """() => {
  const cell = document.activeElement;
  const { x, y } = cell.getBoundingClientRect();
  return [cell.dataset.testid, [x, y].map(Math.round)];
}"""
"""The cell that has the focus, and where it is."""


def enter(page: Page, name: str) -> None:
    page.get_by_test_id("name-input").fill(name)


def test_a_newcomer_presses_one_button_and_plays_a_whole_game_by_mouse(open_page):
    page = open_page()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    assert re.search(r"/s/[^/?#]+$", page.url), "the address of a table can be shared"
    play_to_the_end(page)
    expect(page.get_by_test_id("result")).not_to_be_empty()
    offers = page.get_by_role("button", name="New game").or_(page.get_by_role("link", name="New game"))
    expect(offers).to_have_count(1)


def test_a_new_game_begins_in_between_with_another_level_on_the_other_side(open_page):
    """EWN-UI-5, EWN-UI-6: asked first, the game before is over then."""
    page = open_page()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("seat-0")).to_contain_text("you")
    address = page.url
    page.get_by_test_id("menu-new").click()
    expect(page.get_by_role("dialog")).to_contain_text("This game ends")
    page.get_by_test_id("wish-0").select_option("computer")
    page.get_by_test_id("level-0").select_option("depth")
    page.get_by_test_id("depth-0").fill("3")
    page.get_by_test_id("wish-1").select_option("me")
    page.get_by_test_id("new-game").click()
    page.wait_for_url(lambda url: url != address)
    expect(page.get_by_test_id("seat-1")).to_contain_text("you")
    expect(page.get_by_test_id("seat-0")).to_contain_text("3")
    expect(page.get_by_test_id("board").locator("[data-mark]").first).to_be_attached()
    page.goto(address)
    expect(page.get_by_test_id("result")).to_be_visible()


def test_level_depth_and_side_are_changed_during_a_game(open_page):
    """EWN-UI-5, EWN-UI-6: on a phone, by taps."""
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board").locator("[data-mark]").first).to_be_attached()
    address = page.url
    page.get_by_test_id("menu-seats").tap()
    page.get_by_test_id("player-1").select_option("computer depth")
    depth = page.get_by_test_id("player-depth-1")
    expect(depth).to_have_value("6")
    depth.fill("2")
    depth.press("Tab")
    expect(depth).to_be_enabled()
    expect(depth).to_have_value("2")
    page.get_by_test_id("player-1").select_option("me")
    expect(page.get_by_test_id("player-1")).to_have_value("me")
    page.get_by_test_id("player-0").select_option("computer strong")
    expect(page.get_by_test_id("player-0")).to_have_value("computer strong")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("seat-1")).to_contain_text("you")
    assert page.url == address, "it is the same game"


@pytest.mark.nightly
def test_a_whole_game_is_played_by_keyboard_only(open_page):
    page = open_page()
    press(page, "[data-testid=play-button]")
    expect(page.get_by_test_id("board")).to_be_visible()
    end = time.monotonic() + GAME_S
    while not is_over(page) and time.monotonic() < end:
        names = touchable(page)
        if not names:
            look_again(page)
            continue
        tab_to(page, CELL)
        walk(page, names[0])
        page.keyboard.press("Enter")
        look_again(page)
    assert is_over(page)


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["einstein", "plateau", "wec"])
def test_the_focus_stays_on_its_square_when_the_board_is_turned(open_page, game):
    page = open_page()
    choose_game(page, game)
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    if game == "wec":  # Its secrets are shown to players who say that they have the device.
        page.get_by_test_id("hand-taken").click()
    tab_to(page, CELL)
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    cell, before = page.evaluate(FOCUSED)
    page.keyboard.press("f")
    page.wait_for_function(f"(before) => JSON.stringify(({FOCUSED})()[1]) !== JSON.stringify(before)", arg=before)
    assert page.evaluate(FOCUSED)[0] == cell


@pytest.mark.nightly
def test_a_whole_game_is_played_on_a_phone_by_touch(open_page):
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing sticks out at the side"
    end = time.monotonic() + GAME_S
    while not is_over(page) and time.monotonic() < end:
        names = touchable(page)
        if names:
            page.get_by_test_id(f"square-{names[0]}").tap(force=True)
        look_again(page)
    assert is_over(page)


def test_two_people_play_while_one_loses_the_connection_and_a_third_watches(open_page):
    ada, ben, cleo = open_page(), open_page(), open_page()
    enter(ada, "Ada")
    path = new_table_for_two(ada)
    for page, name in ((ben, "Ben"), (cleo, "Cleo")):
        enter(page, name)
        page.goto(ada.url.partition("/s/")[0] + path)
    ben.get_by_test_id("join-1").click()
    for page in (ada, ben, cleo):
        expect(page.get_by_test_id("seat-0")).to_contain_text("Ada")
        expect(page.get_by_test_id("seat-1")).to_contain_text("Ben")
        expect(page.get_by_test_id("board")).to_be_visible()
    for _ in range(6):
        play_by_mouse(ada)
        play_by_mouse(ben)
    ben.context.set_offline(True)
    expect(ben.get_by_test_id("connection-banner")).to_be_visible(timeout=30_000)
    play_by_mouse(ben)
    play_by_mouse(ada)
    ben.context.set_offline(False)
    expect(ben.get_by_test_id("connection-banner")).to_be_hidden(timeout=30_000)
    play_to_the_end(ada, ben)
    expect(cleo.get_by_test_id("result")).to_be_visible()
    assert not touchable(cleo)
    lists = [page.get_by_test_id("action-list").inner_text() for page in (ada, ben, cleo)]
    assert lists[0] == lists[1] == lists[2]


@pytest.mark.nightly
def test_a_reload_in_the_middle_goes_on_where_it_was(open_page):
    page = open_page()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    for _ in range(30):
        play_by_mouse(page)
    page.reload()
    expect(page.get_by_test_id("board")).to_be_visible()
    play_to_the_end(page)


@pytest.mark.nightly
def test_the_plain_board_plays_a_game_from_its_legal_actions(open_page):
    page = open_page(settings=BY_HAND)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.get_by_text("My settings").click()
    page.get_by_test_id("plain-board").check()
    play_to_the_end(page)
    assert is_over(page)


def test_the_client_speaks_german_and_stays_so(open_page):
    page = open_page()
    page.get_by_test_id("language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_test_id("play-button")).to_contain_text(re.compile("[Ss]piel"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_unknown_addresses_say_so(open_page):
    page = open_page("/nowhere")
    expect(page.get_by_role("main")).to_be_visible()
    assert page.get_by_role("link").count() > 0
