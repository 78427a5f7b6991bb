"""How somebody plays EMPERADO in a browser: by mouse or by keyboard, from what the map shows."""

import time
from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import Page, expect

from brettwerk_games.rules.emperado.world import COUNTRIES, NEIGHBOURS
from tests.browser.keys import press, tab_to
from tests.browser.play import is_over, look_again, set_clock

MAX_ATTACKS = 1
"""Attacks that the player by keyboard makes in a turn."""
READ = """() => {
  const pill = (country) => {
    const texts = [...document.querySelectorAll(`g.pill[data-country="${country}"] text`)].map((each) => each.textContent);
    return /^[A-F]$/.test(texts[0]) ? [texts[0], Number(texts[1])] : ["", Number(texts[0])];
  };
  const paths = [...document.querySelectorAll("path[data-country]")];
  const marks = Object.fromEntries(paths.map((path) => [path.dataset.country, path.dataset.mark ?? ""]));
  const left = document.querySelector("[data-testid=to-place]")?.textContent ?? "0";
  return [paths.map((_, country) => pill(country)), paths.map((_, country) => marks[country]), Number(left),
    document.querySelector("[data-testid=done]") !== null];
}"""

ROLLING = "[data-testid=battle][data-rolling=true]"
"""The film of an attack: the map shows how far it has come."""
LISTED = "[data-testid=country-list] [role=gridcell]"
MIDDLE = """(country) => {
  const { left, top, width, height } = document.querySelector(`g.pill[data-country="${country}"] .body`).getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
"""Where the middle of a country's armies is. (A click on an element goes to the middle of what the window shows of it.)"""
IN_SIGHT = f"""(country) => {{
  const there = document.elementFromPoint(...({MIDDLE})(country))?.closest("[data-testid=board] [data-country]");
  return there?.dataset.country === String(country);
}}"""
"""Whether the map shows the middle of a country's armies, and a click there is one on that country."""
RESTS = """(country) => new Promise((tell) => {
  const body = document.querySelector(`g.pill[data-country="${country}"] .body`);
  const { x, y } = body.getBoundingClientRect();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const now = body.getBoundingClientRect();
    tell(now.x === x && now.y === y);
  }));
})"""
"""Whether a country's armies stay where they are: a map that goes somewhere is not clicked on."""
ON_OVERVIEW = """(overview, country) => {
  const body = document.querySelector(`g.pill[data-country="${country}"] .body`);
  const { left, top, width, height } = body.getBoundingClientRect();
  const middle = new DOMPoint(left + width / 2, top + height / 2).matrixTransform(body.ownerSVGElement.getScreenCTM().inverse());
  const world = overview.viewBox.baseVal;
  return { x: (middle.x / world.width) * overview.clientWidth, y: (middle.y / world.height) * overview.clientHeight };
}"""
BUSY = "() => document.querySelector('[aria-busy=true]') !== null"


class Seen(NamedTuple):
    """The board as it is seen: by country the owner's letter, armies and mark; armies to place; whether the turn can end."""

    owners: list[str]
    armies: list[int]
    marks: list[str]
    to_place: int
    can_end: bool

    @property
    def is_mine(self) -> bool:
        return self.can_end or "candidate" in self.marks

    def attacks(self, seat: str) -> list[tuple[int, int]]:
        """Return attacks that are worth it, the best first."""
        found = [
            (self.armies[source] - 1.6 * self.armies[target], source, target)
            for source, owner in enumerate(self.owners)
            if owner == seat and self.marks[source] in ("candidate", "moving") and self.armies[source] > 3
            for target in NEIGHBOURS[source]
            if self.owners[target] != seat
        ]
        return [(source, target) for ahead, source, target in sorted(found, reverse=True) if ahead > 0]


def look(page: Page) -> Seen:
    pills, marks, to_place, can_end = page.evaluate(READ)
    return Seen([owner for owner, _ in pills], [armies for _, armies in pills], marks, to_place, can_end)


def outcome(page: Page) -> Seen:
    """Return what is seen without the film of an attack: whoever knows what to do ends it by a key."""
    if page.locator(ROLLING).count():
        page.keyboard.press("Shift")
    return look(page)


def new_table(
    page: Page, seats: int, options: dict[str, int] | None = None, *, only_computers: bool = False, clocks: bool = False
) -> None:
    page.get_by_test_id("game-emperado").check(force=True)
    if clocks:
        set_clock(page, "total", 30, 10)
    else:
        page.get_by_test_id("more-settings").click()
    page.get_by_test_id("seat-count").select_option(str(seats))
    for seat in range(seats):
        if seat or only_computers:
            page.get_by_test_id(f"wish-{seat}").select_option("computer")
            page.get_by_test_id(f"level-{seat}").select_option("easy")
    for key, value in (options or {}).items():
        field = page.get_by_test_id(f"option-{key}").locator("input").first
        field.evaluate(
            "(input) => { for (let at = input; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true }"
        )
        field.fill(str(value))
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()


def bring_into_sight(page: Page, country: int) -> None:
    """Go to a country by the overview, as people do whose window shows a piece of the world; nearer where a corner hides it."""
    overview = page.get_by_test_id("overview")
    for _ in range(5):
        if page.evaluate(IN_SIGHT, country):
            return
        if overview.is_visible():
            overview.click(position=overview.evaluate(ON_OVERVIEW, country))
        if page.evaluate(IN_SIGHT, country):
            return
        page.get_by_test_id("zoom-in").click()
    raise AssertionError(f"{COUNTRIES[country].name_en} cannot be brought into sight")


def click(page: Page, country: int) -> None:
    bring_into_sight(page, country)
    page.wait_for_function(RESTS, arg=country)
    page.mouse.click(*page.evaluate(MIDDLE, country))


def waited(page: Page, happens: Callable[[], bool], seconds: float = 20) -> bool:
    """Return whether something happens, or the game is over, within so many seconds: as many as elements are waited for."""
    end = time.monotonic() + seconds
    while not (is_over(page) or happens()):
        if time.monotonic() > end:
            return False
        look_again(page)
    return True


def changed(page: Page, before: Seen) -> Seen:
    """Return what is seen once it is something else."""
    happened = waited(page, lambda: outcome(page) != before)
    assert happened, f"nothing happened: {page.get_by_test_id('board-hint').inner_text()}"
    return settled(page)


def place(page: Page, seen: Seen, seat: str, hand: Callable[[Page, int], None] = click) -> Seen:
    """Place all armies where the most of them stand next to others' countries."""
    fronts = [c for c, owner in enumerate(seen.owners) if owner == seat and any(seen.owners[n] != seat for n in NEIGHBOURS[c])]
    strongest = max(fronts, key=lambda c: seen.armies[c])
    page.get_by_test_id("amount-all").check(force=True)
    hand(page, strongest)
    return changed(page, seen)


def settled(page: Page) -> Seen:
    """Return what is seen once the last action is shown and all that can be done is known."""
    assert waited(page, lambda: not page.evaluate(BUSY)), "the board does not take actions again"
    return outcome(page)


def fight(page: Page, seen: Seen, seat: str) -> Seen:
    """Make the best attack, to its end, by two clicks: where it comes from, and where it goes."""
    page.get_by_test_id("amount-all").check(force=True)
    source, target = seen.attacks(seat)[0]
    if seen.marks[source] != "moving":
        click(page, source)
    assert is_within_reach(page, target), f"a click was not heard: {page.get_by_test_id('board-hint').inner_text()}"
    click(page, target)
    return fought(page, seen)


def is_within_reach(page: Page, target: int) -> bool:
    """Return whether a country becomes one that can be attacked now."""
    return waited(page, lambda: look(page).marks[target] == "capture")


def fought(page: Page, before: Seen) -> Seen:
    """Return what is seen after an attack: every throw costs somebody armies."""
    assert waited(page, lambda: outcome(page).armies != before.armies), "the attack was not made"
    return settled(page)


def play_turn(page: Page, seat: str) -> None:
    seen = settled(page)
    if not seen.is_mine:
        # The end of the turn was still on its way.
        return
    if seen.to_place:
        seen = place(page, seen, seat)
    for _ in range(200):
        if is_over(page) or not seen.attacks(seat):
            break
        seen = fight(page, seen, seat)
    settled(page)
    if not is_over(page):
        page.get_by_test_id("done").click()


def turn_by_keys(page: Page, seat: str) -> None:
    tab_to(page, LISTED)
    seen = settled(page)
    if seen.to_place:
        fronts = [
            c for c, owner in enumerate(seen.owners) if owner == seat and any(seen.owners[n] != seat for n in NEIGHBOURS[c])
        ]
        listed_keys(page, max(fronts, key=lambda c: seen.armies[c]))
    while seen.to_place:
        # With Shift, twenty times as many: all that are left.
        page.keyboard.press("Shift+Enter")
        seen = changed(page, seen)
    for _ in range(MAX_ATTACKS):
        attacks = [] if is_over(page) else seen.attacks(seat)
        if not attacks:
            break
        source, target = attacks[0]
        if seen.marks[source] != "moving":
            page.keyboard.press("Escape")
            tab_to(page, LISTED)
            listed_keys(page, source)
            page.keyboard.press("Enter")
            expect(page.locator('[role=gridcell][aria-selected="true"]')).to_be_visible()
        listed_keys(page, target)
        before = look(page)
        page.keyboard.press("Shift+Enter")
        seen = fought(page, before)
    if not is_over(page):
        press(page, "[data-testid=done]")
        expect(page.get_by_test_id("done")).to_be_hidden()


def listed_keys(page: Page, country: int) -> None:
    """Go to a country of the list by the arrow keys."""
    name = f"listed-{COUNTRIES[country].notation}"
    order = page.locator("[role=gridcell]").evaluate_all("(cells) => cells.map((cell) => cell.dataset.testid)")
    page.keyboard.press("Home")
    for _ in range(order.index(name)):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.testid") == name
