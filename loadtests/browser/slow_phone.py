"""Measures how pages open on a slow phone: `python -m loadtests.browser.slow_phone`.

It starts a deployment and a Chromium with a screen of 390x844 that is touched, whose processor is slowed down to a fourth. The
first page is opened over a slow 4G network (1.6 Mbit/s, 150 ms), a table of each game from there by "Play", without it. It prints
when the largest thing was painted (LCP) and the longest task of the first page; and for each game how much moved by itself
(cumulative layout shift) until the first steps and the board were there for three seconds, and the longest task until then.
Times are medians, in milliseconds by the clock: others who keep the machine busy make them longer.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from deploy.local import chromium, web
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from loadtests.markdown import head, row

GAMES = ("einstein", "emperado", "plateau", "wec")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
SLOWER = 4
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
STILL_MS = 3000

OBSERVE = """
globalThis.seen = { moved: 0, tasks: [], largest: 0 };
const observe = (type, take) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
observe("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.moved += value; });
observe("longtask", ({ duration }) => seen.tasks.push(duration));
observe("largest-contentful-paint", ({ startTime }) => { seen.largest = startTime; });
"""


def slow_page(browser: Browser) -> tuple[Page, CDPSession]:
    """Return a page of a phone that tells what moves and what takes long, and the session that slows it down."""
    context = browser.new_context(locale="en-GB", service_workers="block", **PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(OBSERVE)
    return page, context.new_cdp_session(page)


def first_page(browser: Browser, address: str) -> tuple[float, float]:
    """Return when the largest thing of the first page was painted, and its longest task."""
    page, session = slow_page(browser)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address)
    page.get_by_test_id("play-button").wait_for()
    page.wait_for_timeout(STILL_MS)
    seen = page.evaluate("seen")
    page.context.close()
    return seen["largest"], max(seen["tasks"], default=0.0)


def table(browser: Browser, address: str, game: str) -> tuple[float, float]:
    """Return how much moved by itself while a table of a game opened, and the longest task."""
    page, session = slow_page(browser)
    page.goto(address)
    page.get_by_test_id(f"game-{game}").locator("..").click()
    page.get_by_test_id(f"about-{game}").wait_for()
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.wait_for_timeout(STILL_MS)
    page.evaluate("() => { seen.moved = 0; seen.tasks.length = 0; }")
    page.get_by_test_id("play-button").tap()
    page.get_by_test_id("tour").wait_for()
    page.get_by_test_id("board").first.wait_for()
    page.wait_for_timeout(STILL_MS)
    seen = page.evaluate("seen")
    page.context.close()
    return seen["moved"], max(seen["tasks"], default=0.0)


def main() -> None:
    """Open the pages and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game; can be given several times")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--web-folder", help="another build of the web client, such as an earlier one")
    args = parser.parse_args()
    web.build(print)
    own = {"gateway": {"BRETTWERK_WEB_FOLDER": str(Path(args.web_folder).resolve())}} if args.web_folder else {}
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        deployment = Deployment(data=Path(data), processes=Processes(own_environment=own))
        with deployment:
            address = f"http://{deployment.web_address}"
            browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
            painted = [first_page(browser, address) for _ in range(args.runs)]
            print(head(("page", "moved", "largest painted", "longest task")))
            largest, longest = (statistics.median(each) for each in zip(*painted, strict=True))
            print(row(("first page", "", f"{largest:.0f}", f"{longest:.0f}")), flush=True)
            for game in args.game or GAMES:
                opened = [table(browser, address, game) for _ in range(args.runs)]
                longest = statistics.median(task for _, task in opened)
                print(row((game, f"{max(moved for moved, _ in opened):.3f}", "", f"{longest:.0f}")), flush=True)
            browser.close()


if __name__ == "__main__":
    main()
