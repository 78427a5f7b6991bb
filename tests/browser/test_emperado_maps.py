"""EMPERADO on another map than the usual world: it is chosen at the table, played on, and drawn everywhere."""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from brettwerk.v1.emperado_pb2 import EmperadoOptions
from brettwerk_client import Client, Seat, me, nobody
from brettwerk_games.rules.emperado.maps import WORLDS
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import started_site
from tests.browser.play import from_menu
from tests.browser.test_end_card import saved_picture
from tests.browser.test_game_pictures import frames, saved

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

ISLANDS = WORLDS["five_islands"]
ON_ISLANDS = EmperadoOptions(map="five_islands")
SCREENS = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}


def begin(page: Page) -> None:
    """Begin a game of two on the islands, against a computer."""
    page.get_by_test_id("game-emperado").check(force=True)
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("seat-count").select_option("2")
    page.get_by_test_id("wish-1").select_option("computer")
    field = page.get_by_test_id("option-map").locator("select")
    field.evaluate("(field) => { for (let at = field; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true }")
    field.select_option("five_islands")
    page.get_by_test_id("play-button").click()


@pytest.mark.parametrize("screen", SCREENS)
def test_another_map_is_drawn_and_played_on(open_page, screen):
    page = open_page(viewport=SCREENS[screen])
    begin(page)
    countries = page.get_by_test_id("map").locator("g.place")
    expect(countries).to_have_count(ISLANDS.count)
    expect(page.locator("g.place[data-mark]").first).to_be_visible()
    own = page.get_by_test_id(page.locator("g.place[data-mark]").first.get_attribute("data-testid") or "")
    before = own.get_attribute("aria-label") or ""
    own.click()
    page.get_by_test_id("calls").get_by_role("button").last.click()
    expect(page.get_by_test_id("calls")).to_contain_text("Done")
    expect(own).not_to_have_attribute("aria-label", before)
    assert findings(page) == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment of their own: what the first page shows depends on who else plays there."""
    with started_site(tmp_path_factory) as started:
        yield started


def over(site: Deployment) -> str:
    """Play a game of two on the islands to its end; return its session."""
    with Client(site.grpc_address, name="Ben") as ben:
        seats = ben.create_session("emperado", [me(), me()], options=ON_ISLANDS, public=True).seats
        for _ in range(4):
            play_one(seats)
        seats[0].resign()
        return str(seats[0].session_id)


def play_one(seats: Sequence[Seat]) -> None:
    mover = next(seat for seat in seats if seat.actions())
    mover.act(mover.update(), mover.actions()[0])


def expect_islands(board: Locator) -> None:
    """Expect a small board to have every country of the islands, and nothing of the usual world."""
    expect(board.locator(".land")).to_have_count(ISLANDS.count)
    expect(board.locator("svg").first).to_have_attribute("viewBox", "0 0 {} {}".format(*ISLANDS.size))


def test_a_table_that_waits_shows_its_map(open_page, site: Deployment) -> None:
    with Client(site.grpc_address, name="Ben") as ben:
        seat = ben.create_session("emperado", [me(), nobody()], options=ON_ISLANDS).seat
        page = open_page(f"/s/{seat.session_id}")
        expect_islands(page.get_by_test_id("waiting-board"))
        assert findings(page) == []


def test_the_first_page_shows_the_map_of_a_game_that_is_played(open_page, site: Deployment) -> None:
    with Client(site.grpc_address, name="Ben") as ben:
        seats = ben.create_session("emperado", [me(), me()], options=ON_ISLANDS, public=True).seats
        page = open_page(reduced_motion="no-preference")
        page.get_by_test_id("exhibit").scroll_into_view_if_needed()
        board = page.get_by_test_id("live-board")
        expect_islands(board)
        before = board.get_attribute("data-version")
        play_one(seats)
        expect(board).not_to_have_attribute("data-version", before or "")
        expect_islands(board)
        seats[0].resign()


def test_a_television_shows_the_map(open_page, site: Deployment) -> None:
    with Client(site.grpc_address, name="Ben") as ben:
        seat = ben.create_session("emperado", [me(), me()], options=ON_ISLANDS).seat
        room = open_page(f"/tv/{seat.session_id}", viewport={"width": 1920, "height": 1080})
        countries = room.get_by_test_id("map").locator("g.place")
        expect(countries).to_have_count(ISLANDS.count)
        assert room.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
        assert not findings(room)


def test_the_card_the_picture_and_the_animation_of_a_finished_game_show_the_map(
    open_page, site: Deployment, tmp_path: Path
) -> None:
    page = open_page(f"/s/{over(site)}")
    page.get_by_test_id("card").click()
    board = page.get_by_test_id("card-board").locator("> svg")
    expect(board).to_have_attribute("viewBox", "0 0 {} {}".format(*ISLANDS.size))
    assert board.locator("path").count() >= ISLANDS.count
    saved_picture(page, tmp_path)
    page.keyboard.press("Escape")
    from_menu(page, "share")
    picture = saved(page, "picture", tmp_path)
    width, height = struct.unpack(">II", picture[16:24])
    assert (width, height) == (1200, round(1200 * ISLANDS.size[1] / ISLANDS.size[0]))
    page.get_by_test_id("animation").click()
    expect(page.get_by_test_id("animation-save")).to_be_visible(timeout=60_000)
    gif = saved(page, "animation-save", tmp_path)
    assert frames(gif)[0][:2] == (600, round(600 * ISLANDS.size[1] / ISLANDS.size[0]))
    assert len(gif) < 2_000_000
