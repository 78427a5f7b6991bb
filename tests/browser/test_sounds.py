"""Sounds are made by the browser for what happens, and end at its loudspeakers as loud as was set."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.play import choose_game, look_again, sit_down

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

LISTEN = """(() => {
  window.heard = [];
  window.loudest = 0;
  const graph = new Map();
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...more) { graph.set(this, to); return connect.call(this, to, ...more); };
  const ends = (node) => { while (graph.has(node)) node = graph.get(node); return node instanceof AudioDestinationNode; };
  const ramp = AudioParam.prototype.linearRampToValueAtTime;
  AudioParam.prototype.linearRampToValueAtTime = function (value, when) {
    window.loudest = Math.max(window.loudest, value);
    return ramp.call(this, value, when);
  };
  for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) {
      const pitch = this.frequency?.value ?? graph.get(this)?.frequency?.value;
      window.heard.push({ kind: kind.name, pitch: Math.round(pitch), ends: ends(this) });
      return start.apply(this, when);
    };
  }
})()"""

MARKS = ("[data-mark=target], [data-mark=capture]", "[data-mark=candidate]")
"""Where a stone can go, and stones that can."""
HAS_HEARD = "(pitches) => pitches.every((each) => heard.some(({ pitch }) => pitch === each))"


def listen(page: Page) -> None:
    page.add_init_script(LISTEN)
    page.reload()


def has_heard(page: Page, *pitches: int) -> None:
    """Return as soon as tones of all these pitches have been started."""
    page.wait_for_function(HAS_HEARD, arg=[*pitches])


@pytest.mark.nightly
def test_a_move_a_roll_the_turn_and_the_loss_are_heard_as_what_they_are(open_page):
    page = open_page()
    listen(page)
    choose_game(page, "einstein")
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    has_heard(page, 523, 659)  # the player's turn, at once or after the computer's first move
    page.locator("[data-mark=candidate], [data-mark=target], [data-mark=capture]").first.wait_for(state="attached")
    while not page.evaluate(HAS_HEARD, [1800, 1100, 330]):  # a die bounces, and a stone is set down where none was captured
        # One stone that can move has been chosen already, and while the other seat plays there is nothing to click on.
        if (marked := next(filter(Locator.count, map(page.locator, MARKS)), None)) is not None:
            marked.first.click(force=True)
        look_again(page)
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    has_heard(page, 392, 311)
    assert page.evaluate("heard.every(({ ends }) => ends)")
    assert page.evaluate("new Set(heard.map(({ kind }) => kind)).size") == 2
    assert 0 < page.evaluate("loudest") <= 0.25 * 0.5 + 1e-6  # half as loud as can be, as long as nothing else is set


@pytest.mark.nightly
def test_talk_and_a_win_are_heard_by_the_other_player(open_page):
    one, other = open_page(), open_page()
    sit_down(one, other)
    listen(other)
    expect(other.get_by_test_id("resign")).to_be_visible()
    other.get_by_test_id("seat-0").click()  # no browser sounds before its player has touched it
    one.get_by_test_id("talk").click()
    one.get_by_test_id("talk-input").fill("hello")
    one.get_by_test_id("talk-input").press("Enter")
    has_heard(other, 988, 1319)
    one.get_by_test_id("resign").click()
    one.get_by_test_id("sure").click()
    has_heard(other, 784, 1047)


@pytest.mark.nightly
def test_the_page_is_silent_where_sounds_are_off(open_page):
    page = open_page()
    page.evaluate("localStorage.setItem('brettwerk.settings', JSON.stringify({ game: 'einstein', sound: false }))")
    listen(page)
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    assert page.evaluate("heard") == []
