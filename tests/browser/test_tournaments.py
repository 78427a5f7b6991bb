"""Tournaments on the page: created, joined, played and looked at, in two browsers."""

import contextlib
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import tournaments_pb2
from brettwerk_client import Client
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import DESKTOP, IPHONE
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


@contextlib.contextmanager
def programs(site: Deployment, page: Page, *names: str) -> Iterator[list[Client]]:
    """Yield programs that have joined the tournament of a page."""
    with contextlib.ExitStack() as close:
        found = [close.enter_context(Client(site.grpc_address, name=name)) for name in names]
        for each in found:
            join(each, page)
        yield found


def tournament_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def join(program: Client, page: Page) -> None:
    program.call(program.service.JoinTournament, tournaments_pb2.JoinTournamentRequest(tournament_id=tournament_of(page)))


def play_round(page: Page, players: Sequence[Client], number: int, *, tables: int) -> None:
    """Let programs play the tables of a round as soon as the page shows them: all but the first one of the start list give up."""
    expect(page.get_by_test_id(f"round-{number}").get_by_role("link")).to_have_count(tables)
    request = tournaments_pb2.GetTournamentRequest(tournament_id=tournament_of(page))
    seen = players[0].call(players[0].service.GetTournament, request)
    by_id = {each.player.id: each for each in players if each.player is not None}
    ids = {each.number: each.player.player_id for each in seen.standings}
    for pairing in seen.pairings:
        if pairing.round != number or pairing.decided:
            continue
        seated = sorted([pairing.first, pairing.second, *pairing.others])
        seats = [by_id[ids[each]].join_session(pairing.session_id) for each in seated]
        for seat in reversed(seats[1:]):
            seat.resign()


@pytest.mark.nightly
def test_a_knock_out_of_four_ends_with_a_final_and_a_game_for_third_place(open_page: Opener, site: Deployment):
    owner = named(open_page(**DESKTOP.context), "Ada", site)
    create(owner, "Cup of four", "3")
    guest = open_page(owner.url.removeprefix(f"http://{site.web_address}"), **IPHONE.context, locale="de-DE")
    with programs(site, owner, "Bo", "Cleo", "Dora", "Emil") as players:
        owner.get_by_test_id("tournament-start").click()
        expect(guest.get_by_role("heading", name="Halbfinale")).to_be_visible()
        play_round(owner, players, 1, tables=2)
        final = guest.get_by_test_id("round-2").get_by_test_id("pairing")
        expect(final).to_have_count(2)
        expect(final.filter(has_text="um Platz 3")).to_have_count(1)
        play_round(owner, players, 2, tables=2)
    expect(guest.get_by_test_id("tournament-state")).to_have_text("beendet")
    expect(owner.get_by_test_id("tournament-state")).to_have_text("over")
    for page in (owner, guest):
        assert [place.inner_text() for place in page.get_by_test_id("standing").locator("td:first-child").all()] == list("1234")
        assert findings(page) == []


@pytest.mark.nightly
def test_groups_are_seen_by_themselves_until_the_knock_out(open_page: Opener, site: Deployment):
    owner = named(open_page(**DESKTOP.context), "Ada", site)
    create(owner, "Cup of groups", "5")
    guest = open_page(owner.url.removeprefix(f"http://{site.web_address}"), **IPHONE.context, locale="de-DE")
    with programs(site, owner, "Bo", "Cleo", "Dora", "Emil", "Finn", "Gerd") as players:
        owner.get_by_test_id("tournament-start").click()
        expect(guest.get_by_role("heading", name="Gruppe B")).to_be_visible()
        expect(guest.get_by_test_id("standings")).to_have_count(0)
        for number in (1, 2, 3):
            play_round(owner, players, number, tables=2)
        expect(guest.get_by_role("heading", name="Halbfinale")).to_be_visible()
        for page in (owner, guest):
            tables = page.get_by_test_id("group")
            expect(tables).to_have_count(2)
            assert [place.inner_text() for place in tables.first.locator("td:first-child").all()] == list("123")
            assert findings(page) == []
        for number in (4, 5):
            play_round(owner, players, number, tables=2)
    expect(owner.get_by_test_id("tournament-state")).to_have_text("over")
    places = owner.get_by_test_id("standings").locator("tbody td:first-child").all()
    assert [place.inner_text() for place in places] == list("123455")


@pytest.mark.nightly
def test_one_takes_all_seats_and_plays_everybody(open_page: Opener, site: Deployment):
    owner = named(open_page(**DESKTOP.context), "Ada", site)
    create(owner, "One against many", "6")
    address = owner.url
    with programs(site, owner, "Bo", "Cleo") as players:
        owner.get_by_test_id("tournament-start").click()
        expect(owner.get_by_test_id("own-table")).to_contain_text("2 tables are waiting for you")
        sessions = [link.get_attribute("href") for link in owner.get_by_test_id("round-1").get_by_role("link").all()]
        owner.get_by_test_id("go-table").click()
        owner.wait_for_url(f"**{sessions[0]}")
        request = tournaments_pb2.GetTournamentRequest(tournament_id=address.rpartition("/")[2])
        seen = players[0].call(players[0].service.GetTournament, request)
        ids = {each.number: each.player.player_id for each in seen.standings}
        for pairing in seen.pairings:
            (other,) = (each for each in players if each.player and each.player.id in (ids[pairing.first], ids[pairing.second]))
            other.join_session(pairing.session_id).resign()
    owner.goto(address)
    expect(owner.get_by_test_id("tournament-state")).to_have_text("over")
    expect(owner.get_by_test_id("standing").first).to_contain_text("Ada")
    assert findings(owner) == []


@pytest.mark.nightly
def test_at_tables_of_three_a_late_player_a_bye_and_a_correction_are_seen(open_page: Opener, site: Deployment):
    owner = named(open_page(**DESKTOP.context), "Ada", site)
    owner.get_by_test_id("tournament-new").click()
    owner.get_by_test_id("tournament-name").fill("Evening of maps")
    owner.get_by_test_id("tournament-kind").select_option("4")
    owner.get_by_test_id("tournament-game").select_option("emperado")
    owner.get_by_test_id("tournament-seats").select_option("3")
    owner.get_by_test_id("tournament-rounds").select_option("3")
    owner.get_by_test_id("tournament-late").check()
    assert findings(owner) == []
    owner.get_by_test_id("tournament-create").click()
    owner.wait_for_url("**/tournament/*")
    guest = open_page(owner.url.removeprefix(f"http://{site.web_address}"), **IPHONE.context, locale="de-DE")
    with programs(site, owner, "Bo", "Cleo", "Dora", "Emil", "Finn", "Gil") as players:
        owner.get_by_test_id("tournament-start").click()
        first = owner.get_by_test_id("round-1").get_by_test_id("pairing")
        expect(first).to_have_count(2)
        guest.get_by_test_id("tournament-join").click()
        expect(owner.get_by_test_id("standing").filter(has_text="from round 2")).to_have_count(1)
        guest.get_by_test_id("tournament-bye").click()
        expect(guest.get_by_text("Du setzt die nächste Runde aus.")).to_be_visible()
        play_round(owner, players, 1, tables=2)
        second = guest.get_by_test_id("round-2").get_by_test_id("pairing")
        expect(second.filter(has_text="hat spielfrei")).to_have_count(1)
        expect(owner.get_by_test_id("round-2")).to_be_visible()
        owner.get_by_test_id("round-1").get_by_test_id("correct").first.click()
        correction = owner.get_by_test_id("correction")
        assert findings(owner) == []
        for select, points in zip(correction.get_by_role("combobox").all(), ("1", "1", "1"), strict=True):
            select.select_option(label=points)
        owner.get_by_test_id("correction-why").fill("All three agreed on a draw")
        owner.get_by_test_id("correction-done").click()
        noted = guest.get_by_test_id("round-1").get_by_test_id("corrected")
        expect(noted).to_have_text("Geändert von der Turnierleitung: All three agreed on a draw")
        assert findings(guest) == []


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


@pytest.mark.nightly
def test_in_an_arena_one_is_paired_again_and_again_and_pauses_at_will(open_page: Opener, site: Deployment):
    ada = named(open_page(**DESKTOP.context), "Ada", site)
    ada.get_by_test_id("tournament-new").click()
    ada.get_by_test_id("tournament-name").fill("An hour of EinStein")
    ada.get_by_test_id("tournament-game").select_option("einstein")
    ada.get_by_test_id("tournament-kind").select_option("40")
    ada.get_by_test_id("tournament-duration").select_option("20")
    assert findings(ada) == []
    ada.get_by_test_id("tournament-create").click()
    ada.wait_for_url("**/tournament/*")
    address = ada.url
    ada.get_by_test_id("tournament-join").click()
    with programs(site, ada, "Cleo") as (cleo,):
        ada.get_by_test_id("tournament-start").click()
        ada.wait_for_url("**/s/*")  # whoever waits here comes to the table without a click
        for _ in range(2):
            cleo.join_session(ada.url.rpartition("/")[2]).resign()
            before = ada.url
            card = ada.get_by_test_id("next-round")
            expect(card).to_contain_text("Cleo is waiting for you")
            assert findings(ada) == []
            ada.get_by_test_id("next-round-go").click()
            ada.wait_for_url(lambda url, before=before: "/s/" in url and url != before)  # type: ignore[misc]
        bo = open_page(address.removeprefix(f"http://{site.web_address}"), **IPHONE.context, locale="de-DE")
        own = bo.get_by_test_id("standing").filter(has_text="Ada")
        expect(own).to_contain_text("×2")
        bo.get_by_test_id("tournament-join").click()
        expect(bo.get_by_test_id("arena-waits")).to_contain_text("Du bist dabei.")
        expect(bo.get_by_test_id("arena-left")).to_contain_text("Noch 1")
        assert findings(bo) == []
        bo.get_by_test_id("tournament-leave").click()
        expect(bo.get_by_test_id("arena-paused")).to_be_visible()
        assert findings(bo) == []
        bo.get_by_test_id("tournament-join").click()
        cleo.join_session(ada.url.rpartition("/")[2]).resign()
        bo.wait_for_url("**/s/*")
