"""Webhooks on the account page: added, tested, told why they fail, changed and removed, by mouse, touch and keys."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.browser.axe import findings
from tests.browser.looks import DESKTOP, IPHONE, Screen, at_night
from tests.browser.play import from_menu, sit_down
from tests.push_endpoint import PushEndpoint

pytestmark = [pytest.mark.e2e, pytest.mark.browser]
SCREENS = pytest.mark.parametrize(
    ("screen", "locale", "scheme"),
    [
        (IPHONE, "de-DE", "dark"),
        at_night(DESKTOP, "en-GB", "light"),
        at_night(IPHONE, "en-GB", "light"),
        at_night(DESKTOP, "de-DE", "dark"),
        at_night(IPHONE, "fr-FR", "light"),
    ],
)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PushEndpoint]:
    with PushEndpoint(tmp_path_factory.mktemp("hooks")) as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, endpoint: PushEndpoint) -> Iterator[Deployment]:
    """A deployment that sends to webhooks."""
    web.build(lambda line: print(line))
    players = {"BRETTWERK_WEBHOOK_HOSTS": endpoint.host, "SSL_CERT_FILE": str(endpoint.authority.file)}
    processes = Processes(own_environment={"players": players})
    with Deployment(data=tmp_path_factory.mktemp("site"), processes=processes) as started:
        yield started


def be_somebody(page: Page) -> None:
    """Be a player, who may have webhooks."""
    page.get_by_test_id("make-phrase").click()
    expect(page.get_by_test_id("webhook-url")).to_be_visible()


def add(page: Page, url: str, label: str, form: str) -> None:
    """Add a webhook by keys."""
    page.get_by_test_id("webhook-form").select_option(form)
    page.get_by_test_id("webhook-url").focus()
    page.keyboard.type(url)
    page.keyboard.press("Tab")
    page.keyboard.type(label)
    page.keyboard.press("Enter")


@pytest.mark.nightly
@SCREENS
def test_a_webhook_is_added_tested_and_removed(
    open_page, endpoint: PushEndpoint, screen: Screen, locale: str, scheme: str, tmp_path: Path
) -> None:
    page = open_page("/account", locale=locale, color_scheme=scheme, **screen.context)
    be_somebody(page)
    path = f"/{screen.width}-{locale}-{scheme}"
    add(page, f"{endpoint.origin}{path}/program", "Heimserver", "1")
    secret = page.get_by_test_id("webhook-secret-value")
    expect(secret).to_be_visible()
    assert secret.input_value().startswith("whsec_")
    add(page, f"{endpoint.origin}{path}/discord", "Unsere Runde", "2")
    expect(page.get_by_test_id("webhook-name")).to_have_count(2)
    expect(secret).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not findings(page)
    page.get_by_test_id("notifications").screenshot(path=tmp_path / f"webhooks-{screen.width}-{locale}-{scheme}.png")

    page.get_by_test_id("test-webhook").last.click()
    expect(page.get_by_test_id("notifications-said")).not_to_be_empty()
    (received,) = [one for one in endpoint.received if one.path == f"{path}/discord"]
    assert json.loads(received.body)["content"]
    page.get_by_test_id("remove-webhook").last.click()
    expect(page.get_by_test_id("webhook-name")).to_have_count(1)
    page.reload()
    expect(page.get_by_test_id("webhook-name")).to_have_value("Heimserver")
    expect(page.get_by_test_id("webhook-secret-value")).to_have_count(0)


@pytest.mark.nightly
def test_an_owner_is_told_why_a_webhook_takes_nothing_and_changes_it(open_page, endpoint: PushEndpoint) -> None:
    page = open_page("/account")
    be_somebody(page)
    add(page, "https://elsewhere.example.org/hook", "", "1")
    expect(page.get_by_test_id("refusal")).to_contain_text("leads to a service that this server allows")
    page.get_by_test_id("webhook-url").fill("")
    endpoint.answers["/closed"] = (403, {})
    add(page, f"{endpoint.origin}/closed", "Closed", "1")
    page.get_by_test_id("test-webhook").click()
    expect(page.get_by_test_id("refusal")).to_contain_text("The webhook does not accept messages (403).")
    page.get_by_test_id("renew-webhook").click()
    assert page.get_by_test_id("webhook-secret-value").input_value().startswith("whsec_")
    page.get_by_test_id("webhook-kinds").click()
    page.get_by_test_id("webhook-kind-4").uncheck()
    expect(page.get_by_test_id("notifications-said")).to_have_text("Saved.")
    page.get_by_test_id("turn-webhook").click()
    expect(page.get_by_test_id("webhook-standing")).to_contain_text("off since")
    page.get_by_test_id("webhook-name").fill("Shut")
    page.get_by_test_id("webhook-name").blur()
    expect(page.get_by_role("button", name="Turn on Shut")).to_be_visible()
    page.reload()
    expect(page.get_by_test_id("webhooks")).to_match_aria_snapshot("""
      - list:
        - listitem:
          - textbox "Name of Shut"
          - text: /Program \\(signed JSON\\), localhost. off since .*/
          - button "Send a test to Shut"
          - button "Turn on Shut"
          - button "New secret for Shut"
          - button "Remove Shut"
    """)
    page.get_by_test_id("webhook-kinds").click()
    expect(page.get_by_test_id("webhook-kind-4")).not_to_be_checked()
    expect(page.get_by_test_id("webhook-kind-1")).to_be_checked()


def test_signing_out_everywhere_shows_at_once_that_webhooks_are_off(open_page, endpoint: PushEndpoint) -> None:
    page = open_page("/account")
    be_somebody(page)
    add(page, f"{endpoint.origin}/signed-out", "Home", "1")
    expect(page.get_by_test_id("webhook-standing")).to_contain_text("on")
    page.get_by_test_id("sign-out").click()
    expect(page.get_by_test_id("webhook-standing")).to_contain_text("off since")
    expect(page.get_by_test_id("account-said")).to_have_text("All other devices have been signed out.")


@pytest.mark.nightly
@SCREENS
def test_the_turns_of_a_table_are_sent_to_a_channel_that_its_creator_names(
    open_page, endpoint: PushEndpoint, screen: Screen, locale: str, scheme: str, tmp_path: Path
) -> None:
    one, other = (open_page(locale=locale, color_scheme=scheme, **screen.context) for _ in range(2))
    sit_down(one, other)
    from_menu(other, "table-webhooks")
    expect(other.get_by_test_id("not-own")).to_be_visible()
    from_menu(one, "table-webhooks")
    expect(one.get_by_test_id("webhook-url")).to_be_visible()
    path = f"/{screen.width}-{locale}-{scheme}/table"
    add(one, f"{endpoint.origin}{path}", "Unsere Runde", "2")
    expect(one.get_by_test_id("webhook-name")).to_have_count(1)
    assert not findings(one)
    one.get_by_test_id("dialog-table-webhooks").screenshot(path=tmp_path / f"table-{screen.width}-{locale}-{scheme}.png")
    received = endpoint.at(path, 1)[0]
    assert b"\x89PNG" in received.body
    assert one.url.partition("/s/")[2].encode() in received.body
