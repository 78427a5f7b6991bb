"""Substitutes on the page: found on the first page, asked for on a phone, agreed to or declined on a desktop, and wished for."""

import json

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import play_pb2
from brettwerk_client import Client, Seat
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import IPHONE, at_night
from tests.browser.play import press
from tests.browser.substitutes import answer, left

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def shown_to(page: Page, seat: Seat, site: Deployment) -> Page:
    """Let a page be the player of a seat, at the table."""
    player = seat.client.sign_in(play_pb2.CreatePlayerRequest(name="Ada")) if seat.client.player is None else seat.client.player
    stored = {
        "brettwerk.player": {"id": player.id, "token": player.token, "name": player.name},
        f"brettwerk.seats.{seat.session_id}": {"at": 0, "tokens": {str(seat.number): seat.token}},
    }
    keep = "([key, value]) => localStorage.setItem(key, JSON.stringify(value))"
    page.add_init_script(f"Object.entries({json.dumps(stored)}).forEach({keep})")
    page.goto(f"http://{site.web_address}/s/{seat.session_id}")
    return page


@pytest.mark.parametrize(
    ("locale", "found", "asked", "wants"),
    [
        ("en-GB", "Open seats in running games", "You have asked for this seat", "Dora would like to play on for"),
        at_night("de-DE", "Freie Plätze in laufenden Spielen", "Du hast nach diesem Platz gefragt", "Dora möchte für"),
        at_night("fr-FR", "Places libres dans des parties en cours", "Vous avez demandé cette place", "Dora voudrait continuer"),
    ],
)
def test_an_open_seat_is_found_asked_for_and_taken_once_the_others_agree(
    open_page: Opener, site: Deployment, locale: str, found: str, asked: str, wants: str
) -> None:
    with (
        Client(site.grpc_address, name="Ada") as client,
        left(client, site.grpc_address, title="The lost legion") as (own, other),
    ):
        ada = shown_to(open_page(locale=locale, color_scheme="dark"), own, site)
        dora = open_page(**IPHONE.context, locale=locale)
        dora.get_by_test_id("name-input").fill("Dora")
        listed = dora.get_by_test_id("open-seats")
        expect(listed.get_by_role("heading")).to_have_text(found)
        press(listed.get_by_test_id("table-link").filter(has_text="The lost legion"))
        press(dora.get_by_test_id("ask-for-seat-2"))
        expect(dora.get_by_test_id("open-seat-2")).to_contain_text(asked)
        assert not dora.evaluate(SIDEWAYS)
        assert findings(dora) == []
        expect(ada.get_by_test_id("asker-2")).to_contain_text(wants)
        assert findings(ada) == []
        ada.get_by_test_id("agree-to-substitute").click()
        expect(ada.get_by_test_id("asker-2")).to_have_count(0)
        answer(other, 2, accept=True)
        expect(dora.get_by_test_id("open-seat-2")).to_have_count(0)
        expect(dora.get_by_test_id("seat-2")).to_contain_text("Dora")
        expect(dora.get_by_test_id("resign")).to_be_attached()
        expect(ada.get_by_test_id("seat-2")).to_contain_text("Dora")


@pytest.mark.nightly
def test_a_substitute_is_declined_or_thinks_better_of_it(open_page: Opener, site: Deployment) -> None:
    with Client(site.grpc_address, name="Ada") as client, left(client, site.grpc_address) as (own, other):
        ada, dora = shown_to(open_page(), own, site), open_page()
        dora.get_by_test_id("name-input").fill("Dora")
        dora.goto(ada.url)
        dora.get_by_test_id("ask-for-seat-2").click()
        ada.get_by_test_id("decline-substitute").click()
        expect(dora.get_by_test_id("ask-for-seat-2")).to_be_visible()
        dora.get_by_test_id("ask-for-seat-2").click()
        expect(dora.get_by_role("alert").filter(has_text="everybody asks once")).to_be_visible()
        eva = open_page()
        eva.goto(ada.url)
        eva.get_by_test_id("ask-for-seat-2").click()
        expect(dora.get_by_test_id("open-seat-2")).to_contain_text("has asked for this seat")
        ada.get_by_test_id("leave-substitute").click()
        expect(ada.get_by_test_id("asker-2")).to_have_count(0)
        assert ada.get_by_test_id("seat-2").is_visible()
        eva.get_by_test_id("withdraw-2").click()
        expect(dora.get_by_test_id("ask-for-seat-2")).to_be_visible()
        assert other.update().session.seats[2].occupant.HasField("computer")
