"""Measures how long a move takes to show: two people in two browsers on one machine play EinStein against each other.

`python -m loadtests.browser.latency` starts a deployment and a Chromium and prints the medians, in milliseconds from the click
to the frame that shows the move: with the player who made it, and with the other one.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from deploy.local import chromium, web
from deploy.local.deployment import Deployment

TIMEOUT_S = 20.0
"""A move that does not show for so long is a fault."""

PREPARE = """
localStorage.setItem("brettwerk.settings", JSON.stringify({ autoplay: false, sound: false, tours: ["einstein"] }));
window.shown = [];
new MutationObserver((changes) => {
  if (!changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.querySelector?.(".ply")))) return;
  requestAnimationFrame(() => window.shown.push(performance.timeOrigin + performance.now()));
}).observe(document, { subtree: true, childList: true });
"""

TOUCH = """() => {
  const marked = (...marks) => marks.flatMap((mark) => [...document.querySelectorAll(`[data-mark=${mark}]`)]);
  const targets = marked("target", "capture");
  const [cell] = targets.length > 0 ? targets : marked("candidate");
  if (cell === undefined) return 0;
  const began = performance.timeOrigin + performance.now();
  cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return targets.length > 0 ? began : 0;
}"""


def main() -> None:
    """Play until enough moves are measured, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=100)
    moves = parser.parse_args().moves
    web.build(print)
    with tempfile.TemporaryDirectory() as data, Deployment(data=Path(data)) as deployment, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        own: list[float] = []
        other: list[float] = []
        while len(own) < moves:
            _game(browser, f"http://{deployment.web_address}", own, other, moves)
        for whose, times in (("own move", own), ("other's move", other)):
            worst = statistics.quantiles(times, n=20)[-1]
            print(f"{whose}: median {statistics.median(times):.0f} ms, 95 % under {worst:.0f} ms, of {len(times)}")
        browser.close()


def _game(browser: Browser, address: str, own: list[float], other: list[float], moves: int) -> None:
    """Play one game, or what is left of `moves`, and note how long each move took to show on both sides, in milliseconds."""
    contexts = [browser.new_context(viewport={"width": 1280, "height": 800}) for _ in range(2)]
    ada, ben = (context.new_page() for context in contexts)
    for page in (ada, ben):
        page.add_init_script(PREPARE)
        page.goto(address)
    ada.get_by_test_id("company-friend").click()
    ada.get_by_test_id("play-button").click()
    ada.get_by_test_id("invite-link").wait_for()
    ben.goto(ada.url)
    ben.get_by_test_id("join-1").click()
    ada.get_by_test_id("board").wait_for()
    while len(own) < moves and not ada.get_by_test_id("result").is_visible():
        for mover, watcher in ((ada, ben), (ben, ada)):
            counts = [_shown(page) for page in (mover, watcher)]
            began = mover.evaluate(TOUCH)
            if began:
                own.append(_wait(mover, len(counts[0])) - began)
                other.append(_wait(watcher, len(counts[1])) - began)
    for context in contexts:
        context.close()


def _shown(page: Page) -> list[float]:
    """Return when moves were shown in a page, in milliseconds since 1970."""
    times: list[float] = page.evaluate("window.shown")
    return times


def _wait(page: Page, before: int) -> float:
    """Return when the move after the first `before` ones was shown. Raises TimeoutError when none is."""
    end = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end:
        times = _shown(page)
        if len(times) > before:
            return times[before]
        page.wait_for_timeout(2)
    raise TimeoutError("a move was not shown")


if __name__ == "__main__":
    main()
