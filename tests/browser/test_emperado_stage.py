"""EMPERADO's stage: names at every size, battles that are seen and delay nobody, a round of computers that is waited for once."""

import time

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from brettwerk_games.rules.emperado.world import CONTINENTS, COUNTRIES
from tests.browser.axe import findings
from tests.browser.emperado import click, fight, is_within_reach, look, new_table, place, play_turn, settled, waited
from tests.browser.looks import IPHONE, SCREENS, at_night
from tests.browser.play import is_over, look_again
from tests.browser.stage import check, follow

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SIZES = {(1920, 1080): 60, (1440, 900): 60, (1440, 800): 60, (390, 844): 36, (360, 800): 30}
"""By the size of the window, how many names there is room for at least."""
NAMES = """() => [...document.querySelectorAll("[data-testid=board] .names .name")].map((name) =>
  [...name.querySelectorAll("tspan")].map((line) => line.textContent).join(" "))"""
ON_ARMIES = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => [each, each.getBoundingClientRect()]);
  const counts = boxes(".pill .count");
  // A line of text is lower than its box.
  return boxes("[data-testid=board] .names .name").filter(([, name]) => counts.some(([, count]) =>
    name.left + 1 < count.right && count.left + 1 < name.right && name.top + 4 < count.bottom && count.top + 4 < name.bottom,
  )).map(([name]) => name.textContent);
}"""
SLOWER = """(times) => {
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (act, ms, ...more) => wait(act, ms > 100 && ms < 400 ? ms * times : ms, ...more);
}"""
"""Makes films long, so that they can be looked at."""
GAME_S = 600
INSIDE = """(name) => {
  const [one, board] = [document.querySelector(name), document.querySelector("[data-testid=board]")]
    .map((each) => each.getBoundingClientRect());
  const [x, y] = [one.left + one.width / 2, one.top + one.height / 2];
  return board.left < x && x < board.right && board.top < y && y < board.bottom;
}"""
"""Whether the middle of something is seen on the board."""
IN_WINDOW = """(name) => {
  const { top, bottom, left, right, height } = document.querySelector(name)?.getBoundingClientRect() ?? { height: 0 };
  return height > 40 && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}"""
"""Whether something is wholly seen in the window."""
CURSOR = """(country) => getComputedStyle(document.querySelector(`.pill[data-country="${country}"]`)).cursor"""
CARDS = """() => [...document.querySelectorAll("[data-testid=own-cards] .card b")]
  .reduce((sum, { textContent }) => sum + Number(textContent), 0)"""
"""How many cards the player has."""
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
      battle.dataset.rolling, battle.querySelectorAll(".die").length, battle.querySelectorAll("[data-testid^=lost-]").length,
    ]);
  }).observe(document.querySelector("[data-testid=board]"), { subtree: true, childList: true });
}"""
EDGES = """() => {
  const { top, bottom } = document.querySelector("[data-testid=board]").getBoundingClientRect();
  return [top, bottom, document.querySelector("[data-testid=turn]").getBoundingClientRect().top];
}"""
"""Where the board begins and ends, and where that begins which can be done now."""
UNCOVERED = """() => {
  const [board, done] = ["[data-testid=board]", "[data-testid=turn] .docked"].map((each) => document.querySelector(each));
  return board.getBoundingClientRect().bottom <= done.getBoundingClientRect().top + 1;
}"""
"""Whether what is said and done below the map covers nothing of it."""
TOUCHES = """([one, other]) => {
  const [a, b] = [one, other].map((name) => document.querySelector(name).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


def attack(page: Page) -> None:
    """Make the first attack of a turn that is worth it."""
    sight = settled(page)
    sight = place(page, sight, "A") if sight.to_place else sight
    fight(page, sight, "A")


def test_names_are_whole_at_every_size_and_lie_on_no_armies(open_page):
    page = open_page()
    new_table(page, 2)
    page.get_by_test_id("tour-skip").click()
    for (width, height), least in SIZES.items():
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.wait_for_function(f"() => innerWidth === {width}")
        page.wait_for_function(f"() => document.querySelectorAll('.names:not(.plated) .name').length >= {least}")
        names = page.evaluate(NAMES)
        assert set(names) <= {country.name_en for country in COUNTRIES}, "no name is cut"
        assert page.evaluate(ON_ARMIES) == [], f"{width}x{height}"


@pytest.mark.nightly
def test_a_phone_that_shows_the_whole_world_names_continents_and_the_touched_country(open_page):
    page = open_page(**IPHONE.context)
    new_table(page, 2)
    page.get_by_test_id("tour-skip").tap()
    page.get_by_test_id("zoom-all").tap()
    page.wait_for_function("() => document.querySelectorAll('.signs .sign').length >= 9")
    expect(page.locator("[data-testid=board] .names .name")).to_have_count(0)
    brazil = next(number for number, country in enumerate(COUNTRIES) if country.name_en == "Brazil")
    page.locator(f'g.pill[data-country="{brazil}"] .body').tap(force=True)
    expect(page.locator(".names.plated .name")).to_have_text("Brazil")


@pytest.mark.nightly
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


@pytest.mark.nightly
@pytest.mark.parametrize("by", [at_night("key"), "touch"])
def test_the_film_of_a_war_counts_armies_down_and_is_ended_by_a_key_or_a_touch(open_page, by):
    page = open_page(has_touch=True)
    new_table(page, 2, {"start_armies": 20, "ghost_armies": 20})
    page.get_by_test_id("tour-skip").click()
    seen = place(page, settled(page), "A")
    source, target = seen.attacks("A")[0]
    page.evaluate(SLOWER, 40)
    page.get_by_test_id("amount-all").check(force=True)
    click(page, source)
    assert is_within_reach(page, target)
    click(page, target)
    battle = page.get_by_test_id("battle")
    expect(battle).to_have_attribute("data-rolling", "true")
    begins = look(page)
    assert (begins.armies[source], begins.armies[target]) == (seen.armies[source], seen.armies[target])
    assert begins.owners[target] == seen.owners[target]
    if by == "key":
        page.keyboard.press("x")
    else:
        page.get_by_test_id("board").tap(position={"x": 3, "y": 3})
    expect(battle).to_have_attribute("data-rolling", "false")
    ended = look(page)
    assert ended.armies[source] < seen.armies[source]


@pytest.mark.nightly
def test_reduced_motion_shows_the_last_throw_and_the_losses_at_once(open_page):
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


@pytest.mark.parametrize(("width", "height"), [at_night(1280, 800), (390, 844), at_night(1440, 900), at_night(1920, 1080)])
def test_the_game_goes_on_by_itself_and_tells_where_one_looks_what_the_others_did(open_page, width, height):
    """EMP-TIME-5, EMP-TABLE-1."""
    page = open_page(viewport={"width": width, "height": height}, reduced_motion="no-preference")
    new_table(page, 3)
    page.get_by_test_id("tour-skip").click()
    page.evaluate(COUNT_WAITS)
    expect(page.get_by_test_id("to-place")).to_be_visible()
    assert page.evaluate(UNCOVERED)
    place(page, settled(page), "A")
    assert page.evaluate(UNCOVERED)
    play_turn(page, "A")
    page.wait_for_function(IN_WINDOW, arg="[data-testid=move-table]")
    expect(page.get_by_test_id("to-place")).to_be_visible(timeout=60_000)
    assert waited(page, lambda: look(page).is_mine, 60)
    assert page.evaluate("() => globalThis.waits") == 0
    assert page.evaluate(IN_WINDOW, "[data-testid=move-table]"), "what happened can be read before one acts"
    expect(page.get_by_test_id("move-table")).to_contain_text("Bruno (C)")


@pytest.mark.nightly
def test_the_pointer_says_what_a_click_does_and_armies_are_hidden_at_the_map(open_page):
    """EMP-UI-1, EMP-UI-4."""
    page = open_page()
    new_table(page, 2)
    page.get_by_test_id("tour-skip").click()
    seen = settled(page)
    assert "<circle" in page.evaluate(CURSOR, seen.marks.index("candidate")).replace("%3C", "<")
    seen = place(page, seen, "A")
    source, target = seen.attacks("A")[0]
    assert page.evaluate(CURSOR, source) == "default"
    click(page, source)
    assert is_within_reach(page, target)
    assert page.evaluate(CURSOR, target) == "crosshair"
    page.get_by_test_id("show-armies").click()
    expect(page.locator("[data-testid=board] .pill").first).to_be_hidden()
    page.get_by_test_id("show-armies").click()
    expect(page.locator("[data-testid=board] .pill").first).to_be_visible()
    assert not findings(page)


@pytest.mark.nightly
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
        expect(page.get_by_test_id("move-table")).to_contain_text(f"Bruno ({seat})")
    expect(page.get_by_test_id("board-hint")).to_contain_text("You are next")
    assert page.evaluate(IN_WINDOW, "[data-testid=move-table]")
    page.get_by_test_id("playback-go").click()
    expect(page.get_by_test_id("to-place")).to_be_visible()
    assert page.evaluate("() => globalThis.waits") == 1


def test_the_map_has_two_thirds_of_a_phone_and_all_buttons_are_below_it(open_page):
    page = open_page(**IPHONE.context)
    new_table(page, 3)
    page.get_by_test_id("tour-skip").tap()

    def edges() -> list[float]:
        found: list[float] = page.evaluate(EDGES)
        return found

    sight = settled(page)
    top, bottom, buttons = before = edges()
    assert bottom - top >= 540
    assert bottom <= buttons + 1
    assert buttons < 844
    place(page, sight, "A")
    expect(page.get_by_test_id("done")).to_be_in_viewport(ratio=1)
    assert edges() == before
    page.get_by_test_id("done").tap()
    page.get_by_test_id("playback-pause").tap()
    expect(page.get_by_test_id("playback-resume")).to_be_in_viewport(ratio=1)
    assert edges() == pytest.approx(before, abs=1), "the pace of the others has the room of what one does oneself"


@pytest.mark.nightly
def test_the_notice_of_a_wait_covers_no_button_of_a_phone(open_page):
    page = open_page(viewport={"width": 390, "height": 844})
    new_table(page, 2)
    page.get_by_test_id("tour-skip").click()
    # The place of the notice, as high as it is with a sentence and a button.
    page.evaluate("() => { document.querySelector('[data-testid=at-turn] + .waits').style.minHeight = '7rem' }")
    assert not page.evaluate(TOUCHES, ["[data-testid=at-turn] + .waits", "[data-testid=zoom-in]"])
    page.get_by_test_id("zoom-in").click()


@pytest.mark.nightly
def test_continents_show_how_far_each_seat_has_come_with_them(open_page):
    """EMP-REINF-3."""
    page = open_page()
    new_table(page, 3)
    page.get_by_test_id("tour-skip").click()
    owners = settled(page).owners
    for number, continent in enumerate(CONTINENTS):
        held = [owners[country] for country in continent.countries].count("A")
        whole = len({owners[country] for country in continent.countries}) == 1
        if not whole:
            expect(page.get_by_test_id(f"continent-{continent.id}")).to_have_text(f"{held} / {len(continent.countries)}")
        arcs = page.locator(".signs > g:has(.whole)").nth(number).locator(".part")
        parts = arcs.evaluate_all("(all) => all.map((each) => Number(each.dataset.held))")
        seats = [[owners[country] for country in continent.countries].count(seat) for seat in "ABC"]
        assert parts == [seat for seat in seats if seat]
        # Colours are not all that tells: letters in the bars, gaps in the rings.
        bar = page.locator(f".parts:has(+ [data-testid=continent-{continent.id}])").locator("[data-letter]")
        letters = bar.evaluate_all("(all) => all.map((each) => getComputedStyle(each, '::before').content)")
        assert letters == [f'"{seat}"' for seat, held in zip("ABC", seats, strict=True) if held]
        drawn = arcs.evaluate_all("(all) => all.map((each) => parseFloat(each.getAttribute('stroke-dasharray')))")
        assert whole or sum(drawn) < len(continent.countries)


@pytest.mark.nightly
def test_secret_cards_are_cards_that_can_be_turned_over(open_page):
    """EMP-CARD-8."""
    page = open_page()
    new_table(page, 2, {"start_armies": 1, "ghost_armies": 1, "table_time": 0, "graphic_time": 0, "info_time": 0})
    page.get_by_test_id("tour-skip").click()
    cards = page.get_by_test_id("own-cards").locator(".card")
    expect(cards).to_have_count(3)
    for card in cards.all():
        expect(card.locator("svg")).to_be_visible()
    for _ in range(5):
        play_turn(page, "A")
        # A player who has freed a country in a turn draws one.
        if waited(page, lambda: page.evaluate(CARDS) > 0, 2):
            break
        waited(page, lambda: look(page).is_mine, 30)
    drawn = page.evaluate(CARDS)
    assert drawn > 0
    page.get_by_test_id("hide-cards").click()
    expect(page.get_by_test_id("own-cards")).to_have_text("hidden")
    expect(page.locator(".hand .back")).to_have_count(drawn)
    page.get_by_test_id("hide-cards").click()
    expect(page.locator(".hand .back")).to_have_count(0)
    assert page.evaluate(CARDS) == drawn


@pytest.mark.nightly
def test_patterns_tell_seats_apart_without_colours_and_stay_chosen(open_page):
    page = open_page()
    new_table(page, 3)
    page.get_by_test_id("tour-skip").click()
    owners = settled(page).owners
    patterns = page.locator("[data-testid=board] .patterns")
    expect(patterns).to_have_css("display", "none")
    page.get_by_test_id("countries").locator("summary").click()
    page.get_by_test_id("patterns").check()
    expect(patterns).not_to_have_css("display", "none")
    fills = patterns.locator("path").evaluate_all("(all) => all.map((each) => each.getAttribute('fill'))")
    owned = [owner for owner in owners if owner]
    assert len(fills) == len(owned)
    assert len(set(zip(owned, fills, strict=True))) == len(set(owned)) == len(set(fills)), "each seat has one of its own"
    page.reload()
    expect(patterns).not_to_have_css("display", "none")


@pytest.mark.nightly
def test_the_lesson_of_continents_opens_where_it_is_played(open_page):
    page = open_page("/learn/emperado/continent", **IPHONE.context)
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-verdict", "open")
    expect(page.get_by_test_id("board")).to_be_visible()
    for name in ("Neuseeland", "Nordaustralien"):
        assert page.evaluate(INSIDE, f"[data-testid=country-{name}]"), name


@pytest.mark.nightly
@pytest.mark.parametrize("screen", SCREENS)
def test_six_seats_with_clocks_keep_the_stage(open_page, screen):
    page = open_page(**SCREENS[screen].context)
    new_table(page, 6, {"table_time": 0, "graphic_time": 1, "info_time": 0}, clocks=True)
    page.get_by_test_id("tour-skip").click()
    settled(page)
    follow(page)
    play_turn(page, "A")
    expect(page.get_by_test_id("round")).to_have_text("2", timeout=90_000)
    check(page)


@pytest.mark.nightly
@pytest.mark.timeout(GAME_S + 120)
@pytest.mark.parametrize("screen", SCREENS)
def test_a_whole_game_of_six_seats_with_clocks_keeps_the_stage(open_page, screen):
    page = open_page(**SCREENS[screen].context)
    new_table(page, 6, {"max_rounds": 20, "table_time": 0, "graphic_time": 0, "info_time": 0}, clocks=True)
    page.get_by_test_id("tour-skip").click()
    follow(page)
    end = time.monotonic() + GAME_S
    while not is_over(page) and time.monotonic() < end:
        if look(page).is_mine:
            play_turn(page, "A")
        look_again(page)
    assert is_over(page)
    check(page)
