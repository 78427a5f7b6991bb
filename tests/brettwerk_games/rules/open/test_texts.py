"""Catalogue and rules page of a game are made of one file for each language."""

import shutil
from pathlib import Path

import pytest

from brettwerk_games.rules.open.texts import read_open_facts
from tests.examples.installing import ROOT

FACTS = read_open_facts(ROOT / "examples" / "connect_four" / "connect_four")


@pytest.mark.parametrize(
    ("language", "key", "text"),
    [
        ("en", "game.name", "Connect Four"),
        ("de", "game.summary", "Wirf Steine in Spalten. Wer zuerst vier in einer Reihe hat, gewinnt."),
        ("en", "reason.four.1", "Yellow has four in a row."),
        ("de", "reason.resigned.1", "Gelb gewinnt: Rot hat aufgegeben."),
        ("en", "rule.C4-TURN-2", "A column that is full takes no disc."),
        ("en", "rule.C4-ANY-RESIGN", "Whoever resigns has lost. Where more than one other is left, they play on."),
        ("en", "level.easy.label", "Easy"),
    ],
)
def test_the_catalogue_has_the_words_of_the_game_and_of_all_games(language: str, key: str, text: str) -> None:
    assert FACTS.catalogue(language)[key] == text


def test_the_page_ends_with_what_holds_for_every_game() -> None:
    page = FACTS.rules_page("en")
    assert page.startswith("# Connect Four\n")
    assert '<a id="C4-ANY-NOTATION"></a>' in page
    assert "seat.0.name" not in page


@pytest.mark.parametrize("ask", [FACTS.catalogue, FACTS.rules_page])
def test_a_language_without_a_folder_is_unknown(ask) -> None:
    with pytest.raises(KeyError):
        ask("xx")


def test_a_game_that_a_language_says_nothing_of_is_english_with_the_words_of_all_games(tmp_path: Path) -> None:
    french = FACTS.catalogue("fr")
    assert (french["game.summary"], french["level.easy.label"]) == (FACTS.catalogue("en")["game.summary"], "Facile")
    assert FACTS.rules_page("fr") == FACTS.rules_page("en")
    folder = shutil.copytree(FACTS.folder, tmp_path / "connect_four")
    english = (folder / "en.md").read_text(encoding="utf-8")
    (folder / "fr.md").write_text(english.replace("seat.0.name: Red", "seat.0.name: Rouge"), encoding="utf-8")
    spoken = read_open_facts(folder)
    assert spoken.catalogue("fr")["seat.0.name"] == "Rouge"
    assert "Rouge" in spoken.catalogue("fr")["reason.resigned.0"]


def test_a_game_says_its_own_words_instead_of_common_ones(tmp_path: Path) -> None:
    folder = tmp_path / "connect_four"
    folder.mkdir()
    for name in ("facts.json", "en.md"):
        text = (FACTS.folder / name).read_text()
        (folder / name).write_text(text.replace("---\n", "---\nlevel.easy.label: Lazy\n", 1)) if name == "en.md" else (
            folder / name
        ).write_text(text)
    assert read_open_facts(folder).catalogue("en")["level.easy.label"] == "Lazy"
