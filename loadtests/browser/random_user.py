"""Uses the web client at random and fails when something breaks: `python -m loadtests.browser.random_user --seconds 300`.

    python -m loadtests.browser.random_user --seconds 60 --seed 7 --screen phone --locale de-DE --scheme dark

It starts a deployment of its own and a Chromium with two users, who do whatever the page lets them: they press anything that
can be pressed, write odd texts wherever something can be written, touch boards anywhere, press keys, go back, turn their screen
and come by other links. What they do depends on the seed; what they meet also on computers and on each other.

A fault is: an error of a script or in the console; a page that says INTERNAL or shows a placeholder (undefined, NaN, {name}); one
that is wider than its screen; one that does not answer; an error or a traceback in a log of the server. Each is printed with what
was done last and a picture, and the exit status is 1.
"""

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, ElementHandle, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

from deploy.local import chromium, web
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from loadtests.browser.main_thread import SCREENS
from loadtests.limits import UNLIMITED
from loadtests.log_faults import LogFaults

USERS = 2
CONTROLS = "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option], [role=gridcell]"
PATHS = (
    "/",
    "/account",
    "/achievements",
    "/results",
    "/tournaments",
    "/clubs",
    "/leaders",
    "/s/nonsense",
    *(f"/{page}/{game}" for page in ("rules", "edit", "statistics") for game in ("einstein", "emperado", "plateau", "wec")),
    *(f"/{page}/{game}" for page in ("learn", "puzzle", "arena") for game in ("einstein", "emperado", "plateau", "wec")),
)
TEXTS = (
    "",
    "Anna",
    "x" * 300,
    "Österreich 💥",
    "<b>bold</b>",
    "\u202eabc",
    "-1",
    "0",
    "7",
    "1e9",
    "a@example.org",
    "A1-B2",
)
KEYS = (
    "Tab",
    "Shift+Tab",
    "Enter",
    "Escape",
    "Space",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    "?",
    "h",
)
STEPS_KEPT = 25
PRESS_MS = 1_500
"""How long a control may take to be pressed: what lies under others or moves away is left alone."""
ANSWER_MS = 20_000
"""How long a page may take to say what it shows."""
MAX_FAULTS = 10
_PLACEHOLDER = re.compile(r"\bundefined\b|\bNaN\b|\[object |\bINTERNAL\b|\{[a-z_]+\}")
"""Words that no page says, and none of TEXTS."""
_REFUSED = re.compile(r"status of 4\d\d|ERR_ABORTED|ERR_FAILED")
"""The console's words for calls that the server refuses, and for those that end with their page."""

REACHED = """([which, draw]) => {
  const reached = [...document.querySelectorAll(which)].filter((each) => !each.disabled && each.checkVisibility());
  while (reached.length > 0) {
    const at = Math.floor(draw * reached.length);
    const [one] = reached.splice(at, 1);
    one.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit !== null && (one.contains(hit) || hit.contains(one))) return one;
  }
  return null;
}"""
"""Finds what lies under nothing else, as somebody would who looks at the page."""
NAMED = """(one) => one.dataset.testid || one.getAttribute("aria-label") || one.textContent?.trim().slice(0, 40) ||
  one.outerHTML.slice(0, 60)"""
LOOK = """() => ({
  text: document.body.innerText,
  over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
})"""


class Faults:
    """The faults that were found; each kind is printed once."""

    def __init__(self, seed: int, folder: Path) -> None:
        """Take the seed, which is printed with every fault, and where pictures go."""
        self.seed, self.folder = seed, folder
        self.found: Counter[str] = Counter()

    def add(self, what: str, steps: "deque[str]", page: Page | None = None) -> None:
        """Print a fault, and what was done before it."""
        kind = re.sub(r"\d+", "0", what)[:100]
        self.found[kind] += 1
        if self.found[kind] > 1:
            return
        print(f"\nFAULT, seed {self.seed}: {what[:1500]}")
        print("\n".join(f"    {step}" for step in steps), flush=True)
        if page is not None:
            picture = self.folder / f"fault-{len(self.found)}.png"
            try:
                page.screenshot(path=picture, timeout=ANSWER_MS)
                print(f"    picture: {picture}", flush=True)
            except BrowserError as error:
                print(f"    no picture: {error}", flush=True)


class User:
    """Somebody who does anything."""

    def __init__(self, context: BrowserContext, site: str, rng: random.Random, faults: Faults) -> None:
        """Take a browser that nobody has used yet, and where the page is."""
        self.steps: deque[str] = deque(maxlen=STEPS_KEPT)
        self.count = 0
        self._site, self._rng, self._faults = site, rng, faults
        self._context = context
        context.route(lambda url: not url.startswith((site, "data:", "blob:")), lambda route: route.abort())
        context.set_default_timeout(ANSWER_MS)
        context.on("page", lambda page: page.close() if page.opener() is not None else None)
        self._page = self._opened()

    def _opened(self) -> Page:
        """Return a new page at its beginning."""
        page = self._context.new_page()
        page.on("pageerror", lambda error: self._faults.add(f"an error of a script: {error.stack or error}", self.steps, page))
        page.on("console", lambda line: self._hear(line, page))
        page.on("dialog", self._reply)
        page.goto(self._site)
        return page

    def act(self) -> None:
        """Do one thing, and look at the page afterwards."""
        doing: Callable[[], None] = self._rng.choices(
            (self._press, self._write, self._touch, self._type, self._come, self._go_back, self._turn),
            (60, 8, 14, 8, 3, 2, 1),
        )[0]
        self.count += 1
        try:
            doing()
        except BrowserError as error:
            self.steps[-1] += f" ({error.message.splitlines()[0][:80]})"
        self._look()

    def _do(self, step: str) -> None:
        self.steps.append(f"{self._page.url.removeprefix(self._site)}: {step}")

    def _control(self, which: str) -> ElementHandle | None:
        """Return something that can be reached and is of a kind; None where there is nothing."""
        return self._page.evaluate_handle(REACHED, [which, self._rng.random()]).as_element()

    def _press(self) -> None:
        self._do("press")
        control = self._control(CONTROLS)
        if control is not None:
            self.steps[-1] += " " + named(control)
            control.click(timeout=PRESS_MS)

    def _write(self) -> None:
        self._do("write")
        control = self._control("input:not([type=file]), textarea, select")
        if control is None:
            return
        self.steps[-1] += f" into {named(control)}"
        if control.evaluate("(each) => each.tagName") == "SELECT":
            control.select_option(index=self._rng.randrange(len(control.query_selector_all("option"))), timeout=PRESS_MS)
        elif control.get_attribute("type") in ("checkbox", "radio", "range"):
            control.press(self._rng.choice(("Space", "ArrowRight", "ArrowLeft")), timeout=PRESS_MS)
        else:
            text = self._rng.choice(TEXTS)
            self.steps[-1] += f": {text[:20]!a}"
            control.fill(text, timeout=PRESS_MS)

    def _touch(self) -> None:
        self._do("touch the board")
        box = self._page.get_by_test_id("board").first.bounding_box(timeout=200) if self._has("board") else None
        if box is not None:
            x, y = box["x"] + self._rng.random() * box["width"], box["y"] + self._rng.random() * box["height"]
            self.steps[-1] += f" at {x:.0f}, {y:.0f}"
            self._page.mouse.click(x, y)

    def _has(self, test_id: str) -> bool:
        return self._page.get_by_test_id(test_id).count() > 0

    def _type(self) -> None:
        keys = [self._rng.choice(KEYS) for _ in range(self._rng.randint(1, 4))]
        self._do(f"type {' '.join(keys)}")
        for key in keys:
            self._page.keyboard.press(key)

    def _come(self) -> None:
        path = self._rng.choice(PATHS)
        self._do(f"come to {path}")
        self._page.goto(self._site + path)

    def _go_back(self) -> None:
        self._do("go back, forward or reload")
        self._rng.choice((self._page.go_back, self._page.go_forward, self._page.reload))()

    def _turn(self) -> None:
        size = self._page.viewport_size
        self._do("turn the screen")
        if size is not None:
            self._page.set_viewport_size({"width": size["height"], "height": size["width"]})
            self._look()
            self._page.set_viewport_size(size)

    def _look(self) -> None:
        page = self._page
        if not page.url.startswith(self._site):
            page.goto(self._site)
            return
        try:
            page.wait_for_function("document.body !== null", timeout=ANSWER_MS)
            seen = page.evaluate(LOOK)
        except BrowserError as error:
            if "navigation" not in error.message:
                self._faults.add(f"the page does not answer: {error.message}", self.steps)
                self._page = self._opened()  # the other one is left to itself: it does not even hear that it is to close
            return
        wrong = _PLACEHOLDER.search(seen["text"])
        if wrong is not None:
            at = wrong.start()
            self._faults.add(f"the page says {seen['text'][max(0, at - 80) : at + 80]!r}", self.steps, page)
        if seen["over"] > 1:
            self._faults.add(f"{page.url.removeprefix(self._site)} is {seen['over']} px wider than the screen", self.steps, page)

    def _hear(self, line: ConsoleMessage, page: Page) -> None:
        if line.type == "error" and not _REFUSED.search(line.text):
            self._faults.add(f"the console says: {line.text} {line.location}", self.steps, page)

    def _reply(self, dialog: Dialog) -> None:
        if self._rng.random() < 0.5:
            dialog.accept()
        else:
            dialog.dismiss()


def named(control: ElementHandle) -> str:
    """Return how a control is found again: its test id, or what it says."""
    return repr(control.evaluate(NAMED))


def look_of(screen: str, locale: str, scheme: str) -> dict[str, Any]:
    """Return how a browser looks at pages: on which of SCREENS, in which language and colours (light, dark)."""
    width, height = SCREENS[screen]
    viewport = {"width": width, "height": height}
    return {"viewport": viewport, "locale": locale, "color_scheme": scheme, "has_touch": screen == "phone"}


def use(
    browser: Browser, site: str, seconds: float, faults: Faults, *, look: dict[str, Any] | None = None, most: int = MAX_FAULTS
) -> int:
    """Let users do anything for so long, or until so many kinds of faults are found. Returns how many things they did."""
    rng = random.Random(faults.seed)
    contexts = [browser.new_context(service_workers="block", **(look or {})) for _ in range(USERS)]
    users = [User(context, site, rng, faults) for context in contexts]
    until = time.monotonic() + seconds
    # A user who is at something goes on for a while: a game comes about by many steps in a row.
    user, left = users[0], 0
    while time.monotonic() < until and len(faults.found) < most:
        if not left:
            user, left = rng.choice(users), rng.randint(1, 30)
        user.act()
        left -= 1
    for context in contexts:
        context.close()
    return sum(user.count for user in users)


def run(seconds: float, seed: int, folder: Path, screen: str, locale: str, scheme: str) -> int:
    """Use the client of a deployment of its own for so long, print what was found, and return the number of kinds of faults."""
    folder.mkdir(parents=True, exist_ok=True)
    faults = Faults(seed, folder)
    logs = LogFaults()
    web.build(lambda line: None)
    with (
        tempfile.TemporaryDirectory() as data,
        Deployment(data=Path(data), environment=UNLIMITED, processes=Processes(statistics=True), echo=logs.hear) as deployment,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        site = f"http://{deployment.web_address}"
        done = use(browser, site, seconds, faults, look=look_of(screen, locale, scheme))
        browser.close()
    if logs.lines:
        faults.add(str(logs), deque())
    print(f"seed {seed}: {done} things done in {seconds:.0f} s, {len(faults.found)} kinds of faults", flush=True)
    return len(faults.found)


def main() -> int:
    """Read the options, use the client, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="random by default")
    parser.add_argument("--screen", choices=SCREENS, default="desktop")
    parser.add_argument("--locale", default="en-GB")
    parser.add_argument("--scheme", choices=("light", "dark"), default="light")
    parser.add_argument("--pictures", type=Path, default=Path("generated/random-user"), help="where pictures of faults go")
    args = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    return 1 if run(args.seconds, seed, args.pictures, args.screen, args.locale, args.scheme) else 0


if __name__ == "__main__":
    sys.exit(main())
