"""How somebody plays Weaponized Chess in a browser: by touch or by keys alone, until the game is over."""

import contextlib
import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from brettwerk.v1 import play_pb2, wec_pb2
from brettwerk_client import Client, computer, me
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.wec.codec import WecCodec
from brettwerk_games.rules.wec.position import Position
from deploy.local.deployment import Deployment
from tests.browser.keys import CELL, tab_to, walk
from tests.browser.keys import press as press_key
from tests.browser.play import BY_HAND, look_again, press

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


def begin_here(page: Page) -> None:
    """Begin the game that is chosen, between two who share the device and hide nothing from each other."""
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("hand-open").click()


def sit_down_at(page: Page, site: Deployment, start: Position, **settings: object) -> str:
    """Show a game that begins at a position, with an easy computer as White; return the session's id."""
    written = WecCodec.forms[Kind.POSITION].write(start)
    assert isinstance(written, bytes)
    return sit_down_at_message(page, site, wec_pb2.WecPosition.FromString(written), **settings)


def sit_down_at_message(page: Page, site: Deployment, start: wec_pb2.WecPosition, **settings: object) -> str:
    """Do the same at a position that is given as a message."""
    with Client(site.grpc_address, name="Ada") as client:
        player = client.sign_in(play_pb2.CreatePlayerRequest(name="Ada"))
        seat = client.create_session("wec", [me(), computer("easy")], start_position=start).seat
        kept = {
            "brettwerk.player": {"id": player.id, "token": player.token, "name": player.name},
            f"brettwerk.seats.{seat.session_id}": {"at": 0, "tokens": {str(seat.number): seat.token}},
            "brettwerk.settings": {"tours": ["wec"], **BY_HAND, **settings},
        }
        page.evaluate("(kept) => Object.entries(kept).forEach(([key, value]) => localStorage[key] = JSON.stringify(value))", kept)
        page.goto(f"http://{site.web_address}/s/{seat.session_id}")
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()
    return seat.session_id


Hand = Callable[[Page, str], None]


def touch(page: Page, name: str) -> None:
    """Touch something, unless it is gone already: the game goes on by itself, and whoever plays it looks again."""
    with contextlib.suppress(PlaywrightTimeout):
        press(page.get_by_test_id(name).first, force=True, timeout=2000)


def by_key(page: Page, name: str) -> None:
    """Go to a square by Tab and the arrows, or to a button by Tab, and press Enter."""
    if not name.startswith("square-"):
        press_key(page, f"[data-testid={name}]:enabled")
        return
    tab_to(page, CELL)
    walk(page, name.removeprefix("square-"))
    page.keyboard.press("Enter")


def next_touch(now: dict[str, Any], chance: random.Random) -> str | None:
    """Return what to touch by what STATE has found: take if possible, else move, else end the Turn; None on others' Turns."""
    if now["way"]:
        return "way"
    if now["captures"]:
        return str(now["captures"][0])
    if now["targets"] and chance.random() < 0.4:
        return str(chance.choice(now["targets"]))
    if now["move"] and now["candidates"]:
        return str(chance.choice(now["candidates"]))
    return "mode-end" if now["end"] else None


def do_one_thing(page: Page, chance: random.Random, hand: Hand) -> bool:
    """Do the next thing of a Turn. False when the game is over."""
    now = page.evaluate(STATE)
    if now["over"]:
        return False
    name = next_touch(now, chance)
    if name is not None:
        hand(page, name)
    else:
        look_again(page)
    return True


def play_on(*pages: Page, hand: Hand = touch) -> None:
    until, chance = time.monotonic() + GAME_S, random.Random(1)
    while time.monotonic() < until:
        for page in pages:
            if not do_one_thing(page, chance, hand):
                return
    pytest.fail(f"the game was not over after {GAME_S} s")
