"""Arbiters on the page: one stops a game on a phone, restarts and decides it, and the players see why; another is named."""

import json

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import accounts_pb2, play_pb2, record_pb2, tournaments_pb2
from brettwerk_client import Client, me, nobody
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import IPHONE, at_night
from tests.browser.play import press

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=3_600_000)
SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def shown_to(page: Page, client: Client, address: str, session_id: str = "", tokens: dict[str, str] | None = None) -> Page:
    """Let a page be a player, who has created the session and holds seats there by these tokens."""
    player = client.player or client.sign_in(play_pb2.CreatePlayerRequest(name="Ada"))
    stored: dict[str, object] = {"brettwerk.player": {"id": player.id, "token": player.token, "name": player.name}}
    if tokens is not None:
        stored[f"brettwerk.seats.{session_id}"] = {"at": 0, "tokens": tokens}
        stored["brettwerk.founded"] = [[session_id, player.id]]
    keep = "([key, value]) => localStorage.setItem(key, JSON.stringify(value))"
    page.add_init_script(f"Object.entries({json.dumps(stored)}).forEach({keep})")
    page.goto(address)
    return page


def rule(page: Page, what: str, reason: str) -> None:
    press(page.get_by_test_id("rule"))
    press(page.get_by_test_id(f"rule-{what}"))
    page.get_by_test_id("rule-reason").fill(reason)
    press(page.get_by_test_id("rule-done"))
    expect(page.get_by_test_id("dialog-ruling")).to_have_count(0)


@pytest.mark.parametrize(
    ("locale", "halted", "decided"),
    [
        ("en-GB", "Ruth has stopped the game: Fire alarm", "Ruth has decided the game: No show"),
        at_night("de-DE", "Ruth hat das Spiel angehalten: Fire alarm", "Ruth hat das Spiel entschieden: No show"),
        at_night("fr-FR", "Ruth a arrêté la partie\u00a0: Fire alarm", "Ruth a décidé la partie\u00a0: No show"),
    ],
)
def test_an_arbiter_on_a_phone_stops_restarts_and_decides_a_game(
    open_page: Opener, site: Deployment, locale: str, halted: str, decided: str
) -> None:
    address = site.grpc_address
    with Client(address, name="Ruth") as ruth, Client(address, name="Ada") as ada, Client(address, name="Grace") as grace:
        session = ruth.create_session("einstein", [nobody(), nobody()], clock=CLOCK, arbiter=True).session
        seat = ada.join_session(session.id, 0)
        other = grace.join_session(session.id, 1)
        table = f"http://{site.web_address}/s/{session.id}"
        player = shown_to(open_page(locale=locale, color_scheme="dark"), ada, table, session.id, {"0": seat.token})
        arbiter = shown_to(open_page(**IPHONE.context, locale=locale), ruth, table)
        expect(player.get_by_test_id("arbiters")).to_contain_text("Ruth")
        press(arbiter.get_by_test_id("rule"))
        assert findings(arbiter) == []
        assert not arbiter.evaluate(SIDEWAYS)
        arbiter.keyboard.press("Escape")
        rule(arbiter, "pause", "Fire alarm")
        expect(player.get_by_test_id("arbitration")).to_have_text(halted)
        expect(arbiter.get_by_test_id("arbitration")).to_have_text(halted)
        assert findings(player) == []
        assert not arbiter.evaluate(SIDEWAYS)
        rule(arbiter, "resume", "All clear")
        expect(player.get_by_test_id("arbitration")).to_have_count(0)
        rule(arbiter, "time", "For the alarm")
        other.say("Hello")
        rule(arbiter, "forfeit", "No show")
        expect(player.get_by_test_id("arbitration")).to_have_text(decided)
        press(arbiter.get_by_test_id("table-talk"))
        expect(arbiter.get_by_test_id("table-talk-lines")).to_contain_text("Hello")
        assert findings(arbiter) == []


def test_the_creator_of_a_table_names_an_arbiter_by_keyboard(open_page: Opener, site: Deployment) -> None:
    address = site.grpc_address
    with Client(address, name="Judge Ruth") as ruth, Client(address, name="Ada") as ada:
        ruth.call(ruth.service.SetPhrase, accounts_pb2.SetPhraseRequest())
        table = ada.create_session("einstein", [me(), nobody()], clock=CLOCK)
        session = table.session
        at = f"http://{site.web_address}/s/{session.id}"
        page = shown_to(open_page(), ada, at, session.id, {"0": table.seat.token})
        naming = page.get_by_test_id("table-arbiters")
        naming.locator("summary").focus()
        page.keyboard.press("Enter")
        page.get_by_test_id("arbiter-name").fill("Judge Ruth")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("arbiters")).to_contain_text("Judge Ruth")
        assert findings(page) == []


def test_the_owner_of_a_tournament_names_an_arbiter_who_corrects_a_result(open_page: Opener, site: Deployment) -> None:
    address = site.grpc_address
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000)
    with Client(address, name="Ada") as ada, Client(address, name="Umpire Uma") as uma, Client(address, name="Bob") as bob:
        uma.call(uma.service.SetPhrase, accounts_pb2.SetPhraseRequest())
        request = tournaments_pb2.CreateTournamentRequest(
            name="Cup with an arbiter", game="einstein", clock=clock, kind=tournaments_pb2.Tournament.KIND_SWISS
        )
        tournament = ada.call(ada.service.CreateTournament, request).tournament.tournament_id
        for player in (ada, bob):
            player.call(player.service.JoinTournament, tournaments_pb2.JoinTournamentRequest(tournament_id=tournament))
        at = f"http://{site.web_address}/tournament/{tournament}"
        owner = shown_to(open_page(), ada, at)
        arbiters = owner.get_by_test_id("tournament-arbiters")
        press(arbiters.locator("summary"))
        owner.get_by_test_id("arbiter-name").fill("Umpire Uma")
        press(owner.get_by_test_id("arbiter-name-done"))
        expect(arbiters.get_by_role("link")).to_have_text("Umpire Uma")
        assert findings(owner) == []
        ada.call(ada.service.StartTournament, tournaments_pb2.StartTournamentRequest(tournament_id=tournament))
        page = shown_to(open_page(**IPHONE.context), uma, at)
        press(page.get_by_test_id("correct"))
        page.get_by_test_id("correction-why").fill("Both were late")
        press(page.get_by_test_id("correction-done"))
        expect(page.get_by_text("Both were late")).to_be_visible()
        assert not page.evaluate(SIDEWAYS)
