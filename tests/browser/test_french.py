"""A third language, found by its folder: a game of EinStein in French, on a desktop and on phones."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import DESKTOP, Screen
from tests.browser.looks import IPHONE as PHONE
from tests.browser.play import is_over, look_again, press, touchable
from tests.night import at_night

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

ENGLISH = re.compile(r"\b(the|you|your|White|Black|moves?|game|stones?|rolled)\b")
CUT = """() => [...document.querySelectorAll("#app :is(button, a, summary, h1, h2, h3, label, dt, dd, legend)")]
  .filter((each) => each.checkVisibility() && each.closest(".hidden, .skip, svg") === null)
  .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
  .filter((each) => getComputedStyle(each).overflow !== "visible")
  .map((each) => each.textContent.trim())"""
"""Words of the page that are cut off at their side."""


def look(page: Page, name: str) -> None:
    """See that nothing sticks out or is cut off, and that no English is left."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
    assert page.evaluate(CUT) == [], name
    said = page.locator("#app").inner_text()
    assert ENGLISH.findall(said) == [], (name, said)
    if folder := os.environ.get("BRETTWERK_PICTURES"):
        page.screenshot(path=Path(folder) / f"french-{name}.png", full_page=True)


@pytest.mark.nightly
@pytest.mark.parametrize("screen", [pytest.param(DESKTOP, id="desktop"), at_night(PHONE, id="iphone")])
def test_einstein_is_played_in_french(open_page, screen: Screen):
    page = open_page(locale="fr-CA", **screen.context)
    size = f"{screen.width}"
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_test_id("play-button")).to_contain_text("Jouer")
    page.goto(page.url.rstrip("/") + "/learn/einstein/die")
    expect(page.get_by_test_id("lesson")).to_contain_text("Le dé décide")
    look(page, f"lesson-{size}")
    page.goto(page.url.partition("/learn")[0] + "/rules/einstein")
    expect(page.locator("article h2").first).to_have_text("Le plateau")
    expect(page.locator(".picture").first).to_contain_text("Noir a les pions 2, 5 et 6")
    page.goto(page.url.partition("/rules")[0])
    press(page.get_by_test_id("play-button"))
    expect(page.get_by_test_id("tour")).to_contain_text("Le but")
    look(page, f"tour-{size}")
    press(page.get_by_test_id("tour-skip"))
    expect(page.get_by_test_id("board")).to_be_visible()
    while not is_over(page):
        if names := touchable(page):
            press(page.get_by_test_id(f"square-{names[0]}"), force=True)
        look_again(page)
    expect(page.get_by_test_id("result")).to_contain_text(re.compile("Vous avez (gagné|perdu)"))
    look(page, f"result-{size}")


@pytest.mark.nightly
def test_another_language_is_chosen_and_stays(open_page):
    page = open_page(locale="fr-FR")
    expect(page.get_by_test_id("play-button")).to_contain_text("Jouer")
    page.get_by_test_id("language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_test_id("play-button")).to_contain_text("Spielen")
    page.get_by_test_id("language").select_option("fr")
    page.reload()
    expect(page.get_by_test_id("play-button")).to_contain_text("Jouer")
    page.goto(page.url.rstrip("/") + "/account")
    expect(page.locator("h1")).to_have_text("Votre compte")
