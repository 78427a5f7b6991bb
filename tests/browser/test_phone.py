"""On a phone: everything fits 360 pixels, and stones are dragged with a finger."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import ANDROID, at_night
from tests.browser.play import GAME_S, choose_game, drag_by_touch, is_over, look_again, play_to_the_end, touchable
from tests.e2e.stranger import FEWEST_MOVES
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

GAMES = ("einstein", "emperado", "plateau", "wec")


def fits(page: Page) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360, f"{page.url} is {wide} pixels wide"


@pytest.mark.nightly
def test_a_whole_game_is_played_by_dragging_with_a_finger(open_page):
    page = open_page(**ANDROID.context)
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    marked = "name => document.querySelector(`[data-testid=square-${name}]`).dataset.mark"
    dragged = 0
    end = time.monotonic() + GAME_S
    while not is_over(page) and time.monotonic() < end:
        names = touchable(page)
        mine = [name for name in names if page.evaluate(marked, name) == "candidate"]
        if mine:
            page.get_by_test_id(f"square-{mine[0]}").tap(force=True)
            continue
        moving = page.locator("[data-mark=moving]")
        if names and moving.count() == 1:
            drag_by_touch(page, moving.get_attribute("data-testid").removeprefix("square-"), names[0])
            dragged += 1
        look_again(page)
    assert is_over(page)
    assert dragged >= FEWEST_MOVES


@pytest.mark.nightly
@pytest.mark.parametrize("locale", [at_night("en-GB"), "de-DE"])
@pytest.mark.parametrize("game", by_day(GAMES, "emperado"))
def test_the_lobby_with_all_settings_and_the_rules_fit(open_page, game, locale):
    page = open_page(**ANDROID.context, locale=locale)
    choose_game(page, game)
    fits(page)
    page.get_by_test_id("more-settings").click()
    if page.get_by_test_id("seat-count").count():
        page.get_by_test_id("seat-count").select_option(index=2)
    for group in page.get_by_test_id("option-group").all():
        if group.get_attribute("open") is None:
            group.locator("summary").click()
    fits(page)
    assert not findings(page)
    page.goto(page.url + f"rules/{game}")
    expect(page.locator("article h1")).to_be_visible()
    fits(page)


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["emperado", at_night("plateau")])
def test_a_table_with_all_its_seats_fits(open_page, game):
    page = open_page(**ANDROID.context)
    choose_game(page, game)
    page.get_by_test_id("seat-count").select_option("6" if game == "emperado" else "4")
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("seat-3")).to_be_visible()
    expect(page.get_by_test_id("board")).to_be_visible()
    fits(page)
    assert not findings(page)


@pytest.mark.nightly
def test_the_end_of_a_game_and_its_review_fit(open_page):
    page = open_page(**ANDROID.context, color_scheme="dark", locale="de-DE")
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    play_to_the_end(page)
    page.get_by_test_id("review-run").tap()
    expect(page.get_by_test_id("luck")).to_be_visible(timeout=60_000)
    fits(page)
    assert not findings(page)
