"""Conditional moves of Weaponized Chess in a browser, where its options hide nothing."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import findings
from tests.browser.play import BY_HAND, choose_game, from_menu, new_table_for_two

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

HIDES = ("stealth_invisible", "submerged_invisible")


def sit_at_open_chess(black: Page, white: Page) -> None:
    """Let two people play with Moves only and nothing hidden; Black begins."""
    choose_game(black, "wec")
    black.get_by_test_id("start").select_option("chess")
    black.get_by_test_id("more-settings").click()
    for group in black.get_by_test_id("option-group").all():
        if group.get_attribute("open") is None:
            group.locator("summary").click()
    for option in HIDES:
        black.get_by_test_id(f"option-{option}").get_by_role("checkbox").uncheck()
    path = new_table_for_two(black)
    white.goto(black.url.partition("/s/")[0] + path)
    white.get_by_test_id("join-1").click()
    expect(white.get_by_test_id("resign")).to_be_visible()


def take_turn(board: Locator, source: str, target: str) -> None:
    """Move a piece and end the Turn."""
    board.get_by_test_id(f"square-{source}").first.click(force=True)
    expect(board.get_by_test_id(f"square-{target}").first).to_have_attribute("data-mark", "target")
    board.get_by_test_id(f"square-{target}").first.click(force=True)
    board.get_by_test_id("mode-end").click()


@pytest.mark.nightly
def test_an_answer_is_made_on_the_board_and_played_at_once(open_page) -> None:
    black, white = (
        open_page(settings=BY_HAND),
        open_page(settings=BY_HAND, color_scheme="dark", viewport={"width": 1440, "height": 900}),
    )
    sit_at_open_chess(black, white)
    from_menu(white, "conditional")
    dialog = white.get_by_test_id("dialog-conditional")
    expect(dialog.get_by_test_id("board")).to_be_visible()
    where = dialog.get_by_test_id("conditional-where")
    expect(where).to_contain_text("Black to move")
    take_turn(dialog, "(2,2)", "(3,2)")
    expect(where).to_contain_text("White to move")
    take_turn(dialog, "(9,9)", "(8,9)")
    expect(where).to_contain_text("Black to move")
    assert findings(white) == []
    dialog.get_by_test_id("conditional-save").click()
    expect(dialog.get_by_test_id("conditional-state")).to_contain_text("1 line")
    white.keyboard.press("Escape")
    expect(white.get_by_test_id("conditional-sign")).to_be_visible()
    table = black.get_by_test_id("board").locator("xpath=ancestor::main")
    take_turn(table, "(2,2)", "(3,2)")
    for page in (black, white):
        expect(page.get_by_test_id("seat-0")).to_contain_text("to move")
        expect(page.get_by_test_id("square-(8,9)").first).to_have_accessible_name(re.compile("Pawn"))
    expect(white.get_by_test_id("conditional-sign")).to_have_count(0)
