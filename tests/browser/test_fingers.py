"""A finger alone moves in every game: taps as a phone sends them, with the `pointerleave` that follows each of them."""

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser import emperado, plateau, wec
from tests.browser.looks import PHONES
from tests.browser.play import BY_HAND, choose_game, middle, sit_down, touchable
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

MAX_LOST = 3
"""Armies that both sides lose together in one throw of EMPERADO at most."""


def tap(page: Page, square: str) -> None:
    page.get_by_test_id(f"square-{square}").scroll_into_view_if_needed()
    page.touchscreen.tap(*middle(page, square))


def tap_country(page: Page, country: int) -> None:
    page.get_by_test_id("board").scroll_into_view_if_needed()
    emperado.bring_into_sight(page, country)
    page.wait_for_function(emperado.RESTS, arg=country)
    page.touchscreen.tap(*page.evaluate(emperado.MIDDLE, country))


@pytest.mark.parametrize("phone", by_day(PHONES, "iphone"))
def test_two_taps_move_a_stone_of_einstein(open_page, phone):
    page = open_page(**PHONES[phone].context)
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-mark=candidate], [data-mark=moving]') !== null")
    if page.locator("[data-mark=moving]").count() == 0:
        tap(page, touchable(page)[0])
    expect(page.locator("[data-mark=moving]")).to_have_count(1)
    tap(page, touchable(page)[0])
    expect(page.get_by_test_id("action-list").locator("li, tr").first).to_be_attached()


@pytest.mark.parametrize("phone", by_day(PHONES, "iphone"))
def test_taps_on_the_map_of_emperado_place_armies_and_attack(open_page, phone):
    page = open_page(**PHONES[phone].context)
    emperado.new_table(page, 2)
    assert emperado.waited(page, lambda: emperado.look(page).to_place > 0, 60)
    seen = emperado.place(page, emperado.settled(page), "A", tap_country)
    source, target = seen.attacks("A")[0]
    if seen.marks[source] != "moving":
        tap_country(page, source)
    assert emperado.is_within_reach(page, target)
    before = emperado.look(page)
    tap_country(page, target)
    expect(page.get_by_test_id("order")).to_be_visible()  # the first touch shows the odds
    assert emperado.look(page).armies == before.armies
    tap_country(page, target)
    after = emperado.fought(page, before)
    assert sum(before.armies) - sum(after.armies) <= MAX_LOST, "one attack is one throw (EMP-ATTACK-3)"


@pytest.mark.parametrize("phone", by_day(PHONES, "iphone"))
def test_two_taps_move_an_army_of_empire_plateau(open_page, phone):
    page = open_page(**PHONES[phone].context)
    choose_game(page, "plateau")
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-testid=board] [data-mark=candidate]') !== null")
    before = plateau.played(page)
    plateau.pick(page, plateau.seen(page)["candidates"][0], tap)
    plateau.send(page, plateau.seen(page)["targets"][0], hand=tap)
    plateau.wait_for_move(page, before)


@pytest.mark.parametrize("phone", by_day(PHONES, "iphone"))
def test_two_taps_move_a_piece_of_weaponized_chess(open_page, phone):
    page = open_page(**PHONES[phone].context)
    choose_game(page, "wec")
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-testid=board] [data-mark=candidate]') !== null")
    before = plateau.played(page)
    chance = random.Random(1)
    for _ in range(20):
        tap(page, chance.choice(page.evaluate(wec.STATE)["candidates"]).removeprefix("square-"))
        targets = page.evaluate(wec.STATE)["targets"]
        if targets:
            break
    tap(page, targets[0].removeprefix("square-"))
    plateau.wait_for_move(page, before)


STANDS = """() => {
  const board = document.querySelector("[data-testid=board]");
  const marks = [...board.querySelectorAll("[data-mark]")].map(({ dataset }) =>
    `${dataset.testid ?? dataset.country} ${dataset.mark}`);
  const names = ["action-list", "to-place", "premove-said"];
  const [list, left, before] = names.map((name) => document.querySelector(`[data-testid=${name}]`));
  return [list?.dataset.plies, left?.textContent, before?.textContent, marks.sort()];
}"""
"""The state that a touch of the board may change: what has been done, what is chosen, and what is said before the turn."""
TOUCHED = """() => {
  const board = document.querySelector("[data-testid=board]");
  const may = [...board.querySelectorAll("[data-mark=candidate], [data-mark=moving]")];
  const all = [...may, ...board.querySelectorAll("g.pill[data-country] .body, [data-testid^=square-]")];
  const boxes = all.map((each) => each.getBoundingClientRect());
  const middles = boxes.map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
  const seen = middles.filter(([x, y]) => board.contains(document.elementFromPoint(x, y)));
  const apart = seen.find(([x, y]) => Math.hypot(x - seen[0][0], y - seen[0][1]) > 40);
  return [seen[0], apart];
}"""
"""Two places that a player might move from, at first, or at least touch."""


def put_two_fingers(page: Page, *, rotates: bool = False) -> None:
    """Put two fingers on the board, move them apart, and lift one before the other; the screen may be turned in between."""
    before = page.evaluate(STANDS)
    (x0, y0), (x1, y1) = page.evaluate(TOUCHED)
    screen = page.viewport_size
    assert screen
    fingers = page.context.new_cdp_session(page)

    def put(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    put("touchStart", (x0, y0))
    put("touchStart", (x0, y0), (x1, y1))
    for apart in (4, 8, 12, 16):
        put("touchMove", (x0 - apart, y0), (x1 + apart, y1))
    if rotates:
        page.set_viewport_size({"width": screen["height"], "height": screen["width"]})
    put("touchMove", (x0 - 16, y0))  # a point that is missing has been lifted
    put("touchEnd")
    page.set_viewport_size(screen)
    put("touchStart", (x0, y0), (x1, y1))  # and once more, for a moment only
    put("touchEnd")
    page.wait_for_function("() => document.querySelector('[aria-busy=true]') === null")
    assert page.evaluate(STANDS) == before


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["einstein", "emperado", "plateau", "wec"])
def test_two_fingers_do_nothing_but_enlarge_even_while_the_screen_is_turned(open_page, game):
    page = open_page(settings=BY_HAND | {"tours": [game]}, **PHONES["iphone"].context)
    choose_game(page, game)
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board").or_(page.get_by_test_id("hidden-board"))).to_be_visible()
    page.wait_for_function("""() => document.querySelector("[data-testid=hand-open]") !== null ||
      document.querySelector("[data-testid=board] [data-mark]") !== null""")
    if page.get_by_test_id("hand-open").count():
        page.get_by_test_id("hand-open").tap()
    page.wait_for_function("() => document.querySelector('[data-testid=board] [data-mark]') !== null")
    page.get_by_test_id("board").scroll_into_view_if_needed()
    for rotates in (False, True):
        put_two_fingers(page, rotates=rotates)


@pytest.mark.nightly
def test_two_fingers_do_nothing_in_the_others_turn(open_page):
    pages = [open_page(settings=BY_HAND | {"tours": ["einstein"]}, **PHONES["iphone"].context) for _ in range(2)]
    sit_down(*pages)
    for page in pages:
        put_two_fingers(page)
