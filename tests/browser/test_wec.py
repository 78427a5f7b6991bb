"""Weaponized Chess in the browser: two people negotiate and play, keys alone play, boards are edited, shared and played."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.keys import press
from tests.browser.looks import LOOKS
from tests.browser.play import BY_HAND, choose_game, drag_by_touch, from_menu, sit_down_together
from tests.browser.stage import check, follow
from tests.browser.wec import begin_here, by_key, play_on

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


# An animation that lasts no longer than a frame is not seen to move.
MOVING = """() => {
  Object.assign(globalThis, { moving: [], looks: 0 });
  const look = () => {
    const lasts = (each) => Number(each.effect?.getComputedTiming().activeDuration ?? 0);
    for (const each of document.getAnimations())
      if (each.playState === "running" && lasts(each) > 20) globalThis.moving.push(each.effect.target?.outerHTML.slice(0, 90));
    globalThis.looks++;
    requestAnimationFrame(look);
  };
  look();
}"""


def square(page: Page, name: str):
    return page.get_by_test_id(f"square-{name}")


def turn(page: Page, source: str, target: str) -> None:
    """Move a piece and end the Turn."""
    square(page, source).click()
    square(page, target).click()
    expect(page.get_by_test_id("mode-end")).to_be_enabled()
    page.get_by_test_id("mode-end").click()


@pytest.mark.nightly
def test_two_people_play_a_prepared_board_to_its_end_and_the_stage_is_kept(open_page) -> None:
    one, other = (
        open_page(settings=BY_HAND, viewport={"width": 1440, "height": 900}),
        open_page(settings=BY_HAND, viewport={"width": 390, "height": 844}),
    )
    choose_game(one, "wec")
    one.get_by_test_id("start").select_option("two_kings")
    sit_down_together(one, other)
    for page in (one, other):
        expect(page.get_by_test_id("board")).to_be_visible()
        page.get_by_test_id("tour-skip").click()
        follow(page)
    play_on(one, other)
    expect(one.get_by_test_id("result")).to_be_visible()
    expect(other.get_by_test_id("result")).to_be_visible()
    check(one, share=0.45)
    check(other)


def begin_two_kings(page: Page) -> None:
    choose_game(page, "wec")
    page.get_by_test_id("start").select_option("two_kings")
    begin_here(page)
    page.get_by_test_id("tour-skip").click()
    expect(page.get_by_test_id("board")).to_be_visible()


@pytest.mark.nightly
def test_with_reduced_motion_a_whole_game_is_still(open_page) -> None:
    page = open_page(settings=BY_HAND, reduced_motion="reduce")
    begin_two_kings(page)
    page.evaluate(MOVING)
    play_on(page)
    expect(page.get_by_test_id("result")).to_be_visible()
    assert page.evaluate("globalThis.looks") > 0
    assert page.evaluate("globalThis.moving") == []


@pytest.mark.nightly
def test_a_change_of_the_options_needs_the_other_side(open_page) -> None:
    """WEC-NET-4: what one side wants to change, the other has to agree to."""
    one, other = open_page(), open_page()
    choose_game(one, "wec")
    sit_down_together(one, other)
    expect(one.get_by_test_id("bar")).to_be_visible()
    one.get_by_text("Table options").click()
    field = one.get_by_label(re.compile("Stun.*range|Range of Stun", re.IGNORECASE)).first
    field.fill("4")
    field.blur()
    one.get_by_test_id("propose-options").click()
    other.get_by_test_id("accept").first.click()
    one.get_by_test_id("status").locator("summary").click()
    expect(one.get_by_test_id("status").locator("dt:has-text('Stun') + dd", has_text=re.compile("^4$"))).to_be_visible()


@pytest.mark.nightly
def test_after_a_turn_by_keys_alone_the_focus_is_on_the_board(open_page) -> None:
    page = open_page(settings=BY_HAND)
    choose_game(page, "wec")
    page.get_by_test_id("company-here").click()
    press(page, "[data-testid=play-button]")
    press(page, "[data-testid=hand-open]")
    by_key(page, "square-(2,2)")
    expect(square(page, "(2,2)")).to_have_attribute("data-mark", "moving")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(square(page, "(3,3)")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("mode-end")).to_be_enabled()
    page.keyboard.press("7")
    expect(page.get_by_test_id("seat-1")).to_contain_text("to move")
    expect(square(page, "(3,3)")).to_be_focused()
    by_key(page, "square-(9,9)")
    by_key(page, "square-(8,8)")
    by_key(page, "mode-end")
    expect(page.get_by_test_id("seat-0")).to_contain_text("to move")
    expect(square(page, "(8,8)")).to_be_focused()


@pytest.mark.nightly
def test_a_whole_game_against_a_computer_is_played_by_keys_alone(open_page) -> None:
    page = open_page(settings=BY_HAND, viewport={"width": 1440, "height": 900})
    choose_game(page, "wec", is_newcomer=True)
    press(page, "[data-testid=play-button]")
    press(page, "[data-testid=tour-skip]")
    play_on(page, hand=by_key)
    expect(page.get_by_test_id("result")).to_be_visible()


@pytest.mark.nightly
def test_the_other_button_fires_and_the_history_tells_it(open_page) -> None:
    page = open_page(settings=BY_HAND)
    choose_game(page, "wec")
    begin_here(page)
    expect(page.get_by_test_id("bar")).to_be_visible()
    square(page, "(2,1)").click(button="right")
    expect(page.get_by_test_id("mode-fire")).to_have_attribute("aria-pressed", "true")
    square(page, "(3,1)").click()
    expect(page.get_by_test_id("mode-move")).to_have_attribute("aria-pressed", "true")
    turn(page, "(2,2)", "(3,3)")
    page.get_by_test_id("history").locator("summary").click()
    expect(page.get_by_test_id("history").locator("code").first).to_contain_text("FI1:RL/RP(2,1)->(3,1)")


@pytest.mark.nightly
def test_a_turn_done_unseen_is_one_line_to_the_others_and_is_read_once_the_game_is_over(open_page) -> None:
    """WEC-RUL-53: what was left out leaves no trace in number, kind, length or moment."""
    one, other, guest = open_page(settings=BY_HAND), open_page(settings=BY_HAND), open_page(settings=BY_HAND)
    choose_game(one, "wec")
    one.get_by_test_id("more-settings").click()
    expect(one.get_by_test_id("option-competitive")).to_have_count(0)
    one.get_by_test_id("competitive").check()
    sit_down_together(one, other)
    guest.goto(one.url)
    square(one, "(2,3)").click()
    one.get_by_test_id("inspector").get_by_role("button", name="AAA").click()
    square(one, "(3,3)").click()
    expect(one.get_by_test_id("action-list")).to_contain_text("AAA from 2, 3 to 3, 3")
    one.get_by_test_id("mode-end").click()
    for page in (other, guest):
        expect(page.get_by_test_id("action-list").locator("li")).to_have_text([re.compile(r"^\s*1\.\s*Turn ended\s*$")])
    turn(other, "(9,9)", "(8,8)")
    expect(one.get_by_test_id("action-list")).to_have_attribute("data-plies", "4")
    expect(other.get_by_test_id("action-list")).to_have_attribute("data-plies", "3")
    one.get_by_test_id("resign").click()
    one.get_by_test_id("sure").click()
    for page in (one, other, guest):
        expect(page.get_by_test_id("result")).to_be_visible()
        expect(page.get_by_test_id("action-list")).to_have_attribute("data-plies", "5")
        expect(page.get_by_test_id("action-list")).to_contain_text("AAA from 2, 3 to 3, 3")


@pytest.mark.nightly
def test_a_board_is_edited_shared_saved_and_played(open_page, tmp_path) -> None:
    page = open_page("/edit/wec", settings=BY_HAND)
    page.get_by_test_id("start-empty").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("primary")  # a warning: such a board may be played (WEC-RUL-65)
    expect(page.get_by_test_id("board-play")).to_be_enabled()
    put(page, "king", "(1,1)")
    put(page, "jet", "(2,2)")
    page.get_by_test_id("seat-1").click()
    put(page, "king", "(10,10)")
    page.get_by_test_id("tool-article").click()
    page.get_by_test_id("article-15").click()
    square(page, "(5,5)").click()
    expect(page.get_by_test_id("board-play")).to_be_enabled()
    page.get_by_test_id("board-share").click()
    page.wait_for_url("**#board=*")
    again = open_page("/" + page.url.split("/", 3)[3])
    expect(square(again, "(2,2)")).to_have_attribute("aria-label", re.compile("Jet"))
    with page.expect_download() as download:
        page.get_by_test_id("board-save").click()
    saved = tmp_path / "board.json"
    download.value.save_as(saved)
    page.get_by_test_id("start-empty").click()
    page.get_by_test_id("board-load").set_input_files(saved)
    expect(square(page, "(2,2)")).to_have_attribute("aria-label", re.compile("Jet"))
    page.get_by_test_id("board-play").click()
    begin_here(page)
    expect(square(page, "(5,5)")).to_have_attribute("aria-label", re.compile("Bike"))
    turn(page, "(1,1)", "(1,2)")
    expect(page.get_by_test_id("seat-1")).to_contain_text("to move")


@pytest.mark.nightly
def test_the_present_position_can_be_edited(open_page) -> None:
    page = open_page(settings=BY_HAND)
    choose_game(page, "wec")
    begin_here(page)
    expect(page.get_by_test_id("bar")).to_be_visible()
    turn(page, "(2,2)", "(4,4)")
    from_menu(page, "edit")
    expect(page.get_by_test_id("board-play")).to_be_enabled()
    expect(square(page, "(4,4)")).to_have_attribute("aria-label", re.compile("Stun Pawn"))
    expect(page.get_by_test_id("first")).to_have_value("1")
    expect(page.get_by_test_id("board-play")).to_be_enabled()


def put(page: Page, kind: str, at: str) -> None:
    page.get_by_test_id("tool-piece").click()
    page.get_by_test_id(f"kind-{kind}").click()
    square(page, at).click()


@pytest.mark.nightly
def test_a_file_that_is_no_board_says_so_and_loses_nothing(open_page, tmp_path) -> None:
    page = open_page("/edit/wec")
    expect(square(page, "(1,5)")).to_have_attribute("aria-label", re.compile("King"))
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"format": "something else"}')
    page.get_by_test_id("board-load").set_input_files(wrong)
    expect(page.get_by_role("alert").filter(visible=True)).not_to_be_empty()
    expect(square(page, "(1,5)")).to_have_attribute("aria-label", re.compile("King"))


@pytest.mark.nightly
@LOOKS
def test_the_board_and_its_editor_are_accessible(open_page, locale, scheme) -> None:
    page = open_page(locale=locale, color_scheme=scheme)
    choose_game(page, "wec")
    begin_here(page)
    expect(page.get_by_test_id("bar")).to_be_visible()
    square(page, "(2,3)").click()
    for paper in ("history", "status", "finding", "look"):
        page.get_by_test_id(paper).locator("summary").click()
    assert not findings(page)
    page.goto(page.url.partition("/s/")[0] + "/edit/wec")
    expect(page.get_by_test_id("board-play")).to_be_enabled()
    assert not findings(page)


def test_on_a_phone_everything_is_within_reach(open_page) -> None:
    page = open_page(settings=BY_HAND, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    choose_game(page, "wec")
    begin_here(page)
    expect(page.get_by_test_id("bar")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_test_id("finding").locator("summary").tap()
    page.get_by_test_id("zoom-2").tap()
    square(page, "(2,2)").tap()
    square(page, "(3,3)").tap()
    page.get_by_test_id("mode-end").tap()
    expect(page.get_by_test_id("seat-1")).to_contain_text("to move")


@pytest.mark.nightly
def test_a_finger_drags_a_piece_to_its_target(open_page) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    choose_game(page, "wec")
    begin_here(page)
    expect(page.get_by_test_id("bar")).to_be_visible()
    expect(square(page, "(2,2)")).to_have_attribute("data-mark", "candidate")
    # The browser learns what fingers may do here with the next frames it draws.
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go, 100))))")
    drag_by_touch(page, "(2,2)", "(4,4)")
    expect(square(page, "(4,4)")).to_have_attribute("aria-label", re.compile("Stun Pawn"))
