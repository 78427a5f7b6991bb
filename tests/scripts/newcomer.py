"""A newcomer who starts an installed Brettwerk, plays a first game against the computer, and ends it.

    python -m tests.scripts.newcomer page COMMAND...        (or `calls`, by gRPC, without a browser)

A program of its own, so that both may run where there is no network. The last line that it prints is JSON: how many seconds after
the start of the command the computer had answered the first move, what the launcher said, and its exit code.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Sequence

from playwright.sync_api import expect, sync_playwright

from deploy.local import chromium
from tests.browser.play import look_again, play_by_mouse, play_to_the_end, touchable
from tests.e2e.stranger import OVER, Stranger, computer, me

READY = "Ctrl-C stops everything"


class Start:
    """A started Brettwerk: all that it says, and when it began."""

    def __init__(self, command: Sequence[str]) -> None:
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = ""

    def ready(self) -> None:
        """Read until it is ready, and let somebody read on."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said += line
            if READY in line:
                threading.Thread(target=self._hear, daemon=True).start()
                return
        raise AssertionError(f"it ended, and had said\n{self.said}")

    def _hear(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.said += line

    def address(self, of: str) -> str:
        """Return an address that it has said."""
        found = re.search(rf"{re.escape(of)} +(?:http://)?([\w.:\[\]]+)", self.said)
        assert found, self.said
        return found[1]

    def end(self) -> int:
        """Press Ctrl-C and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


def play_by_calls(start: Start) -> float:
    """Play a game by gRPC; return when the computer had answered the first move, or the game was over."""
    with urllib.request.urlopen(f"http://{start.address('play here')}/", timeout=20) as page:
        assert "<title>Brettwerk</title>" in page.read().decode()
    player = Stranger(start.address("bots (gRPC)"), "Ada")
    session, seats = player.create(me(), computer())
    dice, has_moved, answered = random.Random(1), False, 0.0
    for update in player.updates(session.id, seats[0]):
        is_over = update.session.state in OVER
        if has_moved and not answered and (update.actions or is_over):
            answered = time.monotonic() - start.began
        if is_over:
            break
        if update.actions:
            player.act(update, seats[0], dice.randrange(len(update.actions)))
            has_moved = True
    player.close()
    return answered


def play_on_the_page(start: Start) -> float:
    """Play a game by mouse; return when the computer had answered the first move."""
    with sync_playwright() as playwright:
        program = chromium.find() or playwright.chromium.executable_path
        browser = playwright.chromium.launch(executable_path=program, args=chromium.ARGUMENTS)
        page = browser.new_page(locale="en-GB")
        page.goto(f"http://{start.address('play here')}/")
        page.get_by_test_id("play-button").click()
        moves = page.get_by_test_id("action-list").get_by_role("listitem")
        while not touchable(page):
            look_again(page)
        before = moves.count()
        while moves.count() < before + 2 and play_by_mouse(page):
            pass
        answered = time.monotonic() - start.began
        play_to_the_end(page)
        expect(page.get_by_test_id("result")).not_to_be_empty()
        browser.close()
    return answered


if __name__ == "__main__":
    how, *command = sys.argv[1:]
    start = Start(command)
    try:
        start.ready()
        answered = {"page": play_on_the_page, "calls": play_by_calls}[how](start)
        code = start.end()
    finally:
        if start.process.poll() is None:
            os.kill(start.process.pid, signal.SIGKILL)
    print(json.dumps({"answered_s": answered, "said": start.said, "code": code}))
