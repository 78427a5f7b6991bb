"""Tournaments on the page: created, joined, played and looked at, in two browsers."""

import pytest
from playwright.sync_api import Page, expect

from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import IPHONE
from tests.browser.play import play_to_the_end

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def named(page: Page, name: str, site: Deployment) -> Page:
    page.get_by_test_id("name-input").fill(name)
    page.goto(f"http://{site.web_address}/tournaments")
    return page


def create(page: Page, name: str, kind: str = "1", *, public: bool = True) -> None:
    """Create a tournament; the page shows it then. `kind`: as the contract numbers them."""
    page.get_by_test_id("tournament-new").click()
    page.get_by_test_id("tournament-name").fill(name)
    page.get_by_test_id("tournament-game").select_option("einstein")
    page.get_by_test_id("tournament-kind").select_option(kind)
    page.get_by_test_id("tournament-public").set_checked(public)
    page.get_by_test_id("tournament-create").click()
    page.wait_for_url("**/tournament/*")


@pytest.mark.nightly
def test_a_tournament_is_created_joined_played_and_placed(open_page: Opener, site: Deployment):
    ada, bo = named(open_page(), "Ada", site), named(open_page(**IPHONE.context, locale="de-DE"), "Bo", site)
    create(ada, "Cup of two")
    ada.get_by_test_id("tournament-join").click()
    expect(ada.get_by_test_id("entrants").get_by_role("listitem")).to_have_text(["Ada"])
    ada.get_by_test_id("tournament-start").click()
    expect(ada.get_by_test_id("tournament-refused")).to_contain_text("two players")
    bo.reload()
    bo.get_by_test_id("tournament-row").filter(has_text="Cup of two").get_by_role("link").click()
    expect(bo.get_by_test_id("tournament-state")).to_have_text("offen")
    assert findings(bo) == []
    bo.get_by_test_id("tournament-join").click()
    expect(ada.get_by_test_id("entrants").get_by_role("listitem")).to_have_text(["Ada", "Bo"])
    ada.get_by_test_id("tournament-start").click()
    tournament = ada.url
    for page in (ada, bo):
        page.get_by_test_id("go-table").click()
        page.wait_for_url("**/s/*")
    play_to_the_end(ada, bo)
    ada.goto(tournament)
    expect(ada.get_by_test_id("tournament-state")).to_have_text("over")
    expect(ada.get_by_test_id("standing").first).to_contain_text("1")
    expect(ada.get_by_test_id("crosstable")).to_be_visible()
    expect(ada.get_by_test_id("round-1").get_by_test_id("pairing")).to_contain_text(":")
    assert findings(ada) == []


@pytest.mark.nightly
def test_a_player_with_the_link_joins_and_leaves_and_the_owner_cancels(open_page: Opener, site: Deployment):
    ada = named(open_page(), "Ada", site)
    create(ada, "Among friends", "2", public=False)
    bo = open_page(ada.url.removeprefix(f"http://{site.web_address}"))
    bo.get_by_test_id("tournament-join").click()
    bo.get_by_test_id("tournament-leave").click()
    expect(bo.get_by_test_id("tournament-join")).to_be_visible()
    ada.get_by_test_id("tournament-cancel").click()
    ada.get_by_test_id("tournament-yes").click()
    expect(bo.get_by_test_id("tournament-state")).to_have_text("cancelled")
    expect(bo.get_by_test_id("tournament-join")).to_be_hidden()


def test_a_tournament_without_a_clock_is_refused_with_the_reason(open_page: Opener, site: Deployment):
    page = named(open_page(), "Ada", site)
    page.get_by_test_id("tournament-new").click()
    page.get_by_test_id("tournament-name").fill("Endless")
    page.get_by_test_id("clock").select_option("none")
    assert findings(page) == []
    page.get_by_test_id("tournament-create").click()
    expect(page.get_by_test_id("tournament-refused")).to_contain_text("Choose a clock")
    page.goto(f"http://{site.web_address}/tournament/nothing-of-the-kind")
    expect(page.get_by_text("There is no such tournament")).to_be_visible()


def test_the_start_is_said_with_the_time_zone_and_an_hour_that_there_is_not_is_named(open_page: Opener):
    page = open_page("/tournaments", timezone_id="Europe/Berlin", locale="de-DE")
    page.get_by_test_id("tournament-new").click()
    starts, said = page.get_by_test_id("tournament-starts"), page.get_by_test_id("tournament-starts-help")
    starts.fill("2027-03-27T02:30")
    expect(said).to_contain_text("27. März 2027, 02:30 MEZ bei dir.")
    starts.fill("2027-03-28T02:30")  # in this night clocks go from 2 to 3
    expect(said).to_have_text("Da wird die Uhr vorgestellt: 28. März 2027, 03:30 MESZ.")
    starts.fill("")
    expect(said).to_have_text("Lass es leer, um selbst zu starten.")
