"""The first page as a stage: a cover for every game, and a game being played to look at."""

from itertools import product

import pytest
from playwright.sync_api import Page, expect

from brettwerk_client import Client, Seat, computer, me
from tests.browser.looks import SCREENS
from tests.browser.play import press
from tests.browser.stage import MAX_SHIFT, OBSERVE, cumulative_layout_shift
from tests.browser.test_stage import GAMES
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

HIDDEN = """(hidden) => {
  Object.defineProperty(document, "visibilityState", { get: () => hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def act(seat: Seat) -> int:
    """Play one action as soon as the seat may; return the version that it made."""
    for update in seat.watch():
        if update.actions:
            return seat.act(update, update.actions[0]).version
    raise AssertionError("the game is over")


def wait_for_version(page: Page, version: int) -> None:
    seen = "document.querySelector('[data-testid=live-board]')?.dataset.version"
    page.wait_for_function(f"(version) => +({seen} ?? 0) >= version", arg=version)


@pytest.mark.parametrize(
    ("screen", "language"), by_day(product(SCREENS, ["en-GB", "de-DE"]), ("desktop", "en-GB"), ("iphone", "de-DE"))
)
def test_every_game_has_a_cover_and_play_is_in_sight(open_page, screen, language):
    page = open_page(**SCREENS[screen].context, locale=language)
    for game in GAMES:
        press(page.get_by_test_id(f"cover-{game}"))
        expect(page.get_by_test_id(f"game-{game}")).to_be_checked()
        expect(page.get_by_test_id(f"about-{game}")).to_be_visible()
        drawn = "(cover) => cover.querySelector('img').naturalWidth"
        assert page.get_by_test_id(f"cover-{game}").evaluate(drawn) == 480
        expect(page.get_by_test_id("play-button")).to_be_in_viewport(ratio=0.99)
        marks = [page.get_by_test_id(f"cover-{each}").locator(".mark") for each in GAMES]
        assert [mark.is_visible() for mark in marks] == [each == game for each in GAMES]
        assert page.evaluate("scrollY") == 0


@pytest.mark.nightly
def test_covers_follow_the_theme(open_page):
    page = open_page(color_scheme="dark")
    drawn = page.get_by_test_id("cover-wec").locator("img")
    source = "(img) => img.currentSrc"
    assert "cover.dark" in drawn.evaluate(source)
    page.get_by_test_id("theme").select_option("light")
    page.wait_for_function("() => document.querySelector('[data-testid=cover-wec] img').currentSrc.includes('cover.light')")


def test_a_game_being_played_is_shown_in_small(open_page, site):
    with Client(site.grpc_address, name="Ada") as client:
        seat = client.create_session("einstein", [me(), computer("easy")], public=True).seat
        page = open_page()
        board = page.get_by_test_id("live-board")
        expect(board.locator("svg")).to_be_visible()
        expect(page.get_by_test_id("live")).to_contain_text("Ada")
        wait_for_version(page, act(seat))

        page.evaluate(HIDDEN, True)
        before = page.evaluate("document.querySelector('[data-testid=live-board]').dataset.version")
        newest = act(seat)
        newest = max(newest, act(seat))
        assert page.evaluate("document.querySelector('[data-testid=live-board]').dataset.version") == before
        page.evaluate(HIDDEN, False)
        wait_for_version(page, newest)

        page.get_by_test_id("live-link").click()
        page.wait_for_url(f"**/s/{seat.session_id}")
        page.go_back()
        expect(page.get_by_test_id("live-board")).to_be_visible()
        seat.resign()
        expect(page.locator(f"[data-testid=live-link][href='/s/{seat.session_id}']")).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.parametrize("screen", ["desktop", "iphone", "android"])
def test_a_game_to_look_at_moves_nothing(open_page, site, screen):
    with Client(site.grpc_address, name="Ada") as client:
        seat = client.create_session("emperado", [me(), computer("easy")], public=True).seat
        page = open_page("/v1/health", **SCREENS[screen].context)
        page.add_init_script(f"({OBSERVE})()")
        page.goto(f"http://{site.web_address}/")
        expect(page.get_by_test_id("live")).to_be_attached()
        assert page.get_by_test_id("live-board").count() == 0 or screen == "desktop"  # below the window nothing is loaded
        page.get_by_test_id("live").scroll_into_view_if_needed()
        expect(page.get_by_test_id("live-board").locator("svg")).to_be_visible()
        assert cumulative_layout_shift(page) < MAX_SHIFT, page.evaluate("globalThis.shifts")
        seat.resign()


@pytest.mark.nightly
def test_whoever_saves_data_is_shown_no_game(open_page, site):
    with Client(site.grpc_address, name="Ada") as client:
        seat = client.create_session("einstein", [me(), computer("easy")], public=True).seat
        page = open_page("/v1/health")
        page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        page.goto(f"http://{site.web_address}/")
        expect(page.locator(f"[data-testid=table-link][href='/s/{seat.session_id}']")).to_be_visible()
        expect(page.get_by_test_id("live")).to_have_count(0)
        seat.resign()
