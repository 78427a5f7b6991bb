"""How somebody plays Weaponized Chess in a browser: by touch alone, until the game is over."""

import contextlib
import random
import time

import pytest
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

GAME_S = 240
STATE = """() => {
  const named = (...marks) => marks.flatMap((mark) =>
    [...document.querySelectorAll(`[data-testid=board] [data-mark=${mark}]`)].map((cell) => cell.dataset.testid));
  const enabled = (id) => document.querySelector(`[data-testid=${id}]:not(:disabled)`) !== null;
  return {
    over: document.querySelector("[data-testid=result]") !== null,
    way: enabled("way"), move: enabled("mode-move"), end: enabled("mode-end"),
    captures: named("capture"), targets: named("target"), candidates: named("candidate"),
  };
}"""


def do_one_thing(page: Page, chance: random.Random) -> bool:
    """Do the next thing of a Turn by touch alone: take if possible, else move, else end the Turn. False when the game is over."""
    now = page.evaluate(STATE)
    if now["over"]:
        return False
    if now["way"]:
        touch(page, "way")
    elif now["captures"]:
        touch(page, now["captures"][0])
    elif now["targets"] and chance.random() < 0.4:
        touch(page, chance.choice(now["targets"]))
    elif now["move"] and now["candidates"]:
        touch(page, chance.choice(now["candidates"]))
    elif now["end"]:
        touch(page, "mode-end")
    else:
        page.wait_for_timeout(50)  # whoever plays on looks again after this
    return True


def touch(page: Page, name: str) -> None:
    """Touch something, unless it is gone already: the game goes on by itself."""
    with contextlib.suppress(PlaywrightTimeout):
        page.get_by_test_id(name).first.click(force=True, timeout=2000)


def play_on(*pages: Page) -> None:
    until, chance = time.monotonic() + GAME_S, random.Random(1)
    while time.monotonic() < until:
        for page in pages:
            if not do_one_thing(page, chance):
                return
    pytest.fail(f"the game was not over after {GAME_S} s")
