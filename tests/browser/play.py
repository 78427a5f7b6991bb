"""Play in a browser as people do: look at what can be touched, and touch it."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

GAME_S = 120
BY_HAND = {"autoplay": False}
"""Settings of a player for whom the page does nothing, not even the only thing that can be done: it does not race the test."""


def is_over(page: Page) -> bool:
    return page.get_by_test_id("result").is_visible()


def is_touched(page: Page) -> bool:
    """Return whether a page is on a screen that is touched."""
    return bool(page.evaluate("navigator.maxTouchPoints > 0"))


def press(wanted: Locator, **how: Any) -> None:
    """Tap what is wanted where the screen is touched, and click on it elsewhere."""
    (wanted.tap if is_touched(wanted.page) else wanted.click)(**how)


def press_at(page: Page, x: float, y: float) -> None:
    """Tap a point of the window where the screen is touched, and click on it elsewhere."""
    (page.touchscreen.tap if is_touched(page) else page.mouse.click)(x, y)


def press_back(page: Page) -> None:
    """Press Back over what has just been opened, as people do who have seen it.

    A page makes an entry of its history for that, and the process that knows what Back leads to hears of it some time later.
    """
    last = page.evaluate("history.length") - 1
    browser = page.context.new_cdp_session(page)
    while browser.send("Page.getNavigationHistory")["currentIndex"] < last:
        page.wait_for_timeout(10)
    browser.detach()
    page.go_back()


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
    """Do one thing by mouse, or by finger on a phone, if there is something to do; returns whether the game goes on."""
    if is_over(page):
        return False
    names = touchable(page)
    if names:
        press(page.get_by_test_id(f"square-{names[0]}"), force=True)
    look_again(page)
    return True


def look_again(page: Page) -> None:
    """Let a moment pass in a loop that looks whether something of the test's own holds, which the page cannot tell by itself."""
    page.wait_for_timeout(50)  # a pause between two looks, not a wait


def play_to_the_end(*pages: Page) -> None:
    end = time.monotonic() + GAME_S
    while time.monotonic() < end:
        if not [page for page in pages if play_by_mouse(page)]:
            return
    pytest.fail(f"the game was not over after {GAME_S} s")


def wait_for_more(page: Page) -> None:
    """Return when more waits to be shown than now: the game goes on while its playback is paused."""
    behind = "document.querySelector('[data-testid=playback-behind]').dataset.behind"
    page.wait_for_function(f"before => +{behind} > before", arg=page.evaluate(f"+{behind}"), timeout=60_000)


def until_answered(page: Page, touch: Callable[[], None], answered: str) -> None:
    """Touch again and again until the page answers: until then it is not the player's turn, however long others take."""
    end = time.monotonic() + GAME_S
    while time.monotonic() < end:
        touch()
        if page.evaluate(answered):
            return
        look_again(page)
    pytest.fail(f"no touch was answered within {GAME_S} s")


def new_table_for_two(page: Page) -> str:
    """Create a table with the second seat open; returns its path."""
    page.get_by_test_id("company-friend").click()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("invite-link")).to_be_visible()
    return "/s/" + page.url.rpartition("/s/")[2]


def sit_down_together(one: Page, other: Page) -> None:
    """Let two people play at a new table; the first one has chosen the game and the settings already."""
    path = new_table_for_two(one)
    other.goto(one.url.partition("/s/")[0] + path)
    other.get_by_test_id("join-1").click()
    for page in (one, other):
        expect(page.get_by_test_id("seat-1").get_by_test_id("join-1")).to_be_hidden()


def sit_down(one: Page, other: Page) -> str:
    """Let two people sit at a table of EinStein; returns its path."""
    choose_game(one, "einstein")
    path = new_table_for_two(one)
    other.goto(one.url)
    other.get_by_test_id("join-1").click()
    expect(other.get_by_test_id("resign")).to_be_visible()
    return path


def choose_game(page: Page, game: str, *, is_newcomer: bool = False) -> None:
    """Choose a game in the lobby; its standard start, unless what newcomers get is wanted."""
    page.get_by_test_id(f"game-{game}").locator("..").click()
    expect(page.get_by_test_id(f"game-{game}")).to_be_checked()
    if game == "wec" and not is_newcomer:
        page.get_by_test_id("start-usual").click()


def from_menu(page: Page, name: str) -> None:
    """Do one of the rare things that the menu of a table has."""
    page.get_by_test_id("more").click()
    page.get_by_test_id(name).click()


def set_clock(page: Page, kind: str, *numbers: float) -> None:
    """Set the clock of a new table: seconds of a turn, or minutes of the game and the increment in seconds."""
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("clock").select_option(kind)
    fields = page.locator("fieldset:has([data-testid=clock]) input")
    for field, number in enumerate(numbers):
        fields.nth(field).fill(str(number))
        fields.nth(field).blur()


def drag_by_touch(page: Page, source: str, target: str) -> None:
    """Drag with one finger from square to square, as the screen tells it."""
    finger = page.context.new_cdp_session(page)
    (x0, y0), (x1, y1) = (middle(page, name) for name in (source, target))
    steps = [(x0 + (x1 - x0) * part / 6, y0 + (y1 - y0) * part / 6) for part in range(7)]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x0, "y": y0}]})
    for x, y in steps[1:]:
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle(page: Page, square: str) -> tuple[float, float]:
    """Return where the middle of a square is on the screen."""
    box = page.get_by_test_id(f"square-{square}").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
