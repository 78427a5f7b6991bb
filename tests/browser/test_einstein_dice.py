"""The dice of EinStein: everybody sees them tumble, and nobody waits for them (EWN-UI-4)."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import at_night
from tests.browser.play import new_table_for_two, play_by_mouse, play_to_the_end

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

ROLLED = re.compile("^[1-6]$")
COUNT_FILMS = """(slower) => {
  const animate = Element.prototype.animate;
  globalThis.films = 0;
  Element.prototype.animate = function (frames, options) {
    if (this.closest("[data-testid^=die-]")) globalThis.films++;
    return animate.call(this, frames, { ...options, duration: options.duration * slower });
  };
}"""
FILMS = "() => globalThis.films"


def begin(page: Page, *, slower: int = 1) -> None:
    page.evaluate(COUNT_FILMS, slower)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()


@pytest.mark.nightly
def test_the_die_tumbles_for_players_and_for_spectators(open_page):
    ada, ben, cleo = open_page(), open_page(), open_page()
    path = new_table_for_two(ada)
    for page in (ben, cleo):
        page.goto(ada.url.partition("/s/")[0] + path)
    ben.get_by_test_id("join-1").click()
    pages = (ada, ben, cleo)
    for page in pages:
        expect(page.get_by_test_id("die-0")).to_have_attribute("data-roll", ROLLED)
        page.evaluate(COUNT_FILMS, 1)
    while ada.get_by_test_id("action-list").get_attribute("data-plies") != "1":
        assert play_by_mouse(ada)
    for page in pages:
        expect(page.get_by_test_id("die-1")).to_have_attribute("data-roll", ROLLED)
        expect(page.get_by_role("img", name="The die shows")).to_have_count(1)
        page.wait_for_function("() => globalThis.films > 0")
    shown = [[page.get_by_test_id(f"die-{seat}").get_attribute("data-roll") for seat in (0, 1)] for page in pages]
    assert shown[0] == shown[1] == shown[2]


@pytest.mark.nightly
def test_a_die_that_tumbles_for_minutes_delays_no_move(open_page):
    page = open_page()
    begin(page, slower=1000)
    play_to_the_end(page)
    assert page.evaluate(FILMS) > 3


@pytest.mark.nightly
def test_reduced_motion_shows_the_roll_at_once(open_page):
    page = open_page(reduced_motion="reduce")
    begin(page)
    expect(page.get_by_test_id("die-0")).to_have_attribute("data-roll", ROLLED)
    play_to_the_end(page)
    assert page.evaluate(FILMS) == 0


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("locale", "scheme", "name"), [("en-GB", "light", "The die shows"), at_night("de-DE", "dark", "Der Würfel zeigt")]
)
def test_the_roll_is_described_in_words_and_can_be_hidden(open_page, locale, scheme, name):
    page = open_page(locale=locale, color_scheme=scheme)
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    expect(page.get_by_role("img", name=name)).to_have_count(1)
    assert not findings(page)
    page.locator(".settings summary").press("Enter")
    page.get_by_test_id("roll").select_option("never")
    expect(page.get_by_test_id("die-0")).to_have_count(0)
    page.get_by_test_id("roll").select_option("agreed")
    expect(page.get_by_test_id("die-0")).to_have_count(0)


@pytest.mark.nightly
def test_targets_have_another_colour_than_mistakes(open_page):
    page = open_page()
    begin(page)
    target = page.locator("[data-mark=target] .aim, [data-mark=capture] .aim").first
    candidate = page.locator("[data-mark=candidate]").first
    expect(candidate.or_(target).first).to_be_attached()
    if candidate.count():
        candidate.click(force=True)
    red, green, _ = page.evaluate(
        "() => getComputedStyle(document.querySelector('[data-mark=target] .aim, [data-mark=capture] .aim'))"
        ".stroke.match(/[\\d.]+/g).map(Number)"
    )
    assert green > red
