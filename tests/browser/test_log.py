"""The log of a game in the player's words, folded by turns, and whose victory it is."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.keys import IS_ON, tab_to
from tests.browser.looks import at_night
from tests.browser.plateau import end_turn, move, start
from tests.browser.play import from_menu

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

LOG = "[data-testid=action-list]"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("locale", "first", "second"),
    [
        ("en-GB", "Babylon, two: A2 to B3, steps: 2", "Babylon, six: G1 to G5, steps: 4"),
        at_night("de-DE", "Babylon, Zweier: A2 nach B3, Schritte: 2", "Babylon, Sechser: G1 nach G5, Schritte: 4"),
    ],
)
def test_a_turn_is_described_in_words_and_can_be_unfolded(open_page, locale, first, second):
    page = open_page(locale=locale)
    start(page, "here", first="Babylon")
    move(page, "A2", "B3", 2)
    move(page, "G1", "G5", 4)
    end_turn(page)
    log = page.get_by_test_id("action-list")
    expect(log.get_by_role("listitem")).to_have_count(1)
    expect(log).to_contain_text(f"{first} · {second}")
    tab_to(page, f"{LOG} button")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(IS_ON, f"{LOG} [data-testid=unfold]"), "arrows lead on in the log, which is one stop of the Tab key"
    page.keyboard.press("Enter")
    expect(log.get_by_role("listitem")).to_have_count(4)
    expect(log.locator('button[tabindex="0"]')).to_have_count(1)
    assert not findings(page)
    log.get_by_role("button", name=first).last.click()
    expect(page.get_by_test_id("live")).to_be_visible()
    expect(log.locator("[aria-current]")).to_have_count(1)
    expect(log.locator("[aria-current]")).to_contain_text(first)


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "verdict"), [("en-GB", "You have (won|lost)"), ("de-DE", "Du hast (gewonnen|verloren)")])
def test_a_seat_handed_to_the_computer_has_still_won_or_lost(open_page, locale, verdict):
    page = open_page(locale=locale)
    page.get_by_test_id("play-button").click()
    from_menu(page, "hand-over")
    expect(page.get_by_test_id("result").get_by_role("heading").first).to_have_text(re.compile(verdict), timeout=90_000)
    page.goto(page.url.partition("/s/")[0])
    expect(page.get_by_test_id("table-link").first).to_contain_text(re.compile(verdict))
