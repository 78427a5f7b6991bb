"""EMPERADO's stage: names at every size, battles that are seen and delay nobody, a round of computers that is waited for once."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.axe import findings
from tests.browser.emperado import fight, new_table, place, play_turn, settled
from tests.browser.looks import at_night

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SIZES = ((1920, 1080), (1440, 900), (1440, 800), (390, 844))
COUNT_FILMS = """(slower) => {
  const animate = Element.prototype.animate;
  globalThis.films = 0;
  Element.prototype.animate = function (frames, options) {
    if (!this.closest("[data-testid=battle]")) return animate.call(this, frames, options);
    globalThis.films++;
    return animate.call(this, frames, { ...options, duration: options.duration * slower });
  };
}"""
COUNT_WAITS = """() => {
  globalThis.waits = 0;
  let waited = false;
  new MutationObserver(() => {
    const waits = document.querySelector("[data-testid=playback-go]")?.classList.contains("main") === true;
    if (waits && !waited) globalThis.waits++;
    waited = waits;
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
KEEP_BATTLES = """() => {
  globalThis.battles = [];
  new MutationObserver(() => {
    const battle = document.querySelector("[data-testid=battle]");
    if (battle) globalThis.battles.push([
      battle.dataset.rolling, battle.querySelectorAll("rect").length, battle.querySelectorAll("[data-testid^=lost-]").length,
    ]);
  }).observe(document.querySelector("[data-testid=board]"), { subtree: true, childList: true });
}"""
TOUCHES = """([one, other]) => {
  const [a, b] = [one, other].map((name) => document.querySelector(name).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


def attack(page: Page) -> None:
    """Make the first attack of a turn that is worth it."""
    sight = settled(page)
    sight = place(page, sight, "A") if sight.to_place else sight
    fight(page, sight, "A")


def test_every_country_has_its_name_at_every_size(open_page):
    page = open_page()
    new_table(page, 2)
    page.get_by_test_id("tour-skip").click()
    for width, height in SIZES:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        expect(page.locator(".pill .name")).to_have_count(60)


@pytest.mark.parametrize("scheme", ["light", at_night("dark")])
def test_a_battle_is_seen_where_it_is_fought_and_delays_nobody(open_page, scheme):
    page = open_page(color_scheme=scheme)
    new_table(page, 2)
    page.get_by_test_id("tour-skip").click()
    page.evaluate(COUNT_FILMS, 20)
    attack(page)
    page.get_by_test_id("done").click()
    expect(page.get_by_test_id("done")).to_be_hidden()
    assert page.evaluate("() => globalThis.films") > 0
    assert not findings(page)


def test_who_wants_no_motion_sees_the_last_throw_and_the_losses_at_once(open_page):
    page = open_page(reduced_motion="reduce")
    new_table(page, 2)
    page.get_by_test_id("tour-skip").click()
    page.evaluate(COUNT_FILMS, 1)
    page.evaluate(KEEP_BATTLES)
    attack(page)
    page.wait_for_function("() => globalThis.battles.length > 0")
    rolling, dice, lost = page.evaluate("() => globalThis.battles[0]")
    assert rolling == "false"
    assert dice > 0
    assert lost > 0
    assert page.evaluate("() => globalThis.films") == 0


def test_a_round_of_computers_is_waited_for_once(open_page):
    """EMP-TIME-3: the table waits before one's own turn, and tells of all turns since the last one."""
    page = open_page()
    new_table(page, 4, {"info_time": 0, "table_time": 100, "graphic_time": 1})
    page.get_by_test_id("tour-skip").click()
    page.evaluate(COUNT_WAITS)
    play_turn(page, "A")
    expect(page.get_by_test_id("playback-go").and_(page.locator(".main"))).to_be_visible(timeout=60_000)
    assert page.evaluate("() => globalThis.waits") == 1
    for seat in "BCD":
        expect(page.get_by_test_id("move-table").get_by_role("heading")).to_contain_text(seat)
    page.get_by_test_id("playback-go").click()
    expect(page.get_by_test_id("to-place")).to_be_visible()
    assert page.evaluate("() => globalThis.waits") == 1


def test_what_is_waited_for_covers_no_button_of_a_phone(open_page):
    page = open_page(viewport={"width": 390, "height": 844})
    new_table(page, 2)
    page.get_by_test_id("tour-skip").click()
    # The place of the notice, as high as it is with a sentence and a button.
    page.evaluate("() => { document.querySelector('[data-testid=at-turn] + .waits').style.minHeight = '7rem' }")
    assert not page.evaluate(TOUCHES, ["[data-testid=at-turn] + .waits", "[data-testid=zoom-in]"])
    page.get_by_test_id("zoom-in").click()
