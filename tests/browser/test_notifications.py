"""Being told in a page: the list of one's tables, the mark in the tab, and the browser's notifications."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from tests.browser.play import look_again, play_by_mouse, sit_down, touchable
from tests.surroundings import lacking

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.service_worker]

SHOWN = """async () => {
  const worker = await navigator.serviceWorker.getRegistration();
  return ((await worker?.getNotifications()) ?? []).map(({ title, body, tag }) => ({ title, body, tag }));
}"""

COUNTED = """
window.asked = 0;
const ask = Notification.requestPermission.bind(Notification);
Notification.requestPermission = () => (window.asked++, ask());
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment of its own: a test takes its players service away."""
    web.build(lambda line: print(line))
    with Deployment(data=tmp_path_factory.mktemp("site")) as started:
        yield started


def until_it_is_the_turn_of(page: Page, other: Page) -> None:
    """Let the other one play until it is the turn of a page's player, who is at the table."""
    for _ in range(200):
        if touchable(page):
            return
        play_by_mouse(other)
    pytest.fail("the turn does not come")


def play_until_the_turn_is_over(page: Page) -> None:
    """Play at a page until its player is not to act any more."""
    for _ in range(200):
        if not touchable(page):
            return
        play_by_mouse(page)
    pytest.fail("the turn does not go on")


def go_to_lobby(page: Page) -> None:
    page.evaluate("history.pushState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_test_id("my-tables")).to_be_visible()


def notifications(page: Page) -> list[dict[str, str]]:
    """Return what the browser shows for a page, once it shows something."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        shown: list[dict[str, str]] = page.evaluate(SHOWN)
        if shown:
            return shown
        look_again(page)
    pytest.fail("no notification is shown")


def icon(page: Page) -> str:
    return page.locator("link[rel=icon]").get_attribute("href") or ""


@pytest.mark.nightly
def test_the_tab_and_the_list_tell_whose_turn_it_is_and_lead_to_the_table(open_page) -> None:
    one, other = open_page(), open_page(locale="de-DE")
    path = sit_down(one, other)
    until_it_is_the_turn_of(other, one)
    go_to_lobby(one)
    expect(one).to_have_title("Brettwerk")
    play_until_the_turn_is_over(other)
    expect(one).to_have_title("(1) Your move – Brettwerk")
    assert icon(one) == "/favicon-turn.svg"
    first = one.get_by_test_id("my-tables").locator("li").first
    expect(first).to_contain_text("Your move")
    expect(first.get_by_test_id("last-played")).to_contain_text("last played")
    first.get_by_test_id("table-link").click()
    expect(one).to_have_url(f"{one.url.partition('/s/')[0]}{path}")
    expect(one.get_by_test_id("board")).to_be_visible()
    until_it_is_the_turn_of(other, one)
    go_to_lobby(one)
    expect(one).to_have_title("Brettwerk")
    assert icon(one) == "/favicon.svg"


@pytest.mark.nightly
def test_a_browser_that_allows_no_notifications_is_not_asked_by_itself_and_says_so(open_page) -> None:
    page = open_page()
    page.add_init_script(COUNTED)
    page.reload()
    page.get_by_test_id("open-settings").click()
    expect(page.get_by_test_id("notify")).not_to_be_checked()
    assert page.evaluate("window.asked") == 0
    page.get_by_test_id("notify").click()
    expect(page.get_by_role("alert").filter(has_text="does not allow notifications")).to_be_visible()
    assert page.evaluate("window.asked") == 1
    expect(page.get_by_test_id("notify")).not_to_be_checked()


@pytest.mark.nightly
def test_a_player_who_asked_for_it_is_notified_of_their_turn(open_page) -> None:
    one, other = open_page(), open_page()
    one.context.grant_permissions(["notifications"])
    if one.evaluate("Notification.permission") != "granted":
        lacking("chromium-headless-shell shows no notifications", "remove it, and apt install chromium", optional=True)
    path = sit_down(one, other)
    one.get_by_test_id("open-settings").click()
    one.get_by_test_id("notify").check()
    expect(one.get_by_test_id("notify")).to_be_checked()
    one.keyboard.press("Escape")
    until_it_is_the_turn_of(other, one)
    go_to_lobby(one)
    # Playwright lets each page believe that it is looked at.
    one.evaluate("Object.defineProperty(document, 'hasFocus', { value: () => false })")
    play_until_the_turn_is_over(other)
    (shown,) = notifications(one)
    assert (shown["body"], shown["tag"]) == ("It is your turn.", path.removeprefix("/s/"))


@pytest.mark.nightly
def test_while_the_players_service_is_away_the_list_goes_on(open_page, site) -> None:
    one, other = open_page(), open_page()
    sit_down(one, other)
    until_it_is_the_turn_of(other, one)
    go_to_lobby(one)
    site.kill("players")
    play_until_the_turn_is_over(other)
    expect(one.get_by_test_id("my-tables").locator("li").first).to_contain_text("Your move")
    expect(one).to_have_title("(1) Your move – Brettwerk")
    site.wait("players")
