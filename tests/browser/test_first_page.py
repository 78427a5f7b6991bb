"""The cost of a first visit and of a second one, and that nothing moves while the first page comes."""

import time
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from brettwerk_client import Client, computer, me
from tests.browser.looks import SCREENS
from tests.browser.stage import MAX_SHIFT, OBSERVE, cumulative_layout_shift
from tests.browser.test_stage import GAMES
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.service_worker]

MAX_CODE, MAX_DATA = 118 * 1024, 60_000
"""Bytes of scripts, and of everything else, that come over the network for the first page."""
MAX_AGAIN = 6_000
"""Bytes that come when the page is opened again: what is new, and that the rest is as it was."""


class Traffic:
    """The bytes that come over the network to a page, by kind."""

    def __init__(self, page: Page) -> None:
        self.bytes: Counter[str] = Counter()
        self._kinds: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        self.asked, self.open = 0, dict[str, str]()
        """How many requests there were, and the addresses of those whose answers are still coming."""
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.loadingFailed", self._ended)
        session.on("Network.responseReceived", self._known)
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.webSocketFrameReceived", self._frame)

    def _sent(self, sent: dict[str, Any]) -> None:
        self.asked += 1
        self.open[sent["requestId"]] = sent["request"]["url"]

    def _known(self, received: dict[str, Any]) -> None:
        self._kinds[received["requestId"]] = received["type"]

    def _ended(self, ended: dict[str, Any]) -> None:
        self.open.pop(ended["requestId"], None)

    def _finished(self, received: dict[str, Any]) -> None:
        self._ended(received)
        self.bytes[self._kinds.get(received["requestId"], "Other")] += int(received["encodedDataLength"])

    def _frame(self, received: dict[str, Any]) -> None:
        # Frames of bytes are told in base64.
        self.bytes["WebSocket"] += len(received["response"]["payloadData"]) * 3 // 4

    @property
    def code(self) -> int:
        return self.bytes["Script"]

    @property
    def data(self) -> int:
        return self.bytes.total() - self.code


SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
"""A game to look at comes after all that is weighed here, and only where others play: whoever saves data has none."""


ALL_COMES_S = 120
"""So long a machine may take that is busy with much else; an answer that never ends is named then."""


def visit(page: Page, game: str) -> Traffic:
    """Open the first page as somebody who has played this game last; return what came."""
    traffic = Traffic(page)
    page.goto("/")
    expect(page.get_by_test_id("play-button")).to_be_visible()
    expect(page.get_by_test_id(f"about-{game}")).to_be_visible()
    # Not only the network: on a slow device it is idle while scripts run that will ask for more.
    asked, until = -1, time.monotonic() + ALL_COMES_S
    while traffic.open or asked != traffic.asked:
        assert time.monotonic() < until, f"still coming: {', '.join(traffic.open.values())}"
        asked = traffic.asked
        page.evaluate("new Promise(requestIdleCallback)")
    return traffic


@pytest.mark.parametrize("game", by_day(GAMES, "einstein"))
def test_a_first_visit_is_light_and_a_second_one_costs_next_to_nothing(open_page, site, game):
    page = open_page("/v1/health", base_url=f"http://{site.web_address}")
    page.evaluate("(game) => localStorage.setItem('brettwerk.settings', JSON.stringify({ game }))", game)
    page.add_init_script(SAVES_DATA)
    first = visit(page, game)
    assert first.code <= MAX_CODE, first.bytes
    assert first.data <= MAX_DATA, first.bytes
    second = visit(page, game)
    assert second.bytes.total() <= MAX_AGAIN, second.bytes


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_a_first_visit_stays_light_where_a_game_is_there_to_look_at(open_page, site, game):
    with Client(site.grpc_address, name="Ada") as client:
        seat = client.create_session(game, [me(), computer("easy")], public=True).seat
        page = open_page("/v1/health", base_url=f"http://{site.web_address}")
        first = visit(page, "einstein")
        expect(page.locator(f"[data-testid=exhibit][data-game={game}]")).to_contain_text("Ada")
        expect(page.get_by_test_id("live-board").locator("svg >> visible=true").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert first.data <= MAX_DATA, first.bytes
        seat.resign()


@pytest.mark.parametrize("screen", by_day(SCREENS, "iphone"))
def test_the_layout_is_stable_while_the_first_page_comes(open_page, site, screen):
    page = open_page("/v1/health", base_url=f"http://{site.web_address}", **SCREENS[screen].context)
    page.add_init_script(f"({OBSERVE})()")
    visit(page, "einstein")
    assert cumulative_layout_shift(page) < MAX_SHIFT, page.evaluate("globalThis.shifts")


AT_THE_MIDDLE = """(button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  button.focus();
  return [document.elementFromPoint(x + width / 2, y + height / 2), document.activeElement].includes(button);
}"""
"""Whether a click or a key can reach a button."""


@pytest.mark.nightly
def test_the_former_game_cannot_be_touched_while_words_of_another_are_awaited(open_page):
    page = open_page()
    settings, play = page.get_by_test_id("more-settings"), page.get_by_test_id("play-button")
    play.scroll_into_view_if_needed()
    assert play.evaluate(AT_THE_MIDDLE)
    assert settings.evaluate(AT_THE_MIDDLE)
    held: list[Route] = []
    page.route("**/brettwerk.v1.PlayService/GetGame?*", lambda route: held.append(route))
    page.get_by_test_id("game-emperado").check(force=True)
    expect(page.get_by_test_id("start-form")).to_have_attribute("aria-busy", "true")
    assert not play.evaluate(AT_THE_MIDDLE)
    assert not settings.evaluate(AT_THE_MIDDLE)
    for route in held:
        route.continue_()
    expect(page.get_by_test_id("about-emperado")).to_be_visible()
    settings.click()
    expect(page.get_by_test_id("wish-1")).to_be_visible()
