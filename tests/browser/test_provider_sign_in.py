"""Signing in through a real OpenID provider in Chromium: two devices, a refusal, and a provider that is away."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from deploy.local.ports import choose
from tests.browser.play import choose_game
from tests.openid_provider import OpenIdProvider

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    with OpenIdProvider() as running:
        yield running


@pytest.fixture(scope="module")
def site(provider: OpenIdProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment that serves the web client and has a provider."""
    web.build(lambda line: print(line))
    ports = choose("127.0.0.1")
    client_id, secret = provider.register(f"http://127.0.0.1:{ports.web}/signed-in")
    own = {"ISSUER": provider.issuer, "CLIENT_ID": client_id, "CLIENT_SECRET": secret, "NAME": "Example"}
    environment = {f"BRETTWERK_OPENID_{name}": value for name, value in own.items()}
    with Deployment(data=tmp_path_factory.mktemp("site"), ports=ports, environment=environment) as started:
        yield started


def sign_in(page: Page, subject: str) -> None:
    """Go to the provider's page from the account page, and sign in there."""
    page.get_by_test_id("open-account").click()
    page.get_by_test_id("sign-in-provider").click()
    page.get_by_placeholder("sub").fill(subject)
    page.get_by_role("button", name="Authorize").click()


def test_a_guest_becomes_an_account_and_plays_on_at_another_device(open_page) -> None:
    one, other = open_page(), open_page(locale="de-DE")
    choose_game(one, "einstein")
    one.get_by_test_id("play-button").click()
    expect(one.get_by_test_id("board")).to_be_visible()
    table = one.url
    sign_in(one, "ada@example.org")
    expect(one.get_by_test_id("account-said")).to_contain_text("signed in")
    expect(one).to_have_url(f"{table.partition('/s/')[0]}/account")
    expect(one.get_by_test_id("account-status")).not_to_contain_text("guest")
    sign_in(other, "ada@example.org")
    expect(other.get_by_test_id("account-said")).to_contain_text("angemeldet")
    other.goto(table)
    expect(other.get_by_test_id("board").locator("[data-testid^=square-]:not([disabled])").first).to_be_visible()
    expect(other.get_by_test_id("resign")).to_be_visible()


def test_a_denied_sign_in_leaves_a_guest(open_page) -> None:
    page = open_page()
    page.get_by_test_id("open-account").click()
    page.get_by_test_id("sign-in-provider").click()
    page.get_by_role("button", name="Deny").click()
    expect(page.get_by_test_id("refusal")).to_contain_text("You were not signed in")
    expect(page.get_by_test_id("account-status")).to_contain_text("guest")


def test_an_answer_that_another_browser_got_is_refused(open_page) -> None:
    one, other = open_page(), open_page(locale="de-DE")
    one.route("**/signed-in?*", lambda route: route.abort())
    with one.expect_request("**/signed-in?*") as caught:
        sign_in(one, "eve@example.org")
    other.get_by_test_id("open-account").click()
    expect(other.get_by_test_id("sign-in-provider")).to_be_visible()
    other.goto(caught.value.url)
    expect(other.get_by_test_id("refusal")).to_be_visible()
    expect(other.get_by_test_id("account-said")).to_be_empty()


def test_while_the_provider_is_away_the_page_says_so_and_other_ways_go_on(open_page, site, provider) -> None:
    page = open_page(locale="de-DE")
    page.get_by_test_id("open-account").click()
    expect(page.get_by_test_id("sign-in-provider")).to_have_text("Mit Example anmelden")
    provider.stop()
    try:
        site.kill("players")  # what it knew of the provider is gone
        site.wait("players")
        page.get_by_test_id("sign-in-provider").click()
        expect(page.get_by_test_id("refusal")).to_contain_text("nicht erreichbar", timeout=60_000)
        page.get_by_test_id("make-phrase").click()
        expect(page.get_by_test_id("phrase")).to_be_visible()
    finally:
        provider.start()
