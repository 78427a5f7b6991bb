"""A game is opened from its notation, and saved as a text again, by the page (WEC-HIST-2)."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import at_night
from tests.browser.play import touchable

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

HEAD = '[Game "wec"]\n[Rules "2"]\n[movement "standard_chess"]\n\n'
TURNS = "1. MV:FP(2,3)->(3,3)\n2. MV:FP(9,3)->(8,3)\n"


def open_text(page: Page, file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    page.get_by_test_id("open-file").set_input_files(file)


def begin(page: Page) -> None:
    """Sit down at the other seat of an opened game, too: it begins when all are taken."""
    page.wait_for_url(re.compile("/s/"))
    page.get_by_test_id("join-1").click()
    expect(page.get_by_test_id("board")).to_be_visible()


def saved_text(page: Page, file: Path, label: str) -> str:
    """Save the game that the page shows by the button of this name, and return the text."""
    page.get_by_test_id("more").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=label, exact=True).click()
    assert re.fullmatch(r"brettwerk-\w+-\w{8}\.txt", download.value.suggested_filename)
    download.value.save_as(file)
    return file.read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("locale", "opens", "saves"),
    [
        ("en-GB", "Open a saved game …", "Save as a text"),
        at_night("de-DE", "Gespeichertes Spiel öffnen …", "Als Text speichern"),
    ],
)
def test_a_game_is_opened_from_a_text_by_hand_and_saved_as_the_same_one(open_page, tmp_path, locale, opens, saves) -> None:
    page = open_page(locale=locale)
    expect(page.get_by_label(opens)).to_be_attached()
    open_text(page, tmp_path / "by-hand.txt", HEAD + TURNS + "{resign 1}\n")
    begin(page)
    expect(page.get_by_test_id("result")).to_be_visible()
    text = saved_text(page, tmp_path / "saved.txt", saves)
    assert text.startswith('[Game "wec"]') and "{resign 1}" in text
    for turn in TURNS.splitlines():
        assert turn in text
    page.goto(page.url.partition("/s/")[0])
    open_text(page, tmp_path / "again.txt", text)
    begin(page)
    expect(page.get_by_test_id("result")).to_be_visible()
    assert saved_text(page, tmp_path / "twice.txt", saves) == text


@pytest.mark.nightly
def test_a_game_without_secrets_is_saved_as_a_text_while_it_is_played(open_page, tmp_path) -> None:
    page = open_page()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(page.get_by_test_id("export-text")).to_have_count(0)
    page.get_by_test_id(f"square-{touchable(page)[0]}").click(force=True)
    text = saved_text(page, tmp_path / "played.txt", "Save as a text")
    page.goto(page.url.partition("/s/")[0])
    open_text(page, tmp_path / "again.txt", text)
    begin(page)


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "in_line"), [("en-GB", "In line {}: "), at_night("de-DE", "In Zeile {}: ")])
def test_a_fault_in_a_text_is_shown_with_its_line_and_no_table_is_opened(open_page, tmp_path, locale, in_line) -> None:
    page = open_page(locale=locale)
    lobby = page.url
    for text, line, rule in (
        (HEAD + TURNS.replace("(8,3)", "(6,3)"), 6, "WEC-MOVE-PAWN-1"),
        (HEAD + TURNS + "3. MV:?\n", 7, "WEC-RUL-53"),
        (HEAD.replace("standard_chess", "sideways") + TURNS, 3, ""),
    ):
        open_text(page, tmp_path / "wrong.txt", text)
        refusal = page.get_by_test_id("refusal")
        expect(refusal).to_contain_text(in_line.format(line))
        if rule:
            expect(refusal.get_by_role("link")).to_have_attribute("href", f"/rules/wec#{rule}")
        refusal.get_by_role("button").click()
        expect(refusal).to_have_count(0)
    open_text(page, tmp_path / "no-game.txt", TURNS)
    expect(page.get_by_test_id("refusal")).to_be_visible()
    assert page.url == lobby
