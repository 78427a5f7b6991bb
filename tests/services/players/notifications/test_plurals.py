"""A number takes the form that the rules of a language give it (CLDR)."""

import pytest

from brettwerk_games.languages.folders import LANGUAGES
from services.players.notifications.plurals import category, form

POLISH = {"tables": "stołu", "tables.one": "stół", "tables.few": "stoły", "tables.many": "stołów"}


@pytest.mark.parametrize(("count", "said"), [(1, "stół"), (3, "stoły"), (5, "stołów"), (12, "stołów"), (22, "stoły")])
def test_a_language_has_as_many_forms_as_it_needs(count: int, said: str) -> None:
    assert form(POLISH, "pl", "tables", count) == said


def test_a_text_without_forms_is_the_same_for_all_numbers() -> None:
    assert form({"tables": "{count} tables"}, "fr", "tables", 1) == "{count} tables"
    with pytest.raises(KeyError):
        form({}, "fr", "tables", 1)


def test_french_counts_nothing_as_one() -> None:
    assert [category("fr", count) for count in (0, 1, 2)] == ["one", "one", "other"]
    assert [category("en", count) for count in (0, 1, 2)] == ["other", "one", "other"]


def test_the_rules_of_every_language_are_known() -> None:
    assert all(category(language, 7) for language in (*LANGUAGES.codes(), "pt-BR"))
