"""Comforts of play: keys, the review, sounds, settings, and the first steps."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import LOOKS, at_night
from tests.browser.play import choose_game, play_by_mouse, play_to_the_end
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

COUNT_SOUNDS = """
window.sounds = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.sounds++; return start.apply(this, when); };
"""


def start(page: Page) -> None:
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()


@pytest.mark.nightly
@LOOKS
def test_a_question_mark_shows_the_keys_and_escape_gives_the_focus_back(open_page, locale, scheme):
    page = open_page(locale=locale, color_scheme=scheme)
    page.get_by_test_id("play-button").focus()
    page.keyboard.press("?")
    expect(page.get_by_test_id("dialog-help")).to_be_visible()
    assert not findings(page)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("dialog-help")).to_be_hidden()
    expect(page.get_by_test_id("play-button")).to_be_focused()
    page.get_by_test_id("open-settings").click()
    expect(page.get_by_test_id("dialog-settings")).to_be_visible()
    assert not findings(page)


SHAPES = """() => {
  const shape = (selector) => [...document.querySelectorAll(selector)].map((each) => {
    const { strokeDasharray, strokeWidth } = getComputedStyle(each);
    return `${each.tagName} ${strokeDasharray} ${strokeWidth}`;
  });
  return [".ring.red", ".ring.green", ".target .aim", ".capture .aim", ".last:not(.target, .capture) .aim"].map(shape);
}"""


@pytest.mark.nightly
def test_marks_differ_by_shape_and_not_by_colour_alone(open_page):
    page = open_page()
    start(page)
    seen: list[set[str]] = [set() for _ in range(5)]
    while not all(seen) and not page.get_by_test_id("result").is_visible():
        for kind, shapes in zip(seen, page.evaluate(SHAPES), strict=True):
            kind.update(shapes)
        play_by_mouse(page)
    found = [shape for kind in seen for shape in kind]
    assert len(found) >= 3
    assert len(set(found)) == len(found), seen


@pytest.mark.nightly
def test_keys_lead_through_the_game_and_turn_the_board(open_page):
    page = open_page()
    start(page)
    moves = page.get_by_test_id("action-list").get_by_role("button")
    while moves.count() < 2:
        play_by_mouse(page)
    page.locator("h1").click()
    page.keyboard.press("k")
    expect(page.get_by_test_id("live")).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_test_id("live")).to_be_hidden()
    page.keyboard.press("Home")
    expect(page.get_by_test_id("live")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("live")).to_be_hidden()
    corner = page.get_by_test_id("square-A1")
    before = corner.bounding_box()
    page.keyboard.press("f")
    page.wait_for_function(
        "top => document.querySelector('[data-testid=square-A1]').getBoundingClientRect().top > top + 50", arg=before["y"]
    )
    page.keyboard.press("z")
    expect(page.get_by_test_id("action-list")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("action-list")).to_be_visible()


@pytest.mark.nightly
@LOOKS
def test_a_finished_game_is_reviewed_and_a_dear_move_leads_to_its_position(open_page, locale, scheme):
    page = open_page(locale=locale, color_scheme=scheme)
    start(page)
    page.get_by_test_id("chances").click()
    expect(page.get_by_test_id("chance-bar")).to_contain_text("%")
    assert not findings(page)
    play_to_the_end(page)
    page.get_by_test_id("review-run").click()
    expect(page.get_by_test_id("chance-graph")).to_be_visible()
    expect(page.get_by_test_id("review-stop")).to_be_hidden()
    expect(page.get_by_test_id("review-run")).to_be_hidden()
    for seat in (0, 1):
        expect(page.get_by_test_id(f"chance-line-{seat}")).to_be_visible()
    expect(page.get_by_test_id("chance-legend")).to_contain_text(re.compile("(White.*Black|Weiß.*Schwarz)", re.DOTALL))
    page.get_by_test_id("review").locator("summary").click()
    rows = page.get_by_test_id("review").locator("tbody tr")
    assert rows.count() == page.get_by_test_id("action-list").get_by_role("button").count() + 1
    assert not findings(page)
    dear = page.get_by_test_id("worst").get_by_role("button")
    if dear.count():
        dear.first.click()
        expect(page.get_by_test_id("live")).to_be_visible()
        expect(page.get_by_test_id("board").locator(".advised")).to_have_count(1)


@pytest.mark.nightly
def test_moves_are_heard_and_the_switch_silences_them(open_page):
    page = open_page()
    page.add_init_script(COUNT_SOUNDS)
    page.reload()
    start(page)
    moves = page.get_by_test_id("action-list").get_by_role("button")
    while moves.count() < 2:
        play_by_mouse(page)
    page.wait_for_function("() => window.sounds > 0")
    page.locator("details.settings summary").click()
    page.get_by_test_id("sound").uncheck()
    heard, played = page.evaluate("window.sounds"), moves.count()
    while moves.count() < played + 2:
        play_by_mouse(page)
    assert page.evaluate("window.sounds") == heard


@pytest.mark.nightly
def test_saved_defaults_are_used_for_new_tables_and_one_click_restores_the_originals(open_page):
    page = open_page()
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("clock").select_option("turn")
    page.get_by_test_id("save-table").click()
    page.reload()
    expect(page.get_by_test_id("company-here")).to_have_attribute("aria-pressed", "true")
    page.get_by_test_id("more-settings").click()
    expect(page.get_by_test_id("clock")).to_have_value("turn")
    page.get_by_test_id("restore-table").click()
    expect(page.get_by_test_id("company-computer")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.get_by_test_id("company-computer")).to_have_attribute("aria-pressed", "true")


@pytest.mark.nightly
def test_settings_travel_as_a_file(open_page, tmp_path):
    one, other = open_page(), open_page()
    one.get_by_test_id("theme").select_option("dark")
    one.get_by_test_id("open-settings").click()
    with one.expect_download() as download:
        one.get_by_test_id("export-settings").click()
    file = tmp_path / "settings.json"
    download.value.save_as(file)
    assert json.loads(file.read_text())["theme"] == "dark"
    other.get_by_test_id("open-settings").click()
    other.get_by_test_id("import-settings").set_input_files(file)
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")
    file.write_text("nonsense")
    other.get_by_test_id("import-settings").set_input_files(file)
    expect(other.get_by_test_id("settings-said")).to_contain_text("does not contain settings")
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")


STEPS = {"einstein": 5, "emperado": 9, "plateau": 7, "wec": 8}


@pytest.mark.nightly
@pytest.mark.parametrize("game", by_day(STEPS, "plateau"))
@pytest.mark.parametrize(
    ("locale", "scheme", "title", "wide"), [("en-GB", "dark", "The goal", 1280), at_night("de-DE", "light", "Das Ziel", 390)]
)
def test_the_first_steps_are_walked_by_keyboard_and_never_come_again_unasked(open_page, game, locale, scheme, title, wide):
    page = open_page(locale=locale, color_scheme=scheme, viewport={"width": wide, "height": 844})
    choose_game(page, game)
    start(page)
    tour = page.get_by_test_id("tour")
    expect(tour).to_contain_text(title)
    assert not findings(page)
    for step in range(1, STEPS[game] + 1):
        expect(tour).to_contain_text(f"{step} / {STEPS[game]}")
        expect(tour).to_be_in_viewport(ratio=0.95)
        expect(page.locator("[data-tour-target]")).to_have_count(1)
        expect(page.locator("[data-tour-target]")).to_be_visible()
        assert shown_of_spot(page) >= min(300, page.locator("[data-tour-target]").bounding_box()["height"] - 1)
        # Not for longer than a moment in which the page finds its place again.
        page.wait_for_function("() => document.documentElement.scrollWidth <= window.innerWidth")
        if step < STEPS[game]:
            page.get_by_test_id("tour-next").focus()
            page.keyboard.press("Enter")
            expect(tour.locator("h2")).to_be_focused()
    page.get_by_test_id("tour-done").focus()
    page.keyboard.press("Enter")
    expect(tour).to_be_hidden()
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator("[data-tour-target]")).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(tour).to_be_hidden()
    page.get_by_test_id("more").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("tour-again").focus()
    page.keyboard.press("Enter")
    expect(tour.locator("h2")).to_be_focused()
    expect(tour).to_contain_text(title)
    page.get_by_test_id("tour-skip").click()
    expect(tour).to_be_hidden()


def shown_of_spot(page: Page) -> float:
    """Return how many pixels in height are seen of what the first steps point at: on the screen, and not below their note."""
    seen: float = page.evaluate(
        """() => {
          const [note, spot] = ["[data-testid=tour]", "[data-tour-target]"].map((selector) =>
            document.querySelector(selector).getBoundingClientRect());
          const beside = note.right < spot.left || spot.right < note.left;
          const above = spot.bottom <= note.top;
          return Math.min(spot.bottom, innerHeight) - Math.max(spot.top, beside || above ? 0 : note.bottom);
        }"""
    )
    return seen


def ask(page: Page) -> None:
    """Touch squares until the client asks whether that move is meant."""
    for _ in range(100):
        if page.get_by_test_id("confirm").is_visible():
            return
        play_by_mouse(page)
    pytest.fail("nobody asks")


@pytest.mark.nightly
def test_a_move_is_played_only_when_it_was_confirmed_by_keys_too(open_page):
    page = open_page()
    start(page)
    page.locator("details.settings summary").click()
    page.get_by_test_id("autoplay").uncheck()
    page.get_by_test_id("confirm-moves").check()
    moves = page.get_by_test_id("action-list").get_by_role("button")
    confirm = page.get_by_test_id("confirm")
    ask(page)
    expect(page.get_by_test_id("confirm-yes")).to_be_focused()
    assert not findings(page)
    page.keyboard.press("Escape")
    expect(confirm).to_be_hidden()
    expect(moves).to_have_count(0)
    ask(page)
    page.keyboard.press("Enter")
    expect(confirm).to_be_hidden()
    expect(moves.first).to_be_visible()


@pytest.mark.nightly
def test_moves_of_a_game_without_words_of_its_own_are_spoken_in_the_servers(open_page):
    page = open_page()
    page.get_by_test_id("game-plateau").locator("..").click()
    start(page)
    page.locator("details.settings summary").click()
    page.get_by_test_id("plain-board").check()
    page.locator("[data-mark=candidate]").first.click()
    page.locator("[data-mark=target]").first.click()
    moves = page.get_by_test_id("action-list").get_by_role("button")
    expect(moves.first).to_be_visible()
    expect(page.get_by_test_id("spoken")).to_contain_text(re.compile(r"\w+: \S+"))
