"""Conditional moves in a browser: made on a board of one's own, kept for nobody but their player, and played at once."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import findings
from tests.browser.plateau import end_turn, move, set_up, start
from tests.browser.play import from_menu

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly, pytest.mark.timeout(600)]

LINES = re.compile(r"line-\d+")


def sit_at_plateau(ada: Page, ben: Page) -> None:
    """Let two people play Empire Plateau without a clock; Ada begins."""
    set_up(ada, "friend", first="Babylon")
    expect(ada.get_by_test_id("invite-link")).to_be_visible()
    ben.goto(ada.url)
    ben.get_by_test_id("join-1").click()
    expect(ben.get_by_test_id("resign")).to_be_visible()
    expect(ada.get_by_test_id("end-turn")).to_be_visible()


def open_dialog(page: Page) -> Locator:
    from_menu(page, "conditional")
    dialog = page.get_by_test_id("dialog-conditional")
    expect(dialog.get_by_test_id("board")).to_be_visible()
    return dialog


def think(dialog: Locator, *moves: tuple[str, str, int] | None) -> None:
    """Play moves on the board of the dialog: an army, its target and the steps, or None for the end of the turn."""
    where = dialog.get_by_test_id("conditional-where")
    for one in moves:
        before = where.inner_text()
        if one is None:
            dialog.get_by_test_id("end-turn").click()
        else:
            source, target, steps = one
            dialog.get_by_test_id(f"square-{source}").dispatch_event("click")
            cell = dialog.get_by_test_id(f"square-{target}")
            expect(cell).to_have_attribute("data-mark", re.compile("target|capture"))
            offered = str(cell.get_attribute("aria-label")).rpartition(": ")[2].split("/")
            cell.dispatch_event("click")
            if len(offered) > 1:
                dialog.get_by_test_id(f"steps-{steps}").click()
        expect(where).not_to_have_text(before)


def forward(base: int) -> tuple[tuple[str, str, int] | None, ...]:
    """Return a turn of the large armies of a base."""
    return (f"G{base}", f"K{base}", 4), (f"F{base}", f"H{base}", 2), None


def aside(base: int) -> tuple[tuple[str, str, int] | None, ...]:
    """Return another turn, of the small armies beside it."""
    left, right = (base + 14) % 16 + 1, base + 1
    return (f"F{left}", f"H{left}", 2), (f"F{right}", f"H{right}", 2), (f"A{right}", f"B{right + 1}", 2), None


def lines(dialog: Locator) -> Locator:
    return dialog.get_by_test_id("conditional-lines").get_by_test_id(LINES).filter(has=dialog.page.locator("strong"))


def save(dialog: Locator, state: str) -> None:
    dialog.get_by_test_id("conditional-save").click()
    expect(dialog.get_by_test_id("conditional-state")).to_have_text(state)


def test_an_answer_that_was_thought_of_is_played_at_once_and_the_rest_stays(open_page):
    ada, ben = open_page(), open_page()
    sit_at_plateau(ada, ben)
    dialog = open_dialog(ben)
    expect(dialog.get_by_test_id("no-lines")).to_be_visible()
    expect(dialog.get_by_test_id("conditional-save")).to_be_disabled()
    think(dialog, *forward(1))
    expect(dialog.get_by_test_id("lacking-0")).to_have_text("your answer is missing")
    think(dialog, *forward(9))
    expect(dialog.get_by_test_id("lacking-0")).to_have_count(0)
    # The line is continued: to another turn of the other side, and another answer.
    think(dialog, *aside(1))
    expect(dialog.get_by_test_id("lacking-0")).to_have_text("kept up to your last full answer")
    think(dialog, *aside(9))
    # Another line, from the position now.
    dialog.get_by_test_id("conditional-start").click()
    think(dialog, *aside(1), *forward(9))
    expect(lines(dialog)).to_have_count(2)
    assert not findings(ben)
    save(dialog, "2 lines are set.")
    ben.get_by_test_id("close-dialog").click()
    expect(ben.get_by_test_id("conditional-sign")).to_contain_text("2 conditional lines")
    ben.reload()
    expect(ben.get_by_test_id("conditional-sign")).to_contain_text("2 conditional lines")
    expect(ada.get_by_test_id("conditional-sign")).to_have_count(0)
    # Ada plays the first of them: the answer is there at once, and the rest of that line goes on.
    move(ada, "G1", "K1", 4)
    expect(ben.get_by_test_id("conditional-sign")).to_contain_text("1 conditional line")
    move(ada, "F1", "H1", 2)
    end_turn(ada)
    expect(ada.get_by_test_id("end-turn")).to_be_visible()
    expect(ada.get_by_test_id("action-list")).to_have_attribute("data-plies", "6")
    expect(ben.get_by_test_id("conditional-sign")).to_contain_text("1 conditional line")
    ben.get_by_test_id("conditional-sign").click()
    expect(lines(dialog)).to_have_count(1)
    expect(dialog.get_by_test_id("line-0-move-8")).to_have_text("end")
    expect(dialog.get_by_test_id("line-0-move-9")).to_have_count(0)
    # Without lines there are no conditional moves any more.
    dialog.get_by_test_id("remove-0").click()
    save(dialog, "No lines are set.")
    ben.get_by_test_id("close-dialog").click()
    expect(ben.get_by_test_id("conditional-sign")).to_have_count(0)


def test_an_impossible_variation_is_explained_and_possible_ones_stay(open_page):
    ada, ben = open_page(), open_page()
    sit_at_plateau(ada, ben)
    # At one's own turn there is nothing to foresee.
    from_menu(ada, "conditional")
    at_turn = ada.get_by_test_id("dialog-conditional")
    expect(at_turn.get_by_test_id("conditional-notice")).to_contain_text("It is your turn")
    expect(at_turn.get_by_test_id("conditional-save")).to_be_disabled()
    ada.get_by_test_id("close-dialog").click()
    dialog = open_dialog(ben)
    # A move against the rules is refused with the rule, and changes nothing.
    dialog.get_by_test_id("square-G1").dispatch_event("click")
    dialog.get_by_test_id("square-A9").dispatch_event("click")
    expect(dialog.get_by_test_id("refusal")).to_contain_text("EP-")
    expect(dialog.get_by_test_id("no-lines")).to_be_visible()
    dialog.get_by_test_id("cancel").click()
    # Two answers to the same are refused, with the line; without it they are kept.
    think(dialog, *forward(1), *forward(9))
    dialog.get_by_test_id("line-0-move-3").click()
    expect(dialog.get_by_test_id("conditional-where")).to_contain_text("after 3 moves")
    think(dialog, *aside(9))
    dialog.get_by_test_id("conditional-save").click()
    expect(dialog.get_by_test_id("refusal")).to_contain_text("Line 2 answers the same")
    dialog.get_by_test_id("remove-1").click()
    # A move that is taken back on the board is gone from its line.
    dialog.get_by_test_id("line-0-move-6").click()
    dialog.get_by_test_id("conditional-back").click()
    expect(dialog.get_by_test_id("line-0-move-6")).to_have_count(0)
    expect(dialog.get_by_test_id("lacking-0")).to_have_text("your answer is missing")
    think(dialog, None)
    dialog.get_by_test_id("conditional-start").click()
    think(dialog, aside(1)[0])
    # The other side plays while the dialog is open: it says so, and keeps what is still possible.
    move(ada, "G1", "K1", 4)
    expect(dialog.get_by_test_id("conditional-notice")).to_contain_text("What is still possible was kept.")
    expect(lines(dialog)).to_have_count(1)
    expect(dialog.get_by_test_id("line-0-move-5")).to_have_text("end")
    save(dialog, "1 line is set.")
    # Nothing goes on from what nobody has thought of.
    move(ada, "F2", "H2", 2)
    expect(dialog.get_by_test_id("conditional-notice")).to_contain_text("No line goes on from there.")
    expect(dialog.get_by_test_id("no-lines")).to_be_visible()
    end_turn(ada)
    expect(dialog.get_by_test_id("conditional-notice")).to_contain_text("It is your turn")


@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("de-DE", "dark")])
def test_lines_are_made_by_keyboard_and_on_a_phone(open_page, locale, scheme):
    ada = open_page()
    ben = open_page(locale=locale, color_scheme=scheme, viewport={"width": 390, "height": 844}, has_touch=True)
    sit_at_plateau(ada, ben)
    dialog = open_dialog(ben)
    for source, target, steps in (("G1", "K1", 4), ("F1", "H1", 2)):
        before = dialog.get_by_test_id("conditional-where").inner_text()
        dialog.get_by_test_id(f"square-{source}").focus()
        ben.keyboard.press("Enter")
        dialog.get_by_test_id(f"square-{target}").focus()
        ben.keyboard.press("Enter")
        several = dialog.get_by_test_id(f"steps-{steps}")
        if several.is_visible():
            several.focus()
            ben.keyboard.press("Enter")
        expect(dialog.get_by_test_id("conditional-where")).not_to_have_text(before)
    dialog.get_by_test_id("end-turn").focus()
    ben.keyboard.press("Enter")
    think(dialog, *forward(9))
    dialog.get_by_test_id("conditional-save").focus()
    ben.keyboard.press("Enter")
    expect(dialog.get_by_test_id("conditional-state")).to_contain_text("1 Zugfolge" if locale == "de-DE" else "1 line")
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    assert not findings(ben)
    ben.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(ben.get_by_test_id("conditional-sign")).to_be_visible()


def test_games_that_cannot_have_them_do_not_offer_them(open_page):
    ada, ben = open_page(), open_page()
    start(ada, "here", first="Babylon")
    ada.get_by_test_id("more").click()
    expect(ada.get_by_test_id("more-menu")).to_be_visible()
    expect(ada.get_by_test_id("conditional")).to_have_count(0)
    ben.get_by_test_id("game-wec").check(force=True)
    ben.get_by_test_id("company-friend").click()
    ben.get_by_test_id("play-button").click()
    expect(ben.get_by_test_id("invite-link")).to_be_visible()
    ada.goto(ben.url)
    ada.get_by_test_id("join-1").click()
    expect(ada.get_by_test_id("resign")).to_be_visible()
    ada.get_by_test_id("more").click()
    expect(ada.get_by_test_id("conditional")).to_have_count(0)
