"""Bots and API tokens on the account page, on a phone and a large screen, and what others see of a bot."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from brettwerk_client import Client, Refused, computer, me
from deploy.local.deployment import Deployment
from tests.browser.looks import at_night

pytestmark = [pytest.mark.e2e, pytest.mark.browser]
SCREENS = pytest.mark.parametrize(
    ("width", "locale", "scheme"), [(390, "de-DE", "light"), at_night(1440, "en-GB", "dark"), at_night(390, "en-GB", "dark")]
)


def account_with_bot(page: Page, name: str) -> str:
    """Make an account that owns a bot with an API token; returns the token."""
    page.get_by_test_id("make-phrase").click()
    page.get_by_test_id("new-bot-name").fill(name)
    page.get_by_test_id("create-bot").click()
    expect(page.get_by_test_id("bot")).to_have_count(1)
    page.get_by_test_id("token-label").fill("Laptop")
    page.get_by_test_id("token-who").select_option(label=name)
    expect(page.get_by_test_id("scope-7")).to_have_count(0)
    page.get_by_test_id("create-token").click()
    expect(page.get_by_test_id("token-value")).to_be_visible()
    return page.get_by_test_id("token-value").input_value()


@pytest.mark.nightly
@SCREENS
def test_an_owner_makes_a_bot_that_plays_marked_until_its_token_is_revoked(
    open_page, site: Deployment, width: int, locale: str, scheme: str, tmp_path: Path
) -> None:
    page = open_page("/account", locale=locale, color_scheme=scheme, viewport={"width": width, "height": 844})
    expect(page.get_by_test_id("builders")).to_have_count(0)
    token = account_with_bot(page, "Würfelbot")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_test_id("builders").screenshot(path=tmp_path / f"builders-{width}-{locale}.png")
    with Client(site.grpc_address, token=token) as client:
        session = client.create_session("einstein", [me(), computer("easy")], public=True).session
        assert session.seats[0].occupant.person.bot
        other = open_page(f"/s/{session.id}", locale=locale)
        expect(other.get_by_text("Würfelbot (Bot)").first).to_be_visible()
        other.goto(f"http://{site.web_address}/player/{session.seats[0].occupant.person.player_id}")
        expect(other.get_by_test_id("bot-owner")).to_be_visible()
        page.get_by_test_id("revoke-token").click()
        expect(page.get_by_test_id("api-token")).to_have_count(0)
        with pytest.raises(Refused):
            client.challenges()


@pytest.mark.nightly
@SCREENS
def test_the_arena_shows_who_plays_and_lets_a_bot_in(
    open_page, site: Deployment, width: int, locale: str, scheme: str, tmp_path: Path
) -> None:
    page = open_page("/account", locale=locale, color_scheme=scheme, viewport={"width": width, "height": 844})
    account_with_bot(page, "Gladiator")
    page.goto(f"http://{site.web_address}/arena/einstein")
    page.get_by_test_id("arena-enter").first.select_option("1")
    expect(page.get_by_test_id("arena-bots")).to_contain_text("Gladiator")
    expect(page.get_by_test_id("arena-games").first).to_contain_text("Gladiator")
    expect(page.get_by_test_id("arena-games").first.get_by_role("link").first).to_have_attribute("href", re.compile("/s/"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path=tmp_path / f"arena-{width}-{locale}-{scheme}.png", full_page=True)


@pytest.mark.nightly
def test_a_bot_is_suspended_and_deleted_only_when_that_is_confirmed(open_page) -> None:
    page = open_page("/account")
    account_with_bot(page, "Short life")
    page.get_by_test_id("bot-suspend").click()
    expect(page.get_by_test_id("bot-suspended")).to_be_visible()
    page.get_by_test_id("bot-delete").click()
    expect(page.get_by_test_id("bot")).to_have_count(1)
    page.get_by_test_id("bot-delete-sure").click()
    expect(page.get_by_test_id("bot")).to_have_count(0)
    expect(page.get_by_test_id("api-token")).to_have_count(0)
