"""A line that is open and carries nothing: the player is told, and what they did counts once."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.axe import findings
from tests.browser.play import BY_HAND, choose_game, look_again, play_by_mouse, sit_down, touchable
from tests.night import at_night

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SIGN_S, SOCKET_S = 5.0, 10.0
"""How soon after an action the player is told that there is no answer, and has another socket."""

HIDDEN = """
  Object.defineProperty(document, "visibilityState", { get: () => "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
"""
SET_BACK = "(() => { const now = Date.now; Date.now = () => now() - 3_600_000; })()"


class Line:
    """The sockets of a page, which can die."""

    def __init__(self, page: Page) -> None:
        self.opened: list[float] = []
        self._is_dead: set[int] = set()
        self._is_deaf: set[int] = set()
        page.route_web_socket("**/v1/connect", self._pass_on)

    def die(self, *, hears: bool) -> None:
        """Let the present socket carry nothing to the page any more; with `hears` the server still gets what is sent."""
        present = len(self.opened) - 1
        self._is_dead.add(present)
        if not hears:
            self._is_deaf.add(present)

    def _pass_on(self, socket: WebSocketRoute) -> None:
        number = len(self.opened)
        self.opened.append(time.monotonic())
        server = socket.connect_to_server()
        socket.on_message(lambda message: None if number in self._is_deaf else server.send(message))
        server.on_message(lambda message: None if number in self._is_dead else socket.send(message))


def until(page: Page, holds: Callable[[], bool], within_s: float) -> float:
    """Return after how many seconds something holds."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < within_s, f"not within {within_s} s"
        look_again(page)
    return time.monotonic() - began


def plies(page: Page) -> int:
    return page.get_by_test_id("action-list").get_by_role("button").count()


@pytest.mark.parametrize(
    ("meanwhile", "hears"),
    [
        at_night("true", False, id="nothing arrives"),
        at_night("true", True, id="the answer is lost"),
        at_night(HIDDEN, True, id="the answer is lost in a hidden tab"),
        at_night(HIDDEN, False, id="nothing arrives in a hidden tab"),
        pytest.param(SET_BACK, False, id="nothing arrives, and the clock is set back by an hour"),
        at_night(SET_BACK, True, id="the answer is lost, and the clock is set back by an hour"),
    ],
)
def test_a_dead_line_is_told_and_given_up_and_the_move_counts_once(open_page, meanwhile, hears) -> None:
    ada, ben = open_page(), open_page()
    line = Line(ada)
    ada.reload()
    sit_down(ada, ben)
    while not touchable(ada):
        play_by_mouse(ben)
    before, sockets = plies(ben), len(line.opened)
    ada.evaluate(meanwhile)
    line.die(hears=hears)
    banner = ada.get_by_test_id("connection-banner")
    while not ada.evaluate("sessionStorage.getItem('brettwerk.outbox')"):
        play_by_mouse(ada)
    acted = time.monotonic()
    until(ada, banner.is_visible, SIGN_S)
    expect(banner).to_contain_text("No answer from the server yet")
    until(ada, lambda: len(line.opened) > sockets, SOCKET_S - (time.monotonic() - acted))
    expect(banner).to_be_hidden()
    for page in (ada, ben):
        expect(page.get_by_test_id("action-list").get_by_role("button")).to_have_count(before + 1)


@pytest.mark.nightly
def test_another_action_meanwhile_is_refused_or_counts_once(open_page) -> None:
    ada, ben = open_page(), open_page()
    line = Line(ada)
    ada.reload()
    sit_down(ada, ben)
    while not touchable(ada):
        play_by_mouse(ben)
    before = plies(ben)
    line.die(hears=False)
    while not ada.evaluate("sessionStorage.getItem('brettwerk.outbox')"):
        play_by_mouse(ada)
    again = ada.context.new_page()  # the same player, whose first move has not arrived
    again.goto(ada.url)
    until(again, lambda: bool(touchable(again)), 20)
    while plies(again) == before:
        play_by_mouse(again)
    expect(ada.get_by_test_id("connection-banner")).to_be_visible()
    expect(ada.get_by_test_id("connection-banner")).to_be_hidden()
    for page in (ada, again, ben):
        expect(page.get_by_test_id("action-list").get_by_role("button")).to_have_count(before + 1)


@pytest.mark.nightly
@pytest.mark.parametrize(("scheme", "locale"), [("light", "en-GB"), ("dark", "de-DE")])
def test_the_notice_of_a_late_answer_can_be_read(open_page, scheme, locale) -> None:
    ada, ben = open_page(color_scheme=scheme, locale=locale), open_page()
    line = Line(ada)
    ada.reload()
    sit_down(ada, ben)
    while not touchable(ada):
        play_by_mouse(ben)
    line.die(hears=True)
    while not ada.evaluate("sessionStorage.getItem('brettwerk.outbox')"):
        play_by_mouse(ada)
    expect(ada.get_by_test_id("connection-banner")).to_contain_text("Server" if locale == "de-DE" else "server")
    assert findings(ada) == []


def test_when_a_table_was_last_played_is_said_by_the_servers_clock(open_page) -> None:
    page = open_page()
    page.add_init_script("(() => { const now = Date.now; Date.now = () => now() + 420_000; })()")
    page.reload()
    choose_game(page, "einstein")
    page.get_by_test_id("play-button").click()
    while plies(page) == 0:
        play_by_mouse(page)
    page.goto(page.url.partition("/s/")[0])
    expect(page.get_by_test_id("last-played")).to_contain_text("this minute")


SAYS_OFFLINE = "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });"


@pytest.mark.nightly
@pytest.mark.parametrize("when", ["before it opens", "in between"])
def test_a_browser_that_says_it_is_offline_and_is_not_plays_on(open_page, when) -> None:
    ada, ben = open_page(settings=BY_HAND), open_page(settings=BY_HAND)
    if when == "before it opens":
        ada.add_init_script(SAYS_OFFLINE)
        ada.reload()
    sit_down(ada, ben)
    if when == "in between":
        ada.evaluate(f"() => {{ {SAYS_OFFLINE} dispatchEvent(new Event('offline')); }}")  # and never "online"
    while not touchable(ada):
        play_by_mouse(ben)
    before = plies(ben)
    while plies(ada) == before:
        play_by_mouse(ada)
    for page in (ada, ben):
        expect(page.get_by_test_id("action-list").get_by_role("button")).to_have_count(before + 1)
    expect(ada.get_by_test_id("connection-banner")).to_be_hidden()
