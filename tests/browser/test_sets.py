"""The second set of boards and pieces: as legible as the first, chosen at once, and remembered."""

import base64
import re
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import SCREENS
from tests.browser.play import choose_game
from tests.browser.stage import TEXT_SIZES
from tests.browser.test_stage import GAMES, begin

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SIDES = {
    "einstein": (".stone .light", ".stone .dark"),
    "emperado": (".pill[style*='#c8402f'] .chip", ".pill[style*='#2f6fc8'] .chip"),
    "plateau": ("[data-army]:has([fill='url(#epc-metal-0)'])", "[data-army]:has([fill='url(#epc-metal-1)'])"),
    "wec": (".piece.black .body", ".piece.white .body"),
}
"""By game: what belongs to the first and to the second seat."""
PARTS = {"emperado": (0.08, 0.4, 0.16, 0.2)}
"""The area of a piece that is looked at, as parts of its box: its middle, or beside the letter of a seal."""
MIDDLE = (0.25, 0.25, 0.5, 0.5)
LEAST_APART = 60
"""How far the mean colours of both are apart at least, in RGB."""

RECTS = """([selector, [left, top, wide, high]]) => {
  const all = [...document.querySelectorAll(`[data-testid=board] ${selector}`)];
  return all.slice(0, 8).map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x + width * left, y + height * top, Math.max(1, width * wide), Math.max(1, height * high)];
  });
}"""
MEAN_COLOUR = """async ([picture, rects]) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const sum = [0, 0, 0, 0];
  for (const rect of rects) {
    const { data } = context.getImageData(...rect.map(Math.round));
    for (let at = 0; at < data.length; at += 4) {
      for (const part of [0, 1, 2]) sum[part] += data[at + part];
      sum[3]++;
    }
  }
  return sum.slice(0, 3).map((each) => each / sum[3]);
}"""


def mean_colour(reader: Page, picture: bytes, rects: list[list[float]]) -> list[float]:
    """Return the mean colour of parts of a picture; another page reads it, since a table's page may load nothing."""
    found: list[float] = reader.evaluate(MEAN_COLOUR, [base64.b64encode(picture).decode(), rects])
    return found


def wear(page: Page, **kept: object) -> None:
    """Have the settings of somebody who has chosen a set before."""
    settings = {"set": "cabinet", **kept}
    page.evaluate("(kept) => localStorage.setItem('brettwerk.settings', JSON.stringify(kept))", settings)
    page.reload()


def choose(page: Page, set_: str) -> None:
    """Choose a set in the settings, wherever that is."""
    page.get_by_role("button", name="My settings").click()
    page.get_by_test_id(f"set-{set_}").check()
    page.get_by_test_id("close-dialog").click()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("game", "screen", "scheme"),
    list(product(GAMES, SCREENS, ["light", "dark"])),
)
def test_the_second_set_is_as_legible_as_the_first(open_page, chromium, game, screen, scheme):
    size = SCREENS[screen]
    page = open_page(**size.context, color_scheme=scheme)
    wear(page)
    begin(page, game)
    expect(page.get_by_test_id("board").first).to_have_attribute("data-set", "cabinet")
    page.wait_for_function(f"() => Math.min(...({TEXT_SIZES})('')) >= 11.99")
    if game == "emperado" and size.width >= 1440:
        page.wait_for_function(f"() => Math.min(...({TEXT_SIZES})('.count')) >= 13.9")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rects = [page.evaluate(RECTS, [selector, PARTS.get(game, MIDDLE)]) for selector in SIDES[game]]
    assert all(rects), rects
    picture = page.screenshot(scale="css")
    reader = chromium.new_page()
    in_sight = [[[x, y, w, h] for x, y, w, h in side if 0 < x < size.width - w and 0 < y < size.height - h] for side in rects]
    first, second = (mean_colour(reader, picture, side) for side in in_sight)
    reader.close()
    assert sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5 > LEAST_APART, (first, second)
    assert findings(page) == []


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_a_set_is_worn_at_once_and_still_when_the_page_comes_again(open_page, game):
    page = open_page()
    begin(page, game)
    board = page.get_by_test_id("board").first
    if game == "plateau":
        expect(board).to_have_attribute("data-set", "cabinet")  # until somebody says otherwise
        choose(page, "studio")
    expect(board).not_to_have_attribute("data-set", re.compile(""))
    page.evaluate("globalThis.same = true")
    choose(page, "cabinet")
    expect(board).to_have_attribute("data-set", "cabinet")
    page.reload()
    expect(board).to_have_attribute("data-set", "cabinet")
    page.evaluate("globalThis.same = true")
    choose(page, "studio")
    expect(board).not_to_have_attribute("data-set", re.compile(""))
    assert page.evaluate("globalThis.same"), "the page was loaded again"


@pytest.mark.nightly
def test_a_single_game_can_have_another_set_and_choosing_one_for_all_takes_that_back(open_page):
    page = open_page()
    page.get_by_role("button", name="My settings").click()
    page.get_by_test_id("set-cabinet").check()
    page.get_by_test_id("sets").locator("summary").click()
    page.get_by_test_id("set-of-einstein").select_option("studio")
    assert findings(page) == []
    page.reload()
    cover = "label:has([data-testid=game-{}]) img"
    expect(page.locator(cover.format("einstein"))).not_to_have_attribute("src", re.compile("cabinet"))
    covers = page.evaluate("JSON.parse(localStorage.getItem('brettwerk.settings')).sets")
    assert covers == {"einstein": "studio"}
    choose_game(page, "einstein")
    choose(page, "cabinet")
    page.get_by_role("button", name="My settings").click()
    page.get_by_test_id("set-studio").check()
    page.get_by_test_id("set-cabinet").check()
    assert page.evaluate("JSON.parse(localStorage.getItem('brettwerk.settings')).sets") == {}


@pytest.mark.nightly
def test_patterns_tell_countries_apart_in_print_of_the_second_set_too(open_page):
    page = open_page()
    wear(page)
    begin(page, "emperado")
    patterns = page.locator("[data-testid=board] .patterns")
    expect(patterns).to_have_css("display", "none")
    page.emulate_media(media="print")
    expect(patterns).not_to_have_css("display", "none")
