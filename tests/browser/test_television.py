"""A table's screen for the room: what all may see, in letters that are read from afar, and a code by which phones join."""

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import record_pb2
from brettwerk_client import Client, me, nobody
from tests.browser.axe import findings
from tests.browser.camera import read_code
from tests.browser.looks import DESKTOP, FULL_HD, IPHONE, Screen, at_night
from tests.browser.play import choose_game, play_by_mouse, press

pytestmark = [pytest.mark.e2e, pytest.mark.browser]
CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000, increment_ms=5_000)
OVERFLOWS = (
    "() => document.documentElement.scrollHeight > innerHeight + 1 || document.documentElement.scrollWidth > innerWidth + 1"
)


def letters(page: Page, name: str) -> float:
    """The size of the letters of an element, in pixels."""
    return float(page.get_by_test_id(name).evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)"))


@pytest.mark.parametrize(("screen", "scheme"), [(FULL_HD, "light"), at_night(DESKTOP, "dark")])
def test_a_phone_joins_by_the_code_and_all_see_names_clocks_and_the_last_move(
    open_page, site, screen: Screen, scheme: str
) -> None:
    with Client(site.grpc_address, name="Ada") as ada:
        seat = ada.create_session("einstein", [me(), nobody()], clock=CLOCK).seat
        room = open_page(f"/tv/{seat.session_id}", color_scheme=scheme, **screen.context)
        expect(room.get_by_test_id("tv-seat-0")).to_contain_text("Ada")
        expect(room.get_by_test_id("tv-seat-1")).to_contain_text("free")
        link = read_code(room.get_by_test_id("qr-code"))
        assert link.endswith(f"/s/{seat.session_id}")
        phone = open_page(link.partition(site.web_address)[2], settings={"name": "Ben", "autoplay": False}, **IPHONE.context)
        press(phone.get_by_test_id("join-1"))
        expect(room.get_by_test_id("tv-seat-1")).to_contain_text("Ben")
        expect(room.get_by_test_id("tv-clock-0")).to_be_visible()
        if not seat.actions():
            expect(room.get_by_test_id("tv-turn")).to_have_text("Ben is to move")
        while not seat.actions():
            play_by_mouse(phone)
        expect(room.get_by_test_id("tv-turn")).to_have_text("Ada is to move")
        seat.act(seat.update(), seat.actions()[0])
        expect(room.get_by_test_id("tv-last")).to_contain_text("Ada:")
        assert letters(room, "tv-turn") >= 24
        assert not room.evaluate(OVERFLOWS)
        assert not findings(room)
        seat.resign()
        expect(room.get_by_test_id("tv-turn")).to_contain_text("Ben")


def test_the_room_sees_no_cards_though_its_browser_has_the_seat(open_page) -> None:
    page = open_page()
    choose_game(page, "emperado")
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("own-cards").first).to_be_attached()
    table = page.url
    page.goto(table.replace("/s/", "/tv/"))
    expect(page.get_by_test_id("tv").get_by_test_id("board")).to_be_visible()
    expect(page.get_by_test_id("own-cards")).to_have_count(0)
    page.goto(table)
    expect(page.get_by_test_id("own-cards").first).to_be_attached()  # the seat is still theirs
