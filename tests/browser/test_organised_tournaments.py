"""The organiser's ways on the page: a round is changed and begun, pairs are forbidden, and a series is joined."""

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import DESKTOP, IPHONE
from tests.browser.test_tournaments import named, programs

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]


def test_a_round_is_seen_by_its_owner_changed_by_hand_and_begun(open_page: Opener, site: Deployment):
    owner = named(open_page(**DESKTOP.context), "Ada", site)
    owner.get_by_test_id("tournament-new").click()
    owner.get_by_test_id("tournament-name").fill("Evening of pairs")
    owner.get_by_test_id("tournament-game").select_option("einstein")
    owner.get_by_test_id("tournament-pause").select_option("3600")
    owner.get_by_test_id("tournament-create").click()
    owner.wait_for_url("**/tournament/*")
    guest = open_page(owner.url.removeprefix(f"http://{site.web_address}"), **IPHONE.context, locale="de-DE")
    with programs(site, owner, "Bo", "Cleo", "Dora", "Emil", "Finn"):
        forbidden = owner.get_by_test_id("forbidden")
        forbidden.locator("summary").click()
        for name in ("Bo", "Cleo"):
            forbidden.get_by_label(name).check()
        owner.get_by_test_id("forbid").click()
        expect(owner.get_by_test_id("forbidden-pairs").get_by_role("listitem")).to_have_count(1)
        owner.get_by_test_id("tournament-start").click()
        expect(owner.get_by_test_id("planned")).to_have_count(3)
        expect(guest.get_by_test_id("round-waits")).to_be_visible()
        expect(guest.get_by_test_id("round-plan")).to_have_count(0)
        owner.get_by_test_id("plan-seat-1").select_option(label="Bo")
        owner.get_by_test_id("plan-seat-2").select_option(label="Cleo")
        owner.get_by_test_id("plan-set").click()
        expect(owner.get_by_test_id("plan-refused")).to_have_text("You have forbidden this pair.")
        owner.get_by_test_id("plan-seat-2").select_option(label="Dora")
        owner.get_by_test_id("plan-set").click()
        expect(owner.get_by_test_id("release")).to_have_count(1)
        assert findings(owner) == []
        assert findings(guest) == []
        owner.get_by_test_id("begin-round").click()
        expect(owner.get_by_test_id("round-1").get_by_test_id("by-hand")).to_have_count(1)
        expect(guest.get_by_test_id("by-hand")).to_have_text("Von der Turnierleitung von Hand festgelegt")
        expect(owner.get_by_test_id("round-plan")).to_have_count(0)


def test_a_series_is_created_joined_and_cancelled(open_page: Opener, site: Deployment):
    owner = named(open_page(**DESKTOP.context), "Ada", site)
    owner.get_by_test_id("tournament-new").click()
    owner.get_by_test_id("tournament-name").fill("Monday league")
    owner.get_by_test_id("series-every").select_option("7")
    owner.get_by_test_id("series-count").fill("5")
    owner.get_by_test_id("series-best").fill("3")
    owner.get_by_test_id("tournament-create").click()
    expect(owner.get_by_test_id("tournament-refused")).to_be_visible()  # it starts at a time
    owner.get_by_test_id("tournament-starts").fill((datetime.now() + timedelta(days=2)).strftime("%Y-%m-%dT19:00"))  # noqa: DTZ005
    assert findings(owner) == []
    owner.get_by_test_id("tournament-create").click()
    owner.wait_for_url("**/series/*")
    guest = open_page("/tournaments", **IPHONE.context, locale="de-DE")
    guest.get_by_test_id("series-row").get_by_role("link", name="Monday league").click()
    expect(guest.get_by_text("Jede Woche · 5 Turniere · die besten 3 zählen")).to_be_visible()
    guest.get_by_test_id("series-join").click()
    expect(guest.get_by_test_id("series-leave")).to_be_visible()
    expect(guest.get_by_test_id("series-tournaments").get_by_test_id("tournament-row")).to_contain_text("1 von 16")
    for page in (owner, guest):
        assert findings(page) == []
    guest.get_by_test_id("series-tournaments").get_by_role("link").click()
    expect(guest.get_by_test_id("tournament-series")).to_be_visible()
    owner.get_by_test_id("series-cancel").click()
    owner.get_by_test_id("series-yes").click()
    expect(owner.get_by_test_id("series-state")).to_have_text("cancelled")
