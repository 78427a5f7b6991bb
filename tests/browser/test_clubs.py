"""Clubs on the page: joined by link and by asking, with roles, tables, tournaments and talk, and left; on desktop and phone."""

import contextlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import clubs_pb2
from brettwerk_client import Client
from deploy.local.deployment import Deployment
from services.players.clubs.clubs import MAX_LINKS
from services.players.clubs.membership import MAX_OWN
from tests.browser import clubs
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import DESKTOP, IPHONE, Screen
from tests.browser.play import press

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def named(page: Page, name: str) -> Page:
    page.get_by_test_id("name-input").fill(name)
    return page


def found_club(page: Page, name: str, entry: str) -> None:
    """Found a club; the page shows it then. `entry`: as the contract numbers them."""
    page.goto(page.url.partition("/club")[0].rstrip("/") + "/clubs")
    page.get_by_test_id("club-new").click()
    page.get_by_test_id("club-name").fill(name)
    page.get_by_test_id("club-description").fill("We play on Mondays.")
    page.get_by_test_id("club-entry").select_option(entry)
    page.get_by_test_id("club-save").click()


@contextlib.contextmanager
def club_of(page: Page, site: Deployment, entry: clubs_pb2.Club.Entry.ValueType) -> Iterator[tuple[Client, str]]:
    """Yield the page's player, Ada, as a program, and the id of her club, which the page shows."""
    with Client(site.grpc_address, name="Ada") as ada:
        clubs.sign_in(page, ada, "Ada")
        club_id = clubs.found(ada, "Monday club", entry)
        page.goto(f"http://{site.web_address}/club/{club_id}")
        expect(page.get_by_test_id("club-role")).to_have_text("owner")
        yield ada, club_id


def test_a_private_club_is_joined_by_its_link_on_a_phone_and_its_members_talk(open_page: Opener):
    ada = named(open_page(), "Ada")
    found_club(ada, "Quiet corner", "1")
    expect(ada.get_by_test_id("club-role")).to_have_text("owner")
    ada.get_by_test_id("club-link-create").click()
    link = ada.get_by_test_id("club-link").input_value()
    bo = named(open_page(**IPHONE.context, locale="de-DE"), "Bo")
    bo.goto(ada.url)
    expect(bo.get_by_text("Diesen Verein gibt es nicht")).to_be_visible()
    bo.goto(link)
    expect(bo.get_by_test_id("club-about")).to_have_text("We play on Mondays.")
    expect(bo.get_by_test_id("club-lines")).to_be_hidden()
    press(bo.get_by_test_id("club-join"))
    bo.wait_for_url(ada.url)
    expect(bo.get_by_test_id("club-role")).to_have_text("Mitglied")
    bo.get_by_test_id("club-talk-input").fill("Hallo zusammen")
    bo.get_by_test_id("club-talk-input").press("Enter")
    expect(ada.get_by_test_id("club-line")).to_contain_text("Hallo zusammen")
    assert findings(bo) == [] and findings(ada) == []
    press(bo.get_by_test_id("club-leave"))
    press(bo.get_by_test_id("club-yes"))
    bo.wait_for_url("**/clubs")
    expect(bo.get_by_test_id("own-clubs")).to_be_hidden()


@pytest.mark.nightly
def test_a_listed_club_is_searched_and_asked_and_its_members_meet_at_a_table_of_it(open_page: Opener):
    ada, bo = named(open_page(), "Ada"), named(open_page(), "Bo")
    found_club(ada, "Asking welcome", "2")
    expect(ada.get_by_test_id("club-role")).to_have_text("owner")
    bo.get_by_test_id("go-clubs").click()
    bo.get_by_test_id("club-search").fill("asking wel")
    bo.get_by_test_id("club-search-go").click()
    bo.get_by_test_id("club-row").filter(has_text="Asking welcome").get_by_role("link").click()
    bo.get_by_test_id("club-join").click()
    expect(bo.get_by_test_id("club-role")).to_have_text("asked")
    ada.get_by_role("button", name="Let in Bo").click()  # the page notices by itself
    expect(ada.get_by_test_id("club-members").get_by_role("listitem")).to_contain_text(["Ada", "Bo"])
    expect(ada.get_by_test_id("club-asking")).to_be_hidden()
    ada.get_by_test_id("club-table-choice").select_option("new:einstein")
    club = ada.url
    ada.get_by_test_id("club-table-open").click()
    ada.wait_for_url("**/s/*")
    bo.goto(club)
    bo.get_by_test_id("club-tables").get_by_test_id("table-link").click()
    bo.wait_for_url(ada.url)
    ada.goto(club)
    ada.get_by_test_id("club-roles").click()
    ada.get_by_test_id("club-give-5").click()
    ada.get_by_test_id("club-give-yes").click()
    expect(ada.get_by_test_id("club-members").get_by_role("listitem")).to_contain_text(["Ada"])
    bo.goto(club)
    expect(bo.get_by_test_id("club-role")).to_have_text("removed")
    expect(bo.get_by_test_id("club-join")).to_be_hidden()


@pytest.mark.nightly
def test_a_tournament_of_a_club_is_created_on_its_page_and_leads_back_to_it(open_page: Opener, site: Deployment):
    page = open_page()
    with club_of(page, site, clubs_pb2.Club.ENTRY_LINK) as (_, club_id):
        page.get_by_test_id("club-tournament-new").click()
        page.get_by_test_id("tournament-name").fill("Autumn cup")
        expect(page.get_by_test_id("tournament-public")).to_be_hidden()
        page.get_by_test_id("tournament-create").click()
        page.get_by_test_id("tournament-club").click()
        page.wait_for_url(f"**/club/{club_id}")
        expect(page.get_by_test_id("club-tournaments")).to_contain_text("Autumn cup")
        page.get_by_test_id("club-tournaments-which").select_option("true")
        expect(page.get_by_text("No tournament of the club is over yet.")).to_be_visible()


@pytest.mark.nightly
def test_roles_are_changed_by_keys_and_a_club_is_given_away_after_a_second_thought(open_page: Opener, site: Deployment):
    page = open_page()
    with club_of(page, site, clubs_pb2.Club.ENTRY_OPEN) as (_, club_id), Client(site.grpc_address, name="Grace") as grace:
        clubs.join(grace, club_id)
        page.reload()
        roles, members = page.get_by_test_id("club-roles"), page.get_by_test_id("club-members").get_by_role("listitem")
        roles.press("Enter")
        page.keyboard.press("Tab")
        expect(page.get_by_test_id("club-give-3")).to_be_focused()
        page.keyboard.press("Enter")
        expect(members).to_contain_text(["owner", "organiser"])
        expect(roles).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_test_id("club-give-4").press("Enter")
        expect(page.get_by_test_id("club-give-no")).to_be_focused()
        assert findings(page) == []
        page.keyboard.press("Enter")
        expect(roles).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_test_id("club-give-4").press("Enter")
        page.get_by_test_id("club-give-yes").press("Enter")
        expect(page.get_by_test_id("club-role")).to_have_text("organiser")
        expect(members).to_contain_text(["Grace", "Ada"])


@pytest.mark.nightly
def test_bounds_and_links_that_no_longer_work_are_said_where_they_are_met(open_page: Opener, site: Deployment):
    page = open_page("/club/nonsense")
    expect(page.get_by_test_id("lost")).to_contain_text("There is no such club")
    with club_of(page, site, clubs_pb2.Club.ENTRY_OPEN) as (_, club_id), Client(site.grpc_address, name="Grace") as grace:
        for _ in range(MAX_LINKS + 1):
            expect(page.get_by_test_id("club-link-create")).to_be_enabled()
            page.get_by_test_id("club-link-create").click()
        expect(page.get_by_test_id("club-refused")).to_have_text("Five links are the limit. Revoke one first.")
        clubs.join(grace, club_id)
        for number in range(MAX_OWN):
            clubs.found(grace, f"Club {number}")
        page.reload()
        page.get_by_test_id("club-roles").click()
        page.get_by_test_id("club-give-4").click()
        page.get_by_test_id("club-give-yes").click()
        expect(page.get_by_test_id("club-refused")).to_have_text("This member already owns five clubs, which is the limit.")
        for number in range(1, MAX_OWN):
            found_club(page, f"Another {number}", "1")
            page.wait_for_url("**/club/*")
        found_club(page, "One too many", "1")
        expect(page.get_by_test_id("club-form-refused")).to_have_text("You already own five clubs, which is the limit.")
        other = open_page(f"/club/{club_id}/guessed")
        other.get_by_test_id("club-join").click()
        expect(other.get_by_test_id("club-refused")).to_have_text("This link does not work any more.")
        other.wait_for_url(f"**/club/{club_id}")
        other.get_by_test_id("club-join").click()
        expect(other.get_by_test_id("club-role")).to_have_text("member")


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("de-DE", "dark")])
@pytest.mark.parametrize("screen", [DESKTOP, IPHONE], ids=["desktop", "iphone"])
def test_everything_of_a_club_can_be_read_and_fits_the_screen(
    open_page: Opener, site: Deployment, screen: Screen, locale: str, scheme: str
):
    page = open_page(**screen.context, locale=locale, color_scheme=scheme)
    with Client(site.grpc_address, name="Ada") as ada:
        clubs.sign_in(page, ada, "Ada")
        club_id = clubs.found_whole(ada, site.grpc_address)
        page.goto(f"http://{site.web_address}/club/{club_id}")
        for name in ("club-tables", "club-line", "club-asking"):
            expect(page.get_by_test_id(name).first).to_be_visible()
        for name in ("club-roles", "club-change", "club-tournament-new"):
            press(page.get_by_test_id(name).first)
        expect(page.get_by_test_id("tournament-form")).to_be_visible()
        assert findings(page) == []
        assert not page.evaluate(SIDEWAYS)
        page.goto(f"http://{site.web_address}/clubs")
        expect(page.get_by_test_id("own-clubs")).to_be_visible()
        press(page.get_by_test_id("club-new"))
        expect(page.get_by_test_id("club-form")).to_be_visible()
        assert findings(page) == []
        assert not page.evaluate(SIDEWAYS)
