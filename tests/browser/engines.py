"""The browsers that people use, by one small set of actions: a test that is written with them runs in each.

Playwright drives Chromium, as in all other tests. It needs its own builds of the other two, so Selenium drives those that Debian
ships: Firefox over WebDriver BiDi, which needs no driver program, and WebKitGTK by WebKitWebDriver.
"""

import abc
import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from playwright.sync_api import Page
from selenium import webdriver
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.bidi.browser import Browser
from selenium.webdriver.common.bidi.browsing_context import BrowsingContext
from selenium.webdriver.common.bidi.input import Input
from selenium.webdriver.common.bidi.log import Log
from selenium.webdriver.common.bidi.script import Script
from selenium.webdriver.common.bidi.session import Session
from selenium.webdriver.remote.websocket_connection import WebSocketConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.browser.looks import Screen

WAIT_S = 20.0
MISSING = {"firefox": "Firefox (firefox-esr)", "webkit": "WebKitGTK or Xvfb (webkit2gtk-driver, xvfb)"}
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.5 Mobile/15E148 Safari/604.1"
)
"""The user agent that a page on an iPhone is told."""
_PREFERENCES = {
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
}
"""Nobody is asked but the pages that are opened."""
_TOUCH = {
    "dom.w3c_touch_events.enabled": 1,
    "ui.primaryPointerCapabilities": 1,
    "ui.allPointerCapabilities": 1,
    "ui.useOverlayScrollbars": 1,
}
"""A screen that is touched: there are touch events, no pointer is fine or can hover, and scroll bars take no room."""
_MIDDLE = """async (selector) => {
  const found = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
  if (found === undefined || found.disabled) return null;
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const middle = () => {
    const { x, y, width, height } = found.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const isFree = (there) => {
    const board = found.closest("[data-testid=board]");
    return there !== null && (found.contains(there) || there.contains(found) || board?.contains(there));
  };
  if (!isFree(document.elementFromPoint(...middle())))
    found.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const before = middle();
  await frames();
  const now = middle();
  return String(now) === String(before) && isFree(document.elementFromPoint(...now)) ? now : null;
}"""
"""Where to press what a selector names: in its middle, once it rests and nothing but its own board lies over it."""
_HEED = """() => {
  if (globalThis.faults !== undefined) return;
  globalThis.faults = [];
  addEventListener("error", ({ message }) => globalThis.faults.push(message));
  addEventListener("unhandledrejection", ({ reason }) => globalThis.faults.push(String(reason)));
  const say = console.error;
  console.error = (...words) => {
    globalThis.faults.push(words.join(" "));
    say(...words);
  };
}"""

Json: TypeAlias = Any


class Tab(abc.ABC):
    """A page of somebody of whom no other page knows."""

    faults: list[str]
    """The errors that the console has reported."""

    @abc.abstractmethod
    def go(self, address: str) -> None:
        """Open an address; returns when it is loaded."""

    @abc.abstractmethod
    def reload(self) -> None:
        """Load the page once more; returns when it is loaded."""

    @abc.abstractmethod
    def run(self, function: str, *values: Json) -> Json:
        """Return what a function of JavaScript returns in the page, or what its promise comes to. Raises what it throws."""

    @abc.abstractmethod
    def press_at(self, x: float, y: float) -> None:
        """Tap a point of the window where the screen is touched and the driver knows touch; click on it otherwise."""

    @abc.abstractmethod
    def picture(self) -> bytes:
        """Return what is seen, as a PNG."""

    @abc.abstractmethod
    def close(self) -> None:
        """Close the page, and have all faults listed."""

    def wait(self, condition: str, *values: Json, seconds: float = WAIT_S) -> Json:
        """Return what a function returns once that is true in the page. Raises AssertionError."""
        end = time.monotonic() + seconds
        while not (found := self.run(condition, *values)):
            assert time.monotonic() < end, f"not within {seconds} s: {condition} {values}"
            time.sleep(0.02)
        return found

    def press(self, selector: str) -> None:
        """Press what a selector names, once it can be pressed. Raises AssertionError."""
        self.press_at(*self.wait(_MIDDLE, selector))

    def press_if_possible(self, selector: str) -> bool:
        """Press what a selector names if it can be pressed now; returns whether it could."""
        middle = self.run(_MIDDLE, selector)
        if middle is not None:
            self.press_at(*middle)
        return middle is not None

    def shows(self, selector: str) -> bool:
        """Return whether something that a selector names is visible."""
        return bool(
            self.run("(wanted) => [...document.querySelectorAll(wanted)].some((each) => each.checkVisibility())", selector)
        )


class ChromiumTab(Tab):
    """A page of playwright's."""

    def __init__(self, page: Page, faults: list[str], *, has_touch: bool) -> None:
        self._page = page
        self._has_touch = has_touch
        self.faults = faults

    def go(self, address: str) -> None:
        self._page.goto(address)

    def reload(self) -> None:
        self._page.reload()

    def run(self, function: str, *values: Json) -> Json:
        return self._page.evaluate(f"(values) => ({function})(...values)", list(values))

    def press_at(self, x: float, y: float) -> None:
        (self._page.touchscreen.tap if self._has_touch else self._page.mouse.click)(x, y)

    def picture(self) -> bytes:
        return self._page.screenshot()

    def close(self) -> None:
        self._page.context.close()


class Firefox:
    """A Firefox without a window."""

    def __init__(self, program: str, *, has_touch: bool, has_worker: bool, has_storage: bool) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="firefox-")
        self._has_touch = has_touch
        preferences = {
            **_PREFERENCES,
            **(_TOUCH if has_touch else {}),
            **({} if has_storage else {"network.cookie.cookieBehavior": 2}),
            "dom.serviceWorkers.enabled": has_worker,
        }
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in preferences.items()]
        (Path(self._profile.name) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        self._log = (Path(self._profile.name) / "log").open("w+", encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", self._profile.name]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self._log, stdin=subprocess.DEVNULL)
        try:
            self._connection = WebSocketConnection(f"{self._address()}/session", timeout=60, interval=0.01)
            Session(self._connection).new({"alwaysMatch": {}})
        except BaseException:
            self._end()
            raise

    def _address(self) -> str:
        end = time.monotonic() + 60
        while time.monotonic() < end and self._process.poll() is None:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", Path(self._log.name).read_text(encoding="utf-8")):
                return found[1]
            time.sleep(0.02)
        raise OSError(f"Firefox does not answer: {Path(self._log.name).read_text(encoding='utf-8')}")

    def open(self, screen: Screen) -> Tab:
        """Return a page of somebody new on a screen."""
        return FirefoxTab(self._connection, screen, has_touch=self._has_touch)

    def close(self) -> None:
        self._end()
        self._connection.close()

    def _end(self) -> None:
        self._process.kill()  # there is nothing that it should write
        self._process.wait()
        self._log.close()
        self._profile.cleanup()


class FirefoxTab(Tab):
    """A page in a container of its own."""

    def __init__(self, connection: WebSocketConnection, screen: Screen, *, has_touch: bool) -> None:
        self.faults = []
        self._pointer = "touch" if has_touch else "mouse"
        self._contexts, self._scripts, self._input = BrowsingContext(connection), Script(connection), Input(connection)
        self._browser = Browser(connection)
        self._user = self._browser.create_user_context()
        self._id = self._contexts.create(type="tab", user_context=self._user)
        size = {"width": screen.width, "height": screen.height}
        self._contexts.set_viewport(context=self._id, viewport=size, device_pixel_ratio=screen.scale)
        self._log = Log(connection)
        self._handler = self._log.add_event_handler("entry_added", self._heed, contexts=[self._id])

    def _heed(self, entry: Any) -> None:
        if entry["level"] == "error":
            self.faults.append(f"{entry['text']} {entry.get('stackTrace')}")

    def go(self, address: str) -> None:
        self._contexts.navigate(context=self._id, url=address, wait="complete")

    def reload(self) -> None:
        self._contexts.reload(context=self._id, wait="complete")

    def run(self, function: str, *values: Json) -> Json:
        texts = json.dumps(values)
        answer = self._scripts.execute(
            f"async (texts) => JSON.stringify(await ({function})(...JSON.parse(texts)))", texts, context_id=self._id
        )
        return json.loads(answer["value"]) if answer["type"] == "string" else None

    def press_at(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        steps = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        finger = {"type": "pointer", "id": self._pointer, "parameters": {"pointerType": self._pointer}, "actions": steps}
        self._input.perform_actions(context=self._id, actions=[finger])

    def picture(self) -> bytes:
        return base64.b64decode(self._contexts.capture_screenshot(context=self._id))

    def close(self) -> None:
        self._log.remove_event_handler("entry_added", self._handler)
        self._browser.remove_user_context(self._user)


class WebKitTab(Tab):
    """A window of WebKitGTK's MiniBrowser, which remembers nothing.

    Its driver makes clicks of all taps. It does not tell what the console says: what happens while the page loads is not heeded.
    """

    def __init__(self, display: str, screen: Screen, *, has_storage: bool) -> None:
        self.faults = []
        options = Options()
        options.binary_location = str(_mini_browser())
        options.add_argument("--automation")
        options.add_argument("--full-screen")  # the window has no bar, which is wider than a phone
        if not has_storage:
            options.add_argument("--enable-html5-local-storage=false")
        if screen.has_touch:
            options.add_argument(f"--user-agent={SAFARI}")
        environment = {**os.environ, "DISPLAY": display, "GDK_SCALE": str(screen.scale), "LIBGL_ALWAYS_SOFTWARE": "1"}
        service = Service(env=environment, log_output=subprocess.DEVNULL)
        self._driver = webdriver.WebKitGTK(options=options, service=service)
        self._driver.set_window_rect(0, 0, screen.width, screen.height)

    def go(self, address: str) -> None:
        self._gather()
        self._driver.get(address)
        self.run(_HEED)

    def reload(self) -> None:
        self._gather()
        self._driver.refresh()
        self.run(_HEED)

    def _gather(self) -> None:
        self.faults += self.run("() => globalThis.faults?.splice(0) ?? []")

    def run(self, function: str, *values: Json) -> Json:
        return self._driver.execute_script(f"return ({function})(...arguments)", *values)

    def press_at(self, x: float, y: float) -> None:
        actions = ActionBuilder(self._driver, duration=0)
        actions.pointer_action.move_to_location(round(x), round(y)).pointer_down().pointer_up()
        actions.perform()

    def picture(self) -> bytes:
        return self._driver.get_screenshot_as_png()

    def close(self) -> None:
        self._gather()
        self._driver.quit()


def firefox_program() -> str | None:
    """Return the Firefox of this machine; None where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def has_webkit() -> bool:
    """Return whether WebKitGTK, its driver and a screen for it are on this machine."""
    return bool(_mini_browser() and shutil.which("WebKitWebDriver") and shutil.which("Xvfb"))


def _mini_browser() -> Path | None:
    return max(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), default=None)


@contextlib.contextmanager
def virtual_display() -> Iterator[str]:
    """Provide the name of an X display that nobody sees, as large as the largest screen of tests."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "2560x2560x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        os.close(writing)
        try:
            with os.fdopen(reading) as output:
                yield f":{output.readline().strip()}"
        finally:
            process.terminate()
