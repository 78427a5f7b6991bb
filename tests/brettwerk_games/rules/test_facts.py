"""Facts and texts are read from a game's folder."""

import json
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest

from brettwerk_games.rules import phrases, words
from brettwerk_games.rules.facts import GENERIC_LEVELS, read_facts
from brettwerk_games.rules.options import Option, OptionFacts, option_facts

RAW = {
    "id": "tiny",
    "rules_version": "1",
    "seats": [{"colour": "red"}, {"colour": "blue", "computer_by_default": True}],
    "min_seats": 1,
    "chance": False,
    "hidden": False,
    "draws": True,
    "start_positions": False,
    "max_actions": 9,
    "options": [
        {"key": "size", "kind": "number", "min": 2, "max": 8, "preset": 3},
        {"key": "who", "kind": "choice", "choices": ["a"]},
    ],
}


def folder_of(tmp_path: Path, **more: object) -> Path:
    (tmp_path / "text").mkdir()
    (tmp_path / "facts.json").write_text(json.dumps({key: value for key, value in {**RAW, **more}.items() if value is not None}))
    (tmp_path / "text" / "en.json").write_text(json.dumps({"game.name": "Tiny – game"}), encoding="utf-8")
    (tmp_path / "rules.en.md").write_text("# Tiny", encoding="utf-8")
    return tmp_path


def test_facts_are_read_as_they_are(tmp_path: Path) -> None:
    facts = read_facts(folder_of(tmp_path))
    assert (facts.id, facts.min_seats, facts.draws, facts.max_actions) == ("tiny", 1, True, 9)
    assert [(seat.colour, seat.computer_by_default) for seat in facts.seats] == [("red", False), ("blue", True)]
    assert (facts.options[0].min, facts.options[0].max, facts.options[0].preset, facts.options[0].step) == (2, 8, 3, 1)
    assert facts.options[1].choices == ("a",)


def test_a_game_without_a_player_of_its_own_has_the_generic_levels(tmp_path: Path) -> None:
    assert read_facts(folder_of(tmp_path)).levels == GENERIC_LEVELS


def test_a_game_may_name_its_own_levels(tmp_path: Path) -> None:
    level = {"id": "deep", "player": "tiny", "strength": 4, "think_ms": 10, "max_depth": 8, "least_ms": 4}
    (read,) = read_facts(folder_of(tmp_path, levels=[level])).levels
    assert (read.id, read.player, read.strength, read.think_ms, read.max_depth) == ("deep", "tiny", 4, 10, 8)
    assert read.least_ms == read.floor_ms == 4


def test_a_game_lists_all_legal_actions_unless_it_says_otherwise(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    assert read_facts(folder).lists_all
    (folder / "facts.json").write_text(json.dumps({**RAW, "lists_all": False}))
    assert not read_facts(folder).lists_all


def test_texts_and_pages_are_read_by_language(tmp_path: Path) -> None:
    facts = read_facts(folder_of(tmp_path))
    common = {**phrases.texts("en"), **words.texts("en", ["easy", "normal", "strong"], ["game"])}
    assert facts.catalogue("en") == {**common, "game.name": "Tiny – game"}
    assert facts.rules_page("en") == "# Tiny"


def test_words_that_all_games_share_are_there_unless_a_game_says_something_else(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    assert read_facts(folder).catalogue("en")["level.normal.label"] == "Normal"
    assert "level.expert.label" not in read_facts(folder).catalogue("en")
    (folder / "text" / "en.json").write_text(json.dumps({"level.normal.label": "Usual"}))
    assert read_facts(folder).catalogue("en")["level.normal.label"] == "Usual"


def test_texts_missing_in_a_language_are_in_english(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    (folder / "text" / "en.json").write_text(json.dumps({"game.name": "Tiny", "level.easy.label": "Soft", "more": "{a}"}))
    (folder / "text" / "fr.json").write_text(json.dumps({"game.name": "Petit", "more": "{b}", "unknown": "?"}))
    french = read_facts(folder).catalogue("fr")
    assert (french["game.name"], french["more"], french["level.easy.label"]) == ("Petit", "{a}", "Soft")
    assert (french["level.strong.label"], french["phrase.thanks"]) == ("Fort", "Merci\u202f!")
    assert "unknown" not in french
    assert read_facts(folder).rules_page("de") == read_facts(folder).rules_page("fr") == "# Tiny"


@pytest.mark.parametrize("language", ["xx", "", "../en"])
def test_a_language_that_there_is_not_is_a_key_error(tmp_path: Path, language: str) -> None:
    facts = read_facts(folder_of(tmp_path))
    with pytest.raises(KeyError):
        facts.catalogue(language)
    with pytest.raises(KeyError):
        facts.rules_page(language)


class Columns(NamedTuple):
    columns: Annotated[int, Option("G-1", min=3, max=9)] = 7


def test_options_are_those_of_the_options_class(tmp_path: Path) -> None:
    (option,) = read_facts(folder_of(tmp_path, options=None), Columns).options
    assert option == OptionFacts("columns", "number", preset=7, min=3, max=9, rule="G-1")


class Unstated(NamedTuple):
    columns: int = 7


def test_a_file_may_state_the_options_instead_but_not_besides(tmp_path: Path) -> None:
    stated = [{"key": "columns", "kind": "number", "min": 3, "max": 9, "preset": 7, "rule": "G-1"}]
    folder = folder_of(tmp_path, options=stated)
    assert read_facts(folder).options == read_facts(folder, Unstated).options != ()
    with pytest.raises(ValueError, match="states options, which the options class does already"):
        read_facts(folder, Columns)


class Unlike(NamedTuple):
    speed: Annotated[float, Option("G-1")] = 1.0


def test_an_option_of_a_type_that_no_option_has_is_refused() -> None:
    with pytest.raises(ValueError, match="speed is of"):
        option_facts(Unlike)
