"""The end of a game as it is told to each, and the card of it: what that says, and its picture."""

import base64
import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from brettwerk_client import Client, computer, me, nobody
from tests.browser.axe import findings
from tests.browser.looks import DESKTOP, SCREENS
from tests.browser.play import play_by_mouse
from tests.browser.test_stage import GAMES

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

SMALLEST_TEXT = """(svg) => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return Math.min(...[...svg.querySelectorAll("text")].map((each) => parseFloat(getComputedStyle(each).fontSize) * scale));
}"""
OUT_OF_CARD = """(svg) => {
  const { left, right } = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].flatMap((each) => {
    const box = each.getBoundingClientRect();
    return box.left < left || box.right > right ? [each.textContent] : [];
  });
}"""

SHARES = """
navigator.canShare = () => true;
navigator.share = async ({ title, files: [file] }) => { window.shared = [title, file.type, file.size]; };
"""


def saved_picture(page: Page, folder: Path) -> bytes:
    """Save the picture of the card that is open; return its file."""
    with page.expect_download() as download:
        page.get_by_test_id("card-save").click()
    file = folder / "card.png"
    download.value.save_as(file)
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    return data


def give_up_after_a_few_moves(page: Page) -> None:
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    moves = page.get_by_test_id("action-list").get_by_role("button")
    while moves.count() < 3:
        play_by_mouse(page)
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()


@pytest.mark.nightly
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    ("locale", "scheme", "verdict", "figures"),
    [
        ("en-GB", "light", r"^(?!Black)\w+ has won", r"Luck \S+ · Choices"),
        ("de-DE", "dark", r"^(?!Schwarz)\w+ hat gewonnen", "Glück"),
    ],
)
def test_the_card_tells_the_game_and_is_saved_as_a_picture(open_page, tmp_path, screen, locale, scheme, verdict, figures):
    page = open_page(**SCREENS[screen].context, locale=locale, color_scheme=scheme)
    give_up_after_a_few_moves(page)
    page.get_by_test_id("card").click()
    card = page.get_by_test_id("card-picture")
    expect(card).to_have_attribute("aria-label", re.compile(verdict))
    page.get_by_test_id("card-review").click()
    expect(page.get_by_test_id("card-review")).to_be_hidden(timeout=60_000)
    expect(card).to_have_attribute("aria-label", re.compile(figures))
    assert card.evaluate(SMALLEST_TEXT) >= 11.9
    assert card.evaluate(OUT_OF_CARD) == []
    assert not findings(page)
    data = saved_picture(page, tmp_path)
    width, height = struct.unpack(">II", data[16:24])
    assert width == 1080
    assert height > width / 2
    assert len(data) > 20_000, "something is drawn"
    page.get_by_test_id("card-rematch").click()
    expect(page.get_by_test_id("result")).to_be_hidden()


LOOKS_OF_PICTURE = """async ([picture, box]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const brush = canvas.getContext("2d");
  brush.drawImage(image, 0, 0);
  const { data } = brush.getImageData(...box.map((share) => Math.round(share * image.width)));
  const seen = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.slice(at, at + 3).join(" ");
    seen.set(colour, (seen.get(colour) ?? 0) + 4 / data.length);
  }
  return [[...seen.values()].filter((share) => share > 0.0002).length, seen.get("0 0 0") ?? 0];
}"""
"""How many colours there are in a box of a picture, and the share of black; its measures are shares of the picture's width."""


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_saved_card_has_the_final_board(open_page, site, tmp_path, game, scheme):
    with Client(site.grpc_address, name="Ben") as ben:
        seat = ben.create_session(game, [me(), computer(level="easy")], public=True).seat
        seat.resign()
        page = open_page(f"/s/{seat.session_id}", color_scheme=scheme)
        page.get_by_test_id("card").click()
        board = page.get_by_test_id("card-board").locator("> svg")
        expect(board).to_be_visible()
        card = page.get_by_test_id("card-picture")
        within, around = board.bounding_box(), card.bounding_box()
        assert within and around
        assert within["height"] > 0.4 * around["width"]
        box = [within["x"] - around["x"], within["y"] - around["y"], within["width"], within["height"]]
        picture = base64.b64encode(saved_picture(page, tmp_path)).decode()
        colours, black = page.evaluate(LOOKS_OF_PICTURE, [picture, [each / around["width"] for each in box]])
        assert colours > 4
        assert black < 0.2, "shapes without their styles are black"
        assert not findings(page)


@pytest.mark.nightly
def test_the_card_is_shared_where_the_device_can(open_page, site):
    page = open_page()
    page.add_init_script(SHARES)
    with Client(site.grpc_address, name="Ben") as ben:
        seat = ben.create_session("einstein", [me(), computer(level="easy")], public=True).seat
        seat.resign()
        page.goto(f"http://{site.web_address}/s/{seat.session_id}")
    page.get_by_test_id("card").click()
    expect(page.get_by_test_id("card-board").locator("> svg")).to_be_visible()
    page.get_by_test_id("card-share").click()
    page.wait_for_function("() => window.shared !== undefined")
    title, kind, size = page.evaluate("window.shared")
    assert "has won" in title
    assert (kind, size > 20_000) == ("image/png", True)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("locale", "won", "lost", "seen"),
    [
        (
            "en-GB",
            ["You have won", "Ben has resigned."],
            ["You have lost", "You have resigned."],
            ["has won", "Ben has resigned."],
        ),
        (
            "de-DE",
            ["Du hast gewonnen", "Ben hat aufgegeben."],
            ["Du hast verloren", "Du hast aufgegeben."],
            ["hat gewonnen", "Ben hat aufgegeben."],
        ),
    ],
)
def test_the_end_is_another_one_for_winner_loser_and_watcher(open_page, site, locale, won, lost, seen):
    winner, watcher, loser = (open_page(locale=locale) for _ in range(3))
    with Client(site.grpc_address, name="Ben") as ben:
        seat = ben.create_session("emperado", [me(), nobody()], public=True).seat
        address = f"http://{site.web_address}/s/{seat.session_id}"
        winner.goto(address)
        winner.get_by_test_id("join-1").click()
        expect(winner.get_by_test_id("board")).to_be_visible()
        watcher.goto(address)
        expect(watcher.get_by_test_id("board")).to_be_visible()
        seat.resign()
    loser.get_by_test_id("play-button").click()
    loser.get_by_test_id("tour-skip").click()
    loser.get_by_test_id("resign").click()
    loser.get_by_test_id("sure").click()
    for page, ending, words in ((winner, "won", won), (watcher, "seen", seen), (loser, "lost", lost)):
        result = page.get_by_test_id("result")
        expect(result).to_have_attribute("data-ending", ending)
        expect(result.get_by_test_id(f"ending-{ending}")).to_be_visible()
        for sentence in words:
            expect(result).to_contain_text(sentence)
        expect(result).not_to_contain_text(re.compile("EMP-|EWN-"))
        assert "-END-" in (result.get_by_test_id("result-rule").get_attribute("href") or "")
        expect(page.get_by_test_id("undo")).to_have_count(0)
        assert not findings(page)


def test_players_of_emperado_are_named_and_letters_stand_second(open_page):
    page = open_page()
    page.get_by_test_id("game-emperado").check(force=True)
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    for seat, letter in enumerate("AB"):
        expect(page.get_by_test_id(f"seat-{seat}").locator(".name")).not_to_have_text(re.compile(rf"^\s*{letter}\b"))
        expect(page.get_by_test_id(f"seat-{seat}").locator(".who")).to_contain_text(letter)


@pytest.mark.nightly
def test_the_review_takes_the_place_of_the_result(open_page):
    page = open_page(viewport=DESKTOP.viewport)
    give_up_after_a_few_moves(page)
    expect(page.get_by_test_id("rematch")).to_be_visible()
    page.get_by_test_id("review-run").click()
    expect(page.get_by_test_id("rematch")).to_be_hidden()
    expect(page.get_by_test_id("review").get_by_role("heading").first).to_be_in_viewport()
    page.get_by_test_id("result-fold").click()
    expect(page.get_by_test_id("rematch")).to_be_visible()
