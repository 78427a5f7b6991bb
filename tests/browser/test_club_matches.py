"""A match of clubs on the page: the challenge, the answer, entry, line-ups and boards, on desktop and phone."""

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from brettwerk_client import Client
from deploy.local.deployment import Deployment
from tests.browser import clubs
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import DESKTOP, IPHONE, Screen
from tests.browser.play import press
from tests.browser.test_clubs import SIDEWAYS
from tests.night import at_night

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def test_a_private_club_is_challenged_by_its_address_accepts_on_a_phone_and_both_enter(open_page: Opener, site: Deployment):
    ada, grace = open_page(**DESKTOP.context), open_page(**IPHONE.context, locale="de-DE")
    with Client(site.grpc_address, name="Ada") as one, Client(site.grpc_address, name="Grace") as other:
        clubs.sign_in(ada, one, "Ada")
        clubs.sign_in(grace, other, "Grace")
        own, guests = clubs.found(one, "Monday club"), clubs.found(other, "Old town")
        ada.goto(f"http://{site.web_address}/club/{own}")
        ada.get_by_test_id("club-match-new").click()
        ada.get_by_test_id("match-other").fill(f"http://{site.web_address}/club/{guests}")
        ada.get_by_test_id("match-search").click()
        expect(ada.get_by_test_id("match-other-chosen")).to_be_visible()
        ada.get_by_test_id("match-least").fill("1")
        ada.get_by_test_id("match-starts").fill((datetime.now() + timedelta(days=2)).strftime("%Y-%m-%dT19:00"))  # noqa: DTZ005
        assert findings(ada) == []
        ada.get_by_test_id("match-create").click()
        ada.wait_for_url("**/tournament/*")
        expect(ada.get_by_test_id("tournament-state")).to_have_text("waits for an answer")
        grace.goto(f"http://{site.web_address}/club/{guests}")
        press(grace.get_by_test_id("club-match-row").get_by_role("link", name="Monday club – Old town"))
        expect(grace.get_by_text("Monday club fordert deinen Verein heraus.")).to_be_visible()
        press(grace.get_by_test_id("match-accept"))
        press(grace.get_by_test_id("match-enter"))
        expect(grace.get_by_test_id("match-entered")).to_have_text("Du spielst für Old town.")
        ada.get_by_test_id("match-enter").click()
        for page in (ada, grace):
            expect(page.get_by_test_id("line-up-1").get_by_role("listitem")).to_have_count(1)
            expect(page.get_by_test_id("line-up-2").get_by_role("listitem")).to_have_count(1)
            assert findings(page) == []
            assert not page.evaluate(SIDEWAYS)
        ada.get_by_test_id("match-leave").click()
        expect(grace.get_by_test_id("line-up-1").get_by_role("listitem")).to_have_count(0)
        ada.get_by_test_id("match-cancel").click()
        ada.get_by_test_id("match-yes").click()
        expect(grace.get_by_test_id("tournament-state")).to_have_text("abgesagt")


def test_an_organiser_orders_the_players_of_the_own_club(open_page: Opener, site: Deployment):
    ada = open_page()
    with (
        Client(site.grpc_address, name="Ada") as one,
        Client(site.grpc_address, name="Bo") as member,
        Client(site.grpc_address, name="Grace") as other,
    ):
        clubs.sign_in(ada, one, "Ada")
        own, guests = clubs.found(one, "Monday club"), clubs.found(other, "Old town")
        clubs.join(member, own, clubs.link(one, own))
        match_id = clubs.challenge(one, own, guests)
        clubs.accept(other, match_id)
        for each in (one, member):
            clubs.enter(each, match_id, own)
        ada.goto(f"http://{site.web_address}/tournament/{match_id}")
        players = ada.get_by_test_id("line-up-1").get_by_role("listitem")
        expect(players.first).to_contain_text("Ada")
        ada.get_by_role("button", name="Move Ada down").click()
        expect(players.first).to_contain_text("Bo")
        expect(ada.get_by_test_id("line-up-2").get_by_role("button")).to_have_count(0)
        ada.get_by_test_id("line-up-rating").click()
        expect(players.first).to_contain_text("Ada")


@pytest.mark.parametrize("screen", [DESKTOP, at_night(IPHONE)], ids=str)
def test_a_match_shows_its_score_and_boards_and_leads_to_the_own_one(open_page: Opener, site: Deployment, screen: Screen):
    page = open_page(**screen.context)
    with Client(site.grpc_address, name="Ada") as ada:
        clubs.sign_in(page, ada, "Ada")
        match_id = clubs.match_shown(ada, site.grpc_address)
        page.goto(f"http://{site.web_address}/tournament/{match_id}")
        expect(page.get_by_test_id("board")).to_have_count(4)
        expect(page.get_by_test_id("match-score")).to_have_text("1 : 1")
        assert findings(page) == []
        assert not page.evaluate(SIDEWAYS)
        press(page.get_by_test_id("go-table"))
        page.wait_for_url("**/s/*")
        page.goto(f"http://{site.web_address}/clubs")
        press(page.get_by_test_id("club-row").get_by_role("link", name="Monday club"))
        row = page.get_by_test_id("club-match-row")
        expect(row).to_contain_text("1 : 1")
