"""The missing words of a language are counted, and the faults in one are found."""

import json
from pathlib import Path

import pytest

from brettwerk_games.languages.folders import BASE, LANGUAGES, Languages
from brettwerk_games.rules.registry import games
from scripts.missing_words import board, counted, main, parts

WRITTEN_IN_FRENCH = ("page/", "messages.json", "games.json", "achievements.json", "games/einstein/")
OF_ORDERS = ("order.", "country.", "place.")
"""Texts of a game in the dialog of orders: its orders, and the places that they are about."""


@pytest.fixture
def half(tmp_path: Path) -> Languages:
    """Return languages of which Italian has a few texts of mails."""
    (tmp_path / "it").mkdir()
    (tmp_path / "it" / "language.json").write_text(json.dumps({"name": "Italiano"}))
    words = {"mail.greeting": "Ciao {name},", "mail.more.one": "e un altro", "mail.line": "{tavolo}", "no.such.key": "?"}
    (tmp_path / "it" / "messages.json").write_text(json.dumps(words))
    return Languages(tmp_path)


def test_a_half_finished_language_is_counted_and_its_faults_are_named(half: Languages) -> None:
    counts = {each.part: each for each in counted("it", half)}
    messages = counts["messages.json"]
    assert messages.written == 2
    assert "mail.subject.one" in messages.missing
    assert messages.wrong == ("mail.line", "no.such.key")
    assert counts["page/text.json"].written == 0
    assert len(counts["games/einstein/rules.md"].missing) > 20


def test_german_is_complete_and_so_are_the_parts_written_in_french() -> None:
    assert [each.part for each in counted("de") if each.missing or each.wrong] == []
    lacking = [each for each in counted("fr") if each.part.startswith(WRITTEN_IN_FRENCH)]
    assert [(each.part, each.missing, each.wrong) for each in lacking if each.missing or each.wrong] == []


def test_orders_are_written_in_every_language() -> None:
    for language in LANGUAGES.codes()[1:]:
        texts = [each for each in counted(language) if each.part.startswith("games/") and each.part.endswith("/text.json")]
        assert [(each.part, key) for each in texts for key in each.missing if key.startswith(OF_ORDERS)] == []


def test_no_language_has_a_fault() -> None:
    assert [(code, each.part, each.wrong) for code in LANGUAGES.codes()[1:] for each in counted(code) if each.wrong] == []


def test_the_boards_sentences_are_those_of_lessons_introduction_and_pictures() -> None:
    english = board("einstein", BASE)
    assert {"The die chooses", "The goal", "The corners: Black runs for E5, White for A1."} <= set(english)
    assert board("einstein", "de")["The die chooses"] == "Der Würfel wählt"


def test_every_game_can_be_translated() -> None:
    written = {part.name.split("/")[1] for part in parts("fr") if part.name.startswith("games/")}
    assert written == set(games())


def test_a_contributor_sees_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fr", "--list"]) == 0
    said = capsys.readouterr().out
    assert "games/wec/text.json" in said
    assert "    game.summary" in said
    assert "page/text.json" not in said
    with pytest.raises(SystemExit):
        main(["xx"])
    assert "there are de, fr" in capsys.readouterr().err
