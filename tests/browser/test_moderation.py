"""Moderation: moderators decide and see what was done, operators change words and see the server, others see neither."""

import re
import secrets
from functools import cache

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import accounts_pb2, play_pb2
from brettwerk_client import Client
from deploy.local.deployment import Deployment
from tests.browser import abuse, moderation
from tests.browser.axe import findings
from tests.browser.clubs import sign_in
from tests.browser.conftest import Opener
from tests.browser.looks import LOOKS, SCREENS
from tests.browser.test_operator import overflow
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]
SLOW_MS = 30_000
"""The figures of the server take seconds to come."""


@cache
def play_abuse(site: Deployment) -> None:
    """Let wins be traded and games be left, once: what is found is kept for ten minutes."""
    abuse.play(site)


def open_moderation(open_page: Opener, site: Deployment, role: str, *, reports: bool = False, **context: object) -> Page:
    """Return the page of a player with a role."""
    page = open_page("/rules/einstein", **context)
    with Client(site.grpc_address, name="Cleo") as client:
        player = client.sign_in(play_pb2.CreatePlayerRequest(name="Cleo"))
        moderation.give_role(client, role, site.environment)
        if reports:
            moderation.wait_for_reports(client)
        stored = f'{{"id": "{player.id}", "token": "{player.token}", "name": "Cleo"}}'
    page.add_init_script(f"localStorage.setItem('brettwerk.player', {stored!r})")
    page.goto(f"http://{site.web_address}/operator")
    return page


@LOOKS
@pytest.mark.parametrize("screen", by_day(SCREENS, "android"))
def test_a_moderator_decides_a_report_with_its_context_and_the_log_says_so(
    open_page: Opener, site: Deployment, locale: str, scheme: str, screen: str
) -> None:
    loud = f"Eve {secrets.token_hex(3)}"
    moderation.report_some(site.grpc_address, loud)
    page = open_moderation(
        open_page, site, "moderator", reports=True, locale=locale, color_scheme=scheme, **SCREENS[screen].context
    )
    cards = page.get_by_test_id("report-card").filter(has_text=loud)
    said = cards.filter(has_text="Go home, you fools!")
    expect(said).to_contain_text("It goes on like this all the time.")
    said.locator("summary").first.click()
    expect(said).to_contain_text("You will need it.")
    said.get_by_test_id("report-decide").click()
    said.get_by_test_id("measure-act").select_option("3")
    said.get_by_test_id("measure-reason").fill("Insults")
    assert findings(page) == []
    assert overflow(page) <= 0
    said.get_by_test_id("measure-send").click()
    expect(said).to_have_count(0)
    for section in ("players", "log", "tables"):
        page.get_by_test_id(f"section-{section}").click()
        expect(page.get_by_test_id(f"moderation-{section}")).to_be_visible()
        if section != "tables":
            expect(page.get_by_test_id("restriction" if section == "players" else "act").first).to_be_visible()
        assert findings(page) == []
        assert overflow(page) <= 0
    expect(page.get_by_test_id("section-words")).to_have_count(0)


@LOOKS
@pytest.mark.parametrize("screen", by_day(SCREENS, "iphone"))
def test_a_moderator_opens_the_lists_of_rating_abuse_and_their_games_by_keys(
    open_page: Opener, site: Deployment, locale: str, scheme: str, screen: str
) -> None:
    play_abuse(site)
    page = open_moderation(open_page, site, "moderator", locale=locale, color_scheme=scheme, **SCREENS[screen].context)
    page.get_by_test_id("section-conduct").focus()
    page.keyboard.press("Enter")
    pair = page.get_by_test_id("traded-wins").filter(has_text="Grace")
    expect(pair).to_have_count(1)
    expect(pair.get_by_role("link", name="Grace")).to_have_attribute("href", "/player/grace")
    expect(pair.get_by_role("link", name="Heidi")).to_be_visible()
    expect(pair.get_by_role("definition").first).to_have_text(str(abuse.TRADED))
    pair.get_by_test_id("conduct-games").focus()
    page.keyboard.press("Enter")
    links = pair.get_by_role("list").get_by_role("link")
    expect(links).to_have_count(abuse.TRADED)
    expect(links.first).to_have_attribute("href", re.compile("^/s/.{24}$"))
    expect(page.get_by_test_id("thrown-games").filter(has_text="Heidi")).to_be_visible()
    leaver = page.get_by_test_id("leaver").filter(has_text="Mallory")
    expect(leaver.get_by_role("definition")).to_contain_text([f"7 {'of' if locale == 'en-GB' else 'von'} 30", "%"])
    assert findings(page) == []
    assert overflow(page) <= 0
    made = page.get_by_test_id("conduct-made")
    before = made.inner_text()
    page.get_by_test_id("conduct-again").click()
    expect(made).to_have_text(before)


def test_an_operator_adds_a_word_by_keys_and_sees_the_server_without_a_key(open_page: Opener, site: Deployment) -> None:
    page = open_moderation(open_page, site, "operator")
    page.get_by_test_id("section-words").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("word").fill("Nincompoop")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("moderation-word").filter(has_text="nincompoop")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="Remove nincompoop").click()
    expect(page.get_by_test_id("moderation-word").filter(has_text="nincompoop")).to_have_count(0)
    page.get_by_test_id("section-server").click()
    expect(page.get_by_test_id("process").first).to_be_visible(timeout=SLOW_MS)


def test_a_player_reports_another_one_and_sees_no_moderation(open_page: Opener, site: Deployment) -> None:
    with Client(site.grpc_address, name="Loud") as client:
        player = client.sign_in(play_pb2.CreatePlayerRequest(name="Loud"))
        client.call(client.service.SetPhrase, accounts_pb2.SetPhraseRequest())
    with Client(site.grpc_address, name="Ada") as ada:
        page = open_page("/rules/einstein")
        sign_in(page, ada, "Ada")
    page.goto(f"http://{site.web_address}/player/{player.id}")
    page.get_by_test_id("report").locator("summary").click()
    page.get_by_test_id("report-comment").fill("Never stops talking")
    assert findings(page) == []
    page.get_by_test_id("report-send").click()
    expect(page.get_by_test_id("report-sent")).to_be_visible()
    page.goto(f"http://{site.web_address}/operator")
    expect(page.get_by_label("Operator's key")).to_be_visible()
    expect(page.get_by_test_id("section-reports")).to_have_count(0)
