"""The first page as a stage: a cover for every game, a game to look at, puzzles on their boards, and what goes on."""

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import play_pb2
from brettwerk_client import Client, Seat, computer, me, nobody
from deploy.local.deployment import Deployment
from tests.browser.conftest import started_site
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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment of their own: what the page shows depends on who else plays there."""
    with started_site(tmp_path_factory) as started:
        yield started


def act(seat: Seat) -> int:
    """Play one action as soon as the seat may; return the version that it made."""
    for update in seat.watch():
        if update.actions:
            return seat.act(update, update.actions[0]).version
    raise AssertionError("the game is over")


def wait_for_version(page: Page, version: int) -> None:
    seen = "document.querySelector('[data-testid=live-board]')?.dataset.version"
    page.wait_for_function(f"(version) => +({seen} ?? 0) >= version", arg=version)


@pytest.mark.parametrize(("screen", "language"), by_day(product(SCREENS, ["en-GB", "de-DE"]), ("iphone", "de-DE")))
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


@pytest.mark.nightly
def test_a_game_being_played_is_shown_in_small(open_page, site):
    with Client(site.grpc_address, name="Ada") as client:
        seat = client.create_session("einstein", [me(), computer("easy")], public=True).seat
        page = open_page()
        board = page.get_by_test_id("live-board")
        expect(board.locator("svg")).to_be_visible()
        expect(page.get_by_test_id("exhibit")).to_contain_text("Ada")
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
        expect(page.get_by_test_id("exhibit")).to_be_attached()
        assert page.get_by_test_id("live-board").count() == 0 or screen == "desktop"  # below the window nothing is loaded
        page.get_by_test_id("exhibit").scroll_into_view_if_needed()
        expect(page.get_by_test_id("live-board").locator("svg")).to_be_visible()
        assert cumulative_layout_shift(page) < MAX_SHIFT, page.evaluate("globalThis.shifts")
        seat.resign()


@pytest.mark.nightly
def test_with_saved_data_the_lobby_shows_a_picture_in_place_of_a_game(open_page, site):
    with Client(site.grpc_address, name="Ada") as client:
        seat = client.create_session("einstein", [me(), computer("easy")], public=True).seat
        page = open_page("/v1/health")
        page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        page.goto(f"http://{site.web_address}/")
        expect(page.locator(f"[data-testid=table-link][href='/s/{seat.session_id}']")).to_be_visible()
        expect(page.get_by_test_id("exhibit").locator("img")).to_be_visible()
        expect(page.get_by_test_id("live-board")).to_have_count(0)
        expect(page.get_by_test_id("puzzle-picture").locator("img").first).to_be_visible()
        seat.resign()


LOBBY_SHARE = "document.querySelector('.lobby').getBoundingClientRect().width / innerWidth"


@pytest.mark.parametrize("screen", by_day(SCREENS, "full-hd"))
def test_the_page_fills_the_window_and_its_pictures_are_large(open_page, screen):
    page = open_page(**SCREENS[screen].context)
    width = SCREENS[screen].width
    expect(page.get_by_test_id("live-board").locator("svg").first).to_be_attached() if width > 500 else None
    assert page.evaluate(LOBBY_SHARE) > 0.88
    cover = page.get_by_test_id("cover-wec").bounding_box()
    assert cover is not None
    assert cover["width"] > (300 if width > 500 else 0.45 * width)
    assert cover["height"] > (165 if width > 500 else 90)
    exhibit = page.get_by_test_id("exhibit").bounding_box()
    assert exhibit is not None
    assert min(exhibit["width"], exhibit["height"]) > (430 if width > 500 else 320)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_where_nobody_plays_a_game_among_computers_is_shown_and_goes_on(open_page, game):
    page = open_page()
    page.clock.install()
    page.reload()
    page.get_by_test_id(f"cover-{game}").click()
    shown = page.locator(f"[data-testid=exhibit][data-game={game}]")
    expect(shown.get_by_test_id("live-board").locator("svg").last).to_be_visible()
    names = {"einstein": "Otto", "emperado": "Regina", "plateau": "Kyra", "wec": "Wanda"}
    expect(shown).to_contain_text(names[game])
    wait_for_version(page, 3)
    drawn = shown.get_by_test_id("live-board").inner_html()
    wait_for_version(page, 6)
    assert shown.get_by_test_id("live-board").inner_html() != drawn
    shown.get_by_test_id("exhibit-pause").click()
    version = shown.get_by_test_id("live-board").get_attribute("data-version")
    page.clock.run_for(20_000)
    expect(shown.get_by_test_id("live-board")).to_have_attribute("data-version", version or "")


@pytest.mark.nightly
def test_with_reduced_motion_the_exhibit_moves_only_on_demand(open_page):
    page = open_page(reduced_motion="reduce")
    board = page.get_by_test_id("live-board")
    expect(board).not_to_have_attribute("data-version", "0")
    version = board.get_attribute("data-version")
    expect(page.get_by_test_id("exhibit-pause")).to_have_accessible_name("Play")
    page.get_by_test_id("exhibit-pause").click()
    expect(board).not_to_have_attribute("data-version", version or "")


CUT = """() => [...document.querySelectorAll("[data-testid=puzzles] a")].flatMap((link) => {
  const range = document.createRange();
  const { right } = link.getBoundingClientRect();
  return [...link.querySelectorAll("strong, .muted")].filter((words) => {
    range.selectNodeContents(words);
    return range.getBoundingClientRect().right > right;
  }).map((words) => words.textContent.trim());
})"""


@pytest.mark.nightly
@pytest.mark.parametrize("screen", by_day(SCREENS, "desktop"))
def test_the_names_of_todays_puzzles_are_whole(open_page, screen):
    page = open_page(**SCREENS[screen].context, locale="de-DE")
    expect(page.get_by_test_id("puzzle-wec")).to_be_visible()
    assert page.evaluate(CUT) == []


def test_todays_puzzle_is_a_position_on_its_board(open_page):
    page = open_page()
    for game in ("einstein", "wec"):
        puzzle = page.get_by_test_id(f"puzzle-{game}")
        expect(puzzle.get_by_test_id("puzzle-picture").locator("svg").first).to_be_visible()
        expect(puzzle).to_contain_text("to move")
    puzzle.click()
    page.wait_for_url("**/puzzle/wec")


@pytest.mark.nightly
def test_a_cover_stands_for_a_puzzle_until_its_position_has_come(open_page, site):
    page = open_page("/v1/health")
    page.route("**/Thumbnail*", lambda _: None)  # never answered
    page.goto(f"http://{site.web_address}/")
    expect(page.get_by_test_id("puzzle-wec").get_by_test_id("puzzle-picture").locator("img")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_lists_are_there_only_where_there_is_something(open_page, site, language):
    page = open_page(locale=language)
    expect(page.get_by_test_id("live-board")).to_be_visible()
    assert page.locator(".foyer .panel").count() == 1, "nothing but the puzzles"
    with Client(site.grpc_address, name="Ada") as ada, Client(site.grpc_address, name="Ben") as ben:
        waits = ada.create_session("wec", [me(), nobody()], public=True, title="Friday evening")
        plays = ben.create_session("plateau", [me(), computer("strong")], public=True)
        expect(page.get_by_test_id("people")).to_contain_text("Ada")
        expect(page.get_by_test_id("people")).to_contain_text("Ben")
        table = page.locator(f"[data-testid=table-link][href='/s/{waits.session.id}']")
        expect(table).to_contain_text("Friday evening")
        expect(table).to_contain_text("Weaponized Chess")
        expect(page.locator(f"[data-testid=table-link][href='/s/{plays.session.id}']")).to_contain_text("Solon")
        ada.call(ada.service.CloseSession, play_pb2.CloseSessionRequest(session_id=waits.session.id))
        plays.seat.resign()
        expect(page.get_by_test_id("people")).to_have_count(0)


@pytest.mark.parametrize("game", by_day(GAMES, "einstein"))
def test_a_game_begins_with_one_click_or_two_and_no_typing(open_page, game):
    page = open_page()
    if game != "einstein":
        page.get_by_test_id(f"cover-{game}").click()
        expect(page.get_by_test_id(f"about-{game}")).to_be_visible()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
