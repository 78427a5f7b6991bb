"""Clocks: what is seen, heard and spoken when time runs short, and what comes when it is over."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.play import set_clock, sit_down_together
from tests.browser.test_comfort import COUNT_SOUNDS

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]

SOON, NOW = re.compile(r"\bsoon\b"), re.compile(r"\bnow\b")


def test_the_last_ten_seconds_are_seen_heard_and_spoken_and_then_time_is_over(open_page):
    ada, ben = open_page(locale="de-DE"), open_page()
    ada.add_init_script(COUNT_SOUNDS)
    ada.reload()
    set_clock(ada, "total", 0.3, 0)
    sit_down_together(ada, ben)
    clock = ada.get_by_test_id("clock-0")
    ada.locator("h1").click()
    expect(clock).to_have_class(SOON)
    heard = ada.evaluate("window.sounds")
    expect(ada.get_by_test_id("clock-warning")).to_contain_text("Noch 10 Sekunden")
    expect(clock).to_have_class(NOW)
    assert ada.evaluate("window.sounds") > heard
    assert not findings(ada)
    expect(ben.get_by_test_id("clock-warning")).to_be_empty()
    for page in (ada, ben):
        expect(page.get_by_test_id("result")).to_have_attribute("data-winners", "1", timeout=30_000)
    expect(ben.get_by_test_id("result")).to_contain_text("You have won")


def test_twenty_seconds_are_spoken_and_when_the_time_of_a_turn_is_over_a_move_is_played(open_page):
    ada, ben = open_page(), open_page()
    set_clock(ada, "turn", 21)
    sit_down_together(ada, ben)
    expect(ada.get_by_test_id("clock-warning")).to_contain_text("20 seconds left")
    expect(ada.get_by_test_id("spoken")).to_contain_text("out of time", timeout=40_000)
    expect(ada.get_by_test_id("action-list").get_by_role("button")).to_have_count(1)
