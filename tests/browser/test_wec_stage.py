"""The stage of Weaponized Chess: what is on the board can be told apart, looked up, and seen to happen."""

import re

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import wec_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec.codec import WecCodec
from tests.brettwerk_games.rules.wec.boards import board
from tests.browser.axe import findings
from tests.browser.looks import ANDROID, IPHONE, SCREENS, at_night
from tests.browser.play import BY_HAND, choose_game, until_answered
from tests.browser.stage import MIN_TEXT, TEXT_SIZES
from tests.browser.wec import begin_here, sit_down_at_message
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

CROWDS = (
    *("B JE[AFL](5,2) Air", "B RP[AFL](5,2)", "B SU[ATL](5,2) Sub"),
    *("B CH<[AST](5,4) Air", "B FP[AFL](5,4) Air", "B TA>[ASL](5,4)", "B SU[ATL](5,4) Sub"),
    *("B JE[AFL](5,6) Air", "B TA<[AFL](5,6)"),
)
ROCKETS = [(0, 4, "(3,3)", (1, 0), 1), (0, 5, "(3,3)", (1, 0), 2), (1, 6, "(3,3)", (0, 1), 3)]
COVERED = """() => {
  const boxes = (of) => [...document.querySelectorAll(`[data-testid=board] ${of}`)].map((each) => each.getBoundingClientRect())
    .filter(({ width }) => width > 0);
  const holds = ({ left, right, top, bottom }, other) => {
    const [x, y] = [(other.left + other.right) / 2, (other.top + other.bottom) / 2];
    return left < x && x < right && top < y && y < bottom;
  };
  const small = [...boxes(".carried .plate"), ...boxes("path.air, path.sub"), ...boxes(".projectile path")];
  // The box of a text is higher than its digits.
  const digits = ({ left, right, top, bottom, height }) =>
    ({ left, right, top: top + height * 0.2, bottom: bottom - height * 0.22 });
  const numbers = boxes("text.stun").map(digits);
  const pairs = [...small, ...numbers].flatMap((one, index, all) => all.slice(index + 1).map((other) => [one, other]));
  return [numbers.length, pairs.filter(([one, other]) => holds(one, other) || holds(other, one)).length];
}"""
"""How many numbers there are, and how many signs, numbers and projectiles have the middle of another one under them."""

WHOLE = """() => {
  const { top, bottom } = document.querySelector("[data-testid=board]").getBoundingClientRect();
  return top >= 0 && bottom <= document.querySelector("[data-testid=turn]").getBoundingClientRect().top + 0.5;
}"""
"""Whether all of the board is in sight, above what can be done now."""


def begin(page: Page) -> None:
    choose_game(page, "wec")
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()


@pytest.mark.parametrize(("locale", "scheme", "name"), [("en-GB", "light", "Flame Pawn"), at_night("de-DE", "dark", "Flammen")])
def test_pieces_on_a_square_are_told_beside_the_pointer_and_in_a_legend(open_page, locale, scheme, name):
    page = open_page(locale=locale, color_scheme=scheme)
    begin(page)
    page.get_by_test_id("square-(2,3)").hover(force=True)
    expect(page.get_by_test_id("hover-card")).to_contain_text(name)
    expect(page.locator(".names .lit")).to_have_text([re.compile(r"^[CS]3$"), "R2"])
    page.get_by_test_id("legend").locator("summary").click()
    expect(page.get_by_test_id("legend").get_by_role("listitem")).to_have_count(3 + 23 + 18)
    assert not findings(page)


@pytest.mark.nightly
def test_every_piece_under_the_pointer_shows_its_reach(open_page):
    page = open_page()
    begin(page)
    reached = page.locator(".goes, .hits")
    for own_or_not in ("square-(2,1)", "square-(9,5)"):
        page.get_by_test_id(own_or_not).hover(force=True)
        expect(reached.first).to_be_attached()
        page.get_by_test_id("square-(5,1)").hover(force=True)
        expect(reached).to_have_count(0)


@pytest.mark.parametrize("screen", by_day(SCREENS, "desktop"))
@pytest.mark.parametrize("look", ["studio", at_night("cabinet")])
def test_a_crowded_square_covers_no_other(open_page, site, screen, look):
    page = open_page(**SCREENS[screen].context)
    start = board(*CROWDS, rockets=ROCKETS)
    written = WecCodec.forms[Kind.POSITION].write(start)
    assert isinstance(written, bytes)
    crowd = wec_pb2.WecPosition.FromString(written)
    for piece in crowd.pieces[2 : 2 + len(CROWDS)]:
        piece.stunned = 4
    sit_down_at_message(page, site, crowd, set=look)
    numbers, covered = page.evaluate(COVERED)
    assert numbers == len(CROWDS)
    assert covered == 0
    assert min(page.evaluate(TEXT_SIZES, ":not(:empty)")) >= MIN_TEXT


@pytest.mark.nightly
def test_the_other_sides_reach_is_asked_by_key_and_said(open_page):
    page = open_page()
    begin(page)
    page.get_by_test_id("square-(9,5)").focus()
    page.keyboard.press("r")
    expect(page.get_by_test_id("board-spoken")).to_contain_text(re.compile(r"can go to \d+ squares, can hit \d+ squares"))
    expect(page.locator(".looked")).to_have_count(1)
    assert not findings(page)
    page.keyboard.press("Escape")
    expect(page.locator(".looked")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_test_id("board-key").last).to_contain_text("yours or not")


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "scheme", "phone"), [("en-GB", "light", IPHONE), ("de-DE", "dark", ANDROID)])
def test_the_other_sides_reach_is_asked_by_a_tap(open_page, locale, scheme, phone):
    page = open_page(locale=locale, color_scheme=scheme, **phone.context)
    begin(page)
    page.get_by_test_id("square-(9,5)").tap(force=True)
    expect(page.locator(".looked")).to_have_count(1)
    expect(page.locator(".goes").first).to_be_attached()
    expect(page.get_by_test_id("reach-help")).to_be_attached()
    page.get_by_test_id("square-(9,5)").tap(force=True)
    expect(page.locator(".goes")).to_have_count(0)


def test_on_a_phone_the_description_of_a_square_leaves_the_whole_board_in_sight(open_page):
    page = open_page(**IPHONE.context)
    begin(page)
    # Two pieces and a reinforcement have much to be said of them.
    page.get_by_test_id("square-(2,3)").tap(force=True)
    expect(page.get_by_test_id("inspector")).to_contain_text("Flame Pawn")
    page.wait_for_function(WHOLE)


@pytest.mark.nightly
def test_squares_and_pieces_have_the_colours_that_the_player_has_chosen(open_page):
    page = open_page()
    begin(page)
    page.get_by_test_id("look").locator("summary").click()
    page.get_by_test_id("colours").select_option("own")
    page.get_by_test_id("colour-light").fill("#80c0ff")
    page.get_by_test_id("colour-black").fill("#7a1f5c")
    fill = "(square) => getComputedStyle(square).fill"
    light = page.get_by_test_id("square-(1,1)").locator(".square")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('[data-testid=\"square-(1,1)\"] .square')).fill === 'rgb(128, 192, 255)'"
    )
    page.reload()
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()
    assert light.evaluate(fill) == "rgb(128, 192, 255)"
    assert page.locator("[data-testid=board] .black .body").first.evaluate(fill) == "rgb(122, 31, 92)"


@pytest.mark.nightly
def test_newcomers_get_a_small_board_by_one_click_and_the_full_one_is_next_to_it(open_page):
    page = open_page()
    choose_game(page, "wec", is_newcomer=True)
    expect(page.get_by_test_id("start-small")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("start-usual")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_test_id("start-form").get_by_text("Few pieces")).to_have_count(1)  # once, not in the list as well
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()
    expect(page.locator("[data-name^=piece-]")).to_have_count(18)


@pytest.mark.nightly
def test_hidden_pieces_are_shown_once_the_game_is_over(open_page):
    page = open_page()
    begin(page)
    pieces = page.locator("[data-name^=piece-]")
    expect(pieces).to_have_count(54)
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    expect(pieces).to_have_count(56)


@pytest.mark.nightly
def test_the_squares_that_a_shot_sweeps_light_up_in_order_and_tell_what_came_of_it(open_page):
    page = open_page(settings=BY_HAND)
    choose_game(page, "wec")
    begin_here(page)
    page.get_by_test_id("tour-skip").click()
    page.get_by_test_id("square-(2,2)").click(button="right")
    page.get_by_test_id("square-(3,2)").click()
    ray = [f"strike-({row},2)" for row in range(3, 10)]
    for step, name in enumerate(ray, start=1):
        expect(page.get_by_test_id(name)).to_have_attribute("data-step", str(step))
        expect(page.get_by_test_id(name)).to_have_attribute("data-outcome", "swept")
    paces = [
        page.get_by_test_id(name).evaluate("(strike) => getComputedStyle(strike).getPropertyValue('--pace')") for name in ray
    ]
    assert len(set(paces)) == len(ray), "each lights up at another moment"
    assert page.get_by_test_id(ray[0]).locator(".burst").evaluate("(lit) => getComputedStyle(lit).animationName") != "none"
    page.get_by_test_id("square-(2,2)").click()
    page.get_by_test_id("square-(3,3)").click()
    page.get_by_test_id("mode-fire").click()
    page.get_by_test_id("mode-end").click()
    expect(page.get_by_test_id("mode-move")).to_have_attribute("aria-pressed", "true")
    # A Stun Pawn counters what it fires.
    expect(page.get_by_test_id(ray[-1])).to_have_attribute("data-outcome", "countered")
    expect(page.get_by_test_id(ray[0])).to_have_attribute("data-outcome", "swept")


@pytest.mark.nightly
@pytest.mark.parametrize("how", ["touch", "key"])
def test_a_film_ends_with_the_first_touch_of_a_player_who_is_to_act(open_page, how):
    page = open_page(settings=BY_HAND)
    begin(page)
    page.get_by_test_id("square-(2,2)").click()
    page.get_by_test_id("square-(3,3)").click()
    page.get_by_test_id("mode-end").click()
    # A paused film is shown until somebody ends it, however slow the machine is.
    page.get_by_test_id("playback-pause").click()
    chosen = page.get_by_test_id("square-(2,9)")

    def touch() -> None:
        if how == "touch":
            chosen.click()
        else:
            chosen.focus()
            page.keyboard.press("Enter")

    until_answered(page, touch, "() => document.querySelector('[data-testid=\"square-(2,9)\"]').dataset.mark === 'moving'")
    expect(page.get_by_test_id("playback-skip")).to_be_hidden()
