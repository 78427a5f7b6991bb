"""Talk at a table: two players in two languages, and somebody who watches."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.play import choose_game, sit_down_together

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SHIFTS = """() => {
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifts.push(value);
  }).observe({ type: "layout-shift" });
}"""
OUT_OF_WINDOW = """(panel) => {
  const { top, bottom, left, right } = panel.getBoundingClientRect();
  return top < 0 || left < 0 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5;
}"""


def say(page: Page, words: str) -> None:
    page.get_by_test_id("talk-input").fill(words)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("talk-input")).to_have_value("")


def lines(page: Page) -> list[str]:
    return page.get_by_test_id("talk-line").locator(".words").all_inner_texts()


@pytest.mark.nightly
def test_two_players_in_two_languages_talk_and_somebody_watches(open_page):
    ada, ben, cleo = open_page(), open_page(locale="de-DE", color_scheme="dark"), open_page(locale="de-DE")
    sit_down_together(ada, ben)
    cleo.goto(ada.url)
    ben.evaluate(SHIFTS)
    ada.get_by_test_id("talk").press("Enter")
    expect(ada.get_by_test_id("watchers")).to_contain_text("1 person is watching")
    say(ada, "Hello Ben")
    ada.get_by_test_id("phrase-good_luck").click()
    expect(ben.get_by_test_id("talk-unread")).to_have_text("2")
    expect(ben.get_by_role("button", name="Gespräch, 2 neu")).to_be_visible()
    assert sum(ben.evaluate("() => globalThis.shifts")) < 0.01
    ben.get_by_test_id("talk").click()
    expect(ben.get_by_test_id("talk-line")).to_have_count(2)
    ben.evaluate("() => { globalThis.shifts = []; }")  # what a slow device moves half a second after a press is still its answer
    assert lines(ben) == ["Hello Ben", "Viel Glück und viel Spaß!"]
    assert lines(ada) == ["Hello Ben", "Good luck, have fun!"]
    expect(ben.get_by_test_id("talk-unread")).to_have_count(0)
    cleo.get_by_test_id("talk").click()
    say(cleo, "Darf ich zusehen?")
    expect(ada.get_by_test_id("talk-line")).to_have_count(3)
    expect(ada.get_by_test_id("talk-line").last).to_contain_text("watching")
    assert not findings(ada)
    assert not findings(ben)
    assert sum(ben.evaluate("() => globalThis.shifts")) < 0.01
    cleo.reload()
    expect(cleo.get_by_test_id("talk-line")).to_have_count(3)


@pytest.mark.nightly
def test_a_muted_player_is_not_heard_and_stays_muted_and_lines_are_reported(open_page):
    ada, ben = open_page(), open_page()
    sit_down_together(ada, ben)
    for page in (ada, ben):
        page.get_by_test_id("talk").click()
    say(ben, "You play like a beginner")
    expect(ada.get_by_test_id("talk-line")).to_have_count(1)
    ada.get_by_test_id("talk-more").click()
    ada.get_by_test_id("talk-report").click()
    expect(ada.get_by_test_id("talk-reported")).to_be_visible()
    ada.get_by_test_id("talk-mute").click()
    expect(ada.get_by_test_id("talk-line")).to_have_count(0)
    ada.evaluate("localStorage.removeItem('brettwerk.muted')")
    ada.reload()
    expect(ada.get_by_test_id("talk-muted")).to_be_visible()
    expect(ada.get_by_test_id("talk-line")).to_have_count(0)
    ada.get_by_test_id("talk-muted").click()
    ada.get_by_role("button", name="Unmute").click()
    expect(ada.get_by_test_id("talk-line")).to_have_count(1)


@pytest.mark.nightly
def test_an_offer_in_emperado_is_between_two_and_the_panel_fits_a_phone(open_page):
    ada, ben = open_page(), open_page(locale="de-DE", viewport={"width": 390, "height": 844}, has_touch=True)
    cleo = open_page(locale="de-DE")
    choose_game(ada, "emperado")
    sit_down_together(ada, ben)
    cleo.goto(ada.url)
    for page in (ada, ben, cleo):
        page.get_by_test_id("talk").click()
        expect(page.get_by_test_id("talk-lines")).to_be_visible()
    ada.get_by_test_id("talk-to").select_option("1")
    ada.get_by_test_id("phrase-peace").click()
    expect(ben.get_by_test_id("talk-line")).to_contain_text("nur an dich")
    expect(ben.get_by_test_id("talk-line")).to_contain_text("Wollen wir uns in Frieden lassen?")
    expect(cleo.get_by_test_id("talk-note")).to_be_visible()
    say(cleo, "Ich sehe zu")
    expect(cleo.get_by_test_id("talk-line")).to_have_count(1)
    expect(ben.get_by_test_id("talk-line")).to_have_count(1)
    assert not ben.get_by_test_id("talk-panel").evaluate(OUT_OF_WINDOW)
    assert not findings(ben)
    ben.get_by_test_id("talk-close").click()
    expect(ben.get_by_test_id("talk-panel")).to_have_count(0)
    expect(ben.get_by_test_id("talk")).to_be_focused()
