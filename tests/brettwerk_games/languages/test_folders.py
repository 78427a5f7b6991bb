"""Languages are the folders that there are; what one lacks is said in English."""

import json
from pathlib import Path

import pytest

from brettwerk_games.languages.folders import BASE, LANGUAGES, Languages, holes, in_place_of


@pytest.fixture
def half(tmp_path: Path) -> Languages:
    """Return languages of which Italian is half finished."""
    for code in ("en", "it", "pt-BR", "not a language"):
        (tmp_path / code).mkdir()
        (tmp_path / code / "language.json").write_text(json.dumps({"name": code}))
    (tmp_path / "es").mkdir()  # begun, and not named yet
    (tmp_path / "it" / "messages.json").write_text(json.dumps({"hello": "Ciao, {name}!"}))
    return Languages(tmp_path)


def test_a_language_is_a_folder_that_names_it_and_english_comes_first(half: Languages) -> None:
    assert half.codes() == ("en", "it", "pt-BR")
    assert LANGUAGES.codes()[:3] == ("en", "de", "fr")


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [("it", "it"), ("it-CH", "it"), ("IT_ch", "it"), ("pt-BR", "pt-BR"), ("xx", BASE), ("", BASE), ("../it", BASE)],
)
def test_the_language_that_is_asked_for_is_chosen_and_english_where_there_is_none(
    half: Languages, wanted: str, spoken: str
) -> None:
    assert half.choose(wanted) == spoken


def test_a_text_missing_in_a_language_is_empty(half: Languages) -> None:
    assert half.words("it", "messages.json") == {"hello": "Ciao, {name}!"}
    assert half.words("it", "games.json") == half.words("es", "messages.json") == half.words("..", "it", "messages.json") == {}
    assert half.page("it", "games", "einstein", "rules.md") == half.page("xx", "language.json") == ""


def test_a_half_finished_language_says_the_rest_in_english(half: Languages) -> None:
    english = {"hello": "Hello, {name}!", "bye": "Bye!"}
    assert in_place_of(english, half.words("it", "messages.json")) == {"hello": "Ciao, {name}!", "bye": "Bye!"}


def test_texts_that_nobody_could_fill_in_or_that_stand_for_nothing_are_left_out() -> None:
    english = {"more": "and {count} more", "bye": "Bye!"}
    own = {"more": "y {total} más", "bye": " ", "new": "Nuevo", "more.one": "y {count} más", "bye.loud": "¡Adiós!"}
    assert in_place_of(english, own) == {**english, "more.one": "y {count} más"}
    assert holes("{a} and {b}, {a}") == {"a", "b"}
