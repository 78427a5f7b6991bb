"""A finished game watched together: pages in step, marks over every board, talk, and looking around by oneself."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from brettwerk.v1 import play_pb2, viewings_pb2
from brettwerk_client import Client
from tests.browser.axe import findings
from tests.browser.camera import read_code
from tests.browser.looks import DESKTOP, IPHONE, Screen, at_night
from tests.browser.play import press
from tests.browser.viewings import change, finished, started
from tests.e2e.stranger import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def number(page: Page) -> int:
    """The number of the move that a page shows; 0 before the first one."""
    found = re.search(r"\d+", page.get_by_test_id("viewing-position").inner_text())
    return int(found.group()) if found else 0


def place_of(page: Page, kind: str, name: str) -> Locator:
    return page.get_by_test_id(f"{kind}-{name.lstrip('^v')}")


def is_within(point: tuple[float, float], shown: Locator) -> bool:
    """Return whether a point is on something; a board that is still being laid out moves between two questions."""
    box = shown.bounding_box()
    assert box is not None
    return box["x"] <= point[0] <= box["x"] + box["width"] and box["y"] <= point[1] <= box["y"] + box["height"]


def until_at(page: Page, move: int) -> None:
    shown = re.compile(rf"(Move|Zug) {move} (of|von)") if move else re.compile("Before the first move|Vor dem ersten Zug")
    expect(page.get_by_test_id("viewing-position")).to_have_text(shown)
    expect(page.get_by_test_id("viewing-spoken")).to_have_text(shown)


def middle(shown: Locator) -> tuple[float, float]:
    box = shown.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def draw(page: Page, place: str, to_place: str) -> None:
    """Pull from place to place, or only press on one."""
    page.mouse.move(*middle(page.get_by_test_id(f"square-{place}")))
    page.mouse.down()
    page.mouse.move(*middle(page.get_by_test_id(f"square-{to_place}")), steps=4)
    page.mouse.up()


def come(page: Page, name: str) -> None:
    """Show others in a viewing who one is."""
    page.get_by_test_id("viewing-name").fill(name)
    press(page.get_by_test_id("viewing-come"))
    expect(page.get_by_test_id("viewer").filter(has_text=name)).to_be_visible()


def test_two_pages_go_through_a_finished_game_in_step(open_page, site) -> None:
    with Client(site.grpc_address, name="Eve") as eve:
        session_id = finished(eve, "einstein", 3)
    ada = open_page(f"/s/{session_id}", settings={"name": "Ada", "talk": True})
    ada.get_by_test_id("start-viewing").click()
    expect(ada.get_by_test_id("viewing-status")).to_have_text("You present")
    link = ada.get_by_test_id("viewing-link").input_value()
    assert link == ada.url
    ben = open_page(link.partition(site.web_address)[2], locale="de-DE", color_scheme="dark", **IPHONE.context)
    expect(ben.get_by_test_id("viewing-status")).to_have_text("Ada führt vor")
    last = number(ada)
    assert last >= 3
    until_at(ben, last)

    for move in (last - 1, last - 2):
        ada.get_by_test_id("viewing-previous").click()
        until_at(ben, move)
    ada.get_by_test_id("board").press("Escape")
    ada.get_by_test_id("viewing-status").click()
    ada.keyboard.press("Home")
    until_at(ben, 0)
    ada.get_by_test_id("action-list").get_by_role("button").first.click()
    until_at(ben, 1)
    ada.get_by_test_id("viewing-play").click()
    until_at(ben, 2)
    ada.get_by_test_id("viewing-play").click()
    shown = number(ada)
    until_at(ben, shown)

    ada.get_by_test_id("viewing-draw").click()
    draw(ada, "A1", "C3")
    draw(ada, "B2", "B2")
    for page in (ada, ben):
        expect(page.get_by_test_id("mark-arrow")).to_have_count(1)
        expect(page.get_by_test_id("mark-ring")).to_have_count(1)
    expect(ben.get_by_test_id("mark-list")).to_contain_text("Pfeil von A1 nach C3, von Ada")
    draw(ada, "B2", "B2")
    expect(ben.get_by_test_id("mark-ring")).to_have_count(0)
    assert not findings(ada)
    assert not findings(ben)

    press(ben.get_by_test_id("viewing-previous"))
    expect(ben.get_by_test_id("viewing-status")).to_have_text("Du siehst dich allein um.")
    expect(ben.get_by_test_id("mark-arrow")).to_have_count(0)
    ada.get_by_test_id("viewing-next").click()
    until_at(ada, shown + 1)
    until_at(ben, shown - 1)
    press(ben.get_by_test_id("viewing-back"))
    until_at(ben, shown + 1)

    come(ben, "Ben")
    ada.get_by_test_id("talk-input").fill("Here he could have won")
    ada.keyboard.press("Enter")
    press(ben.get_by_test_id("talk"))
    expect(ben.get_by_test_id("talk-line")).to_contain_text("Here he could have won")
    press(ben.get_by_test_id("talk-close"))
    ada.get_by_test_id("viewer-presents").click()
    expect(ben.get_by_test_id("viewing-status")).to_have_text("Du führst vor")
    press(ben.get_by_test_id("viewing-previous"))
    until_at(ada, shown)
    expect(ada.get_by_test_id("viewing-status")).to_have_text("Ben presents")

    press(ben.get_by_test_id("viewing-end"))
    press(ben.get_by_test_id("viewing-end"))
    expect(ada.get_by_test_id("viewing-closed")).to_be_visible()


def test_somebody_is_let_draw_by_keys_and_a_phone_reads_the_link(open_page, site) -> None:
    with Client(site.grpc_address, name="Ada") as ada:
        address = started(ada, finished(ada, "einstein", 1))
        page = open_page(address)
        expect(page.get_by_test_id("viewing-status")).to_have_text("Ada presents, and is not here now")
        expect(page.get_by_test_id("viewing-draw")).to_have_count(0)
        come(page, "Ben")
        change(ada, address, everybody_draws=True)
        page.get_by_test_id("mark-from").select_option("A1")
        page.get_by_test_id("mark-to").select_option("B2")
        page.get_by_test_id("mark-add").press("Enter")
        expect(page.get_by_test_id("mark-list")).to_have_text(re.compile("Arrow from A1 to B2, by Ben"))
        page.get_by_role("button", name="Remove: Arrow").press("Enter")
        expect(page.get_by_test_id("mark-arrow")).to_have_count(0)
        page.get_by_test_id("viewing-panel").locator("summary").click()
        assert read_code(page.get_by_test_id("qr-code")) == page.url
        page.get_by_test_id("viewing-take-over").click()
        expect(page.get_by_test_id("viewing-status")).to_have_text("You present")


GAMES = {
    "emperado": (3, "country"),
    "plateau": (2, "square"),
    "wec": (2, "square"),
}


@pytest.mark.parametrize(("screen", "game"), [(DESKTOP, "emperado"), (IPHONE, "wec"), at_night(DESKTOP, "plateau")])
def test_marks_lie_on_the_places_of_every_board(open_page, site, screen: Screen, game: str) -> None:
    seats, kind = GAMES[game]
    with Client(site.grpc_address, name="Ada") as ada:
        address = started(ada, finished(ada, game, 1, seats))
        view = ada.spectator(address.split("/")[2]).update().view
        places = [
            place.name
            for place in ada.call(ada.service.DescribeView, play_pb2.DescribeViewRequest(game=game, view=view)).scene.places
        ]
        one, other = places[0], places[-1]
        change(ada, address, added_mark=viewings_pb2.ViewingMark(place=one))
        change(ada, address, added_mark=viewings_pb2.ViewingMark(place=one, to_place=other))
        page = open_page(address, **screen.context)
        expect(page.get_by_test_id("mark-ring")).to_be_visible()
        expect(page.get_by_test_id("mark-arrow")).to_be_visible()
        eventually(lambda: is_within(middle(page.get_by_test_id("mark-ring")), place_of(page, kind, one)), within_s=10)
