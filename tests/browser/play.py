"""What people do in a browser: look at what can be touched, and touch it."""

import time

import pytest
from playwright.sync_api import Page, expect

GAME_S = 120


def is_over(page: Page) -> bool:
    return page.get_by_test_id("result").is_visible()


TOUCHABLE = """(board) => {
  const named = (...marks) => marks.flatMap((mark) =>
    [...board.querySelectorAll(`[data-mark=${mark}]`)].map((cell) => cell.dataset.testid.slice(7)));
  const targets = named("target", "capture");
  return targets.length ? targets : named("candidate");
}"""


def touchable(page: Page) -> list[str]:
    """Return the names of the squares that can be touched next: targets, or the stones to choose from."""
    found: list[str] = page.get_by_test_id("board").evaluate(TOUCHABLE)
    return found


def play_by_mouse(page: Page) -> bool:
    """Do one thing if there is something to do; returns whether the game goes on."""
    if is_over(page):
        return False
    names = touchable(page)
    if names:
        page.get_by_test_id(f"square-{names[0]}").click(force=True, timeout=2000)
    page.wait_for_timeout(50)
    return True


def play_to_the_end(*pages: Page) -> None:
    end = time.monotonic() + GAME_S
    while time.monotonic() < end:
        if not [page for page in pages if play_by_mouse(page)]:
            return
    pytest.fail(f"the game was not over after {GAME_S} s")


def new_table_for_two(page: Page) -> str:
    """Create a table with the second seat open; returns its path."""
    page.get_by_test_id("company-friend").click()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("invite-link")).to_be_visible()
    return "/s/" + page.url.rpartition("/s/")[2]
