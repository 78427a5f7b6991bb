"""The end of a game as it is told to each, and the card of it: what that says, and its picture."""

import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from brettwerk_client import Client, me, nobody
from tests.browser.axe import findings
from tests.browser.looks import DESKTOP, SCREENS, at_night
from tests.browser.play import play_by_mouse
from tests.night import by_day

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


@pytest.mark.parametrize("screen", by_day(SCREENS, "desktop"))
@pytest.mark.parametrize(
    ("locale", "scheme", "verdict", "figures"),
    [("en-GB", "light", "Black has won", r"Luck \S+ · Choices"), at_night("de-DE", "dark", "Schwarz hat gewonnen", "Glück")],
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


@pytest.mark.parametrize(
    ("locale", "won", "lost", "seen"),
    [
        (
            "en-GB",
            ["You have won", "Ben has resigned."],
            ["You have lost", "You have resigned."],
            ["has won", "Ben has resigned."],
        ),
        at_night(
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


def test_the_review_takes_the_place_of_the_result(open_page):
    page = open_page(viewport=DESKTOP.viewport)
    give_up_after_a_few_moves(page)
    expect(page.get_by_test_id("rematch")).to_be_visible()
    page.get_by_test_id("review-run").click()
    expect(page.get_by_test_id("rematch")).to_be_hidden()
    expect(page.get_by_test_id("review").get_by_role("heading").first).to_be_in_viewport()
    page.get_by_test_id("result-fold").click()
    expect(page.get_by_test_id("rematch")).to_be_visible()
