"""The board fills the window, what is needed to play is in sight, and nothing moves by itself."""

import re
from itertools import product

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.looks import DESKTOP, IPHONE, SCREENS
from tests.browser.play import choose_game, from_menu, play_to_the_end, press, press_back, set_clock
from tests.browser.stage import (
    BOARD_SHARE,
    MAX_SHIFT,
    MIN_TEXT,
    OBSERVE,
    OUT_OF_SIGHT,
    TEXT_SIZES,
    check,
    cumulative_layout_shift,
    follow,
)
from tests.night import at_night, by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

GAMES = ("einstein", "emperado", "plateau", "wec")
MIN_SHARE = {(1440, 900): 0.45, (1440, 800): 0.45, (1920, 1080): 0.5, (390, 844): 0.0, (360, 800): 0.0}
"""How much of the window the board takes at least, by the size of the window."""

SMALL_TARGETS = """() => [...document.querySelectorAll("button, a.button, select, summary, label:has(input)")].filter((each) => {
  const { width, height } = each.getBoundingClientRect();
  return each.checkVisibility() && width > 1 && (width < 43.9 || height < 43.9);
}).map((each) => `${each.dataset.testid ?? each.textContent.trim()} ${each.offsetWidth}x${each.offsetHeight}`)"""
TOUCHED = """() => {
  const shapes = "[data-testid=board] :is([data-testid^=square-] .square, [data-testid^=country-])";
  return [...document.querySelectorAll(shapes)].flatMap((each) => {
    const { width, height } = each.getBoundingClientRect();
    return [width, height];
  });
}"""
"""How wide and how high what can be touched on a board is, in pixels."""
CUT = """() => [...document.querySelectorAll("main *")].filter((each) => {
  const { overflowX, textOverflow } = getComputedStyle(each);
  const own = [...each.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== "");
  const cuts = textOverflow === "ellipsis" || overflowX !== "visible";
  return own && cuts && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1;
}).map(({ textContent }) => textContent.trim())"""
CHOSEN_CUT = """() => [...document.querySelectorAll("main select")].filter((each) => {
  const whole = each.cloneNode(true);
  for (const option of [...whole.options]) if (option.value !== each.value) option.remove();
  whole.style.cssText = "position: absolute; flex: none; width: max-content";
  each.after(whole);
  const { width } = whole.getBoundingClientRect();
  whole.remove();
  return each.checkVisibility() && each.getBoundingClientRect().width < width - 1;
}).map(({ selectedOptions }) => selectedOptions[0].text)"""
"""The chosen entries of lists that have no room for them."""
HUES = """() => {
  const hueOf = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map(Number);
    const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
    if (most - least < 25) return [];
    const sixth = most === red ? (green - blue) / (most - least) : most === green ? 2 + (blue - red) / (most - least)
      : 4 + (red - green) / (most - least);
    return [(60 * sixth + 360) % 360];
  };
  const found = {};
  for (const each of document.querySelectorAll("[data-testid=board] [data-mark]")) {
    const drawn = [...each.querySelectorAll(".aim, .dot.target")];
    const hues = drawn.map((part) => getComputedStyle(part).stroke).filter((stroke) => stroke.startsWith("rgb")).flatMap(hueOf);
    (found[each.dataset.mark] ??= []).push(...hues);
  }
  return found;
}"""
"""The hues of the strokes that mark something, in degrees, by what they mark."""
SLOWER = 4
PAINTED = "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"


def begin(page: Page, game: str) -> None:
    choose_game(page, game)
    set_clock(page, "total", 5, 3)
    press(page.get_by_test_id("play-button"))
    press(page.get_by_test_id("tour-skip"))
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()


@pytest.mark.parametrize("game", by_day(GAMES, "emperado"))
def test_the_board_fills_the_window_and_all_that_a_turn_needs_is_in_sight(open_page, game):
    page = open_page(viewport={"width": 1440, "height": 900})
    begin(page, game)
    for (width, height), share in MIN_SHARE.items():
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.wait_for_function(f"() => innerWidth === {width}")
        size = f"{game} {width}x{height}"
        page.wait_for_function(f"() => ({BOARD_SHARE})() >= {share}")
        assert page.evaluate(OUT_OF_SIGHT) == [], size
        page.wait_for_function(f"() => Math.min(...({TEXT_SIZES})('')) >= {MIN_TEXT if width > 360 else 11}")
        if game == "emperado" and width >= 1440:
            page.wait_for_function(f"() => Math.min(...({TEXT_SIZES})('.count')) >= 13.9")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
    assert page.evaluate(SMALL_TARGETS) == [], game


def open_slowly(page: Page, game: str) -> None:
    """Open a table of a game on a phone that is four times as slow as this machine."""
    page.goto(page.url.partition("/s/")[0])
    choose_game(page, game)
    expect(page.get_by_test_id(f"about-{game}")).to_be_visible()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(OBSERVE)
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("tour")).to_be_visible()
    expect(page.get_by_test_id("action-list")).to_be_attached()
    page.evaluate(PAINTED)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_the_board_of_a_slow_phone_does_not_jump_when_the_first_steps_come(open_page, game):
    page = open_page(**IPHONE.context)
    open_slowly(page, game)
    assert cumulative_layout_shift(page) < 0.1, page.evaluate("globalThis.shifts")


@pytest.mark.parametrize("screen", ["desktop", at_night("iphone")])
def test_the_menu_opens_at_its_button(open_page, screen):
    page = open_page(**SCREENS[screen].context)
    begin(page, "einstein")
    page.get_by_test_id("more").click()
    button, menu = (page.get_by_test_id(name).bounding_box() for name in ("more", "more-menu"))
    assert button is not None
    assert menu is not None
    assert menu["x"] <= button["x"] + button["width"]
    assert menu["x"] + menu["width"] >= button["x"]
    gaps = (menu["y"] - button["y"] - button["height"], button["y"] - menu["y"] - menu["height"])
    assert 0 <= max(gaps) < 12
    assert menu["y"] >= 0
    assert menu["y"] + menu["height"] <= SCREENS[screen].height


@pytest.mark.nightly
def test_a_mouse_draws_no_ring_of_the_keyboard_around_a_cover(open_page):
    page = open_page()
    cover = page.get_by_test_id("game-plateau").locator("..")
    style = "each => getComputedStyle(each).outlineStyle"
    cover.click()
    expect(page.get_by_test_id("game-plateau")).to_be_checked()
    assert cover.evaluate(style) == "none"
    page.keyboard.press("ArrowRight")
    chosen = page.locator("label:has(:checked)").filter(has=page.locator("[name=game]"))
    assert chosen.evaluate(style) != "none"


@pytest.mark.nightly
@pytest.mark.parametrize("width", [390, 360, 320])
def test_on_a_phone_the_flag_is_not_alone_in_its_row(open_page, width):
    page = open_page(**{**IPHONE.context, "viewport": {"width": width, "height": 844}})
    begin(page, "einstein")
    buttons = page.get_by_role("group", name="What you can do", exact=True).get_by_role("button").all()
    rows = [round(button.bounding_box()["y"]) for button in buttons]
    assert page.get_by_test_id("resign").bounding_box() is not None
    flag = round(page.get_by_test_id("resign").bounding_box()["y"])
    assert rows.count(flag) > 1
    if width == 390:
        assert len(set(rows)) == 1


@pytest.mark.parametrize("locale", ["en-GB", at_night("de-DE")])
@pytest.mark.parametrize(("game", "screen"), by_day(product(GAMES, SCREENS), ("wec", "iphone")))
def test_no_word_that_tells_how_things_stand_is_cut(open_page, game, screen, locale):
    page = open_page(**SCREENS[screen].context, locale=locale)
    begin(page, game)
    assert page.evaluate(CUT) == []
    assert page.evaluate(CHOSEN_CUT) == []


@pytest.mark.parametrize("lesson", ["einstein/two", at_night("wec/move"), at_night("plateau/march")])
def test_a_mark_has_the_same_colour_on_every_board(open_page, lesson):
    page = open_page(f"/learn/{lesson}", viewport=DESKTOP.viewport)
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-verdict", "open")
    page.locator("[data-mark=candidate]").first.click()
    expect(page.locator("[data-mark=target], [data-mark=capture]").first).to_be_attached()
    for mark, hues in page.evaluate(HUES).items():
        low, high = {"target": (130, 170), "capture": (0, 15), "moving": (255, 280), "candidate": (255, 280)}[mark]
        assert all(low <= hue <= high for hue in hues), f"{mark}: {hues}"


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "screen"), list(product(GAMES, SCREENS)))
def test_the_layout_is_stable_while_computers_play(open_page, game, screen):
    page = open_page(**SCREENS[screen].context)
    begin(page, game)
    from_menu(page, "hand-over")
    expect(page.get_by_test_id("take-back-0").or_(page.get_by_test_id("take-back-1")).first).to_be_attached()
    page.evaluate(PAINTED)  # what was asked for is there
    page.evaluate(OBSERVE)
    if game == "einstein":
        expect(page.get_by_test_id("result")).to_be_visible(timeout=60_000)
    else:
        plies = re.compile(r"^(9|\d{2,})$")
        expect(page.get_by_test_id("action-list")).to_have_attribute("data-plies", plies, timeout=60_000)
    assert cumulative_layout_shift(page) < MAX_SHIFT, page.evaluate("globalThis.shifts")


@pytest.mark.parametrize("screen", by_day(SCREENS, "iphone"))
def test_the_stage_is_kept_while_a_person_plays_to_the_end(open_page, screen):
    size = SCREENS[screen]
    page = open_page(**size.context)
    begin(page, "einstein")
    follow(page)
    play_to_the_end(page)
    check(page, share=MIN_SHARE[size.width, size.height])


@pytest.mark.nightly
def test_an_arranging_player_sees_what_to_do_and_its_buttons(open_page):
    page = open_page(**DESKTOP.context)
    choose_game(page, "einstein")
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("option-setup").get_by_role("combobox").select_option("3")
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    sentence, done = page.get_by_test_id("board-hint"), page.get_by_test_id("arrange-done")
    for (width, height), share in MIN_SHARE.items():
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.wait_for_function(f"() => innerWidth === {width}")
        for needed in (sentence, done):
            expect(needed).to_be_in_viewport(ratio=1)
        assert page.evaluate(OUT_OF_SIGHT) == []
        assert page.evaluate(BOARD_SHARE) >= share
    done.click()
    expect(done).to_be_hidden()
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(sentence).not_to_be_empty()


@pytest.mark.parametrize(("game", "screen"), by_day(product(GAMES, SCREENS), ("einstein", "iphone")))
def test_the_layout_is_stable_at_the_end_and_every_button_is_free(open_page, game, screen):
    page = open_page(**SCREENS[screen].context)
    begin(page, game)
    page.evaluate(OBSERVE)
    press(page.get_by_test_id("resign"))
    press(page.get_by_test_id("sure"))
    expect(page.get_by_test_id("result")).to_be_visible()
    assert cumulative_layout_shift(page) < MAX_SHIFT, page.evaluate("globalThis.shifts")
    offered = [name for name in ("rematch", "verify", "flip", "review-run") if page.get_by_test_id(name).count()]
    assert ("verify" in offered) == (game != "wec"), "only where there is chance"
    for name in offered:
        page.get_by_test_id(name).click(trial=True)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_the_whole_screen_is_the_boards(open_page, game):
    page = open_page(**DESKTOP.context)
    begin(page, game)
    before = page.evaluate(BOARD_SHARE)
    page.get_by_test_id("zen").click()
    expect(page.get_by_test_id("action-list")).to_be_hidden()
    page.wait_for_function("() => document.fullscreenElement === document.documentElement")
    page.wait_for_function(f"(before) => ({BOARD_SHARE})() > before", arg=before)
    assert page.evaluate(OUT_OF_SIGHT) == []
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.fullscreenElement === null")
    expect(page.get_by_test_id("action-list")).to_be_visible()


@pytest.mark.nightly
def test_leaving_the_whole_screen_by_the_browsers_own_means_brings_the_page_back(open_page):
    page = open_page(**DESKTOP.context)
    begin(page, "einstein")
    page.get_by_test_id("zen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.evaluate("document.exitFullscreen()")
    expect(page.get_by_test_id("action-list")).to_be_visible()
    expect(page.get_by_test_id("zen")).to_have_attribute("aria-pressed", "false")


@pytest.mark.nightly
def test_a_browser_without_a_whole_screen_gives_the_board_the_window(open_page):
    page = open_page(**DESKTOP.context)
    page.add_init_script("delete Element.prototype.requestFullscreen")
    page.reload()
    begin(page, "wec")
    before = page.evaluate(BOARD_SHARE)
    page.get_by_test_id("zen").click()
    expect(page.get_by_test_id("action-list")).to_be_hidden()
    page.wait_for_function(f"(before) => ({BOARD_SHARE})() > before", arg=before)
    page.get_by_test_id("zen").click()
    expect(page.get_by_test_id("action-list")).to_be_visible()
    table = page.url
    page.get_by_test_id("zen").click()
    expect(page.get_by_test_id("action-list")).to_be_hidden()
    press_back(page)  # as the browser's own means leave its own whole screen
    expect(page.get_by_test_id("action-list")).to_be_visible()
    assert page.url == table


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_a_large_touch_screen_has_targets_for_fingers(open_page, game):
    page = open_page(**DESKTOP.context, has_touch=True, is_mobile=True)
    begin(page, game)
    from_menu(page, "hand-over")
    expect(page.get_by_test_id("action-list").get_by_role("button").first).to_be_visible()
    page.get_by_test_id("more").click()
    expect(page.get_by_test_id("more-menu")).to_be_visible()
    assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate(OUT_OF_SIGHT) == []


@pytest.mark.nightly
def test_the_name_of_an_icon_is_seen_by_those_who_come_to_it_by_keyboard(open_page):
    page = open_page(**DESKTOP.context)
    begin(page, "einstein")
    name = page.get_by_test_id("zen").locator(".name")
    assert name.evaluate("name => name.getBoundingClientRect().width") < 2
    page.get_by_test_id("flip").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("zen")).to_be_focused()
    assert name.evaluate("name => name.getBoundingClientRect().width") > 40
    page.get_by_test_id("resign").focus()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("lesson", "enlarge", "times"), [at_night("einstein/die", "", 0), ("wec/move", "zoom-0", 1), ("emperado/place", "zoom-in", 8)]
)
def test_touch_targets_on_a_board_are_large_enough_or_become_so(open_page, lesson, enlarge, times):
    page = open_page(f"/learn/{lesson}", **IPHONE.context)
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-verdict", "open")
    if lesson == "wec/move":
        page.get_by_test_id("finding").locator("summary").tap()
    for _ in range(times):
        page.get_by_test_id(enlarge).tap()
    page.wait_for_function(f"() => ({TOUCHED})().length > 0 && ({TOUCHED})().every((size) => size >= 43.9)")
