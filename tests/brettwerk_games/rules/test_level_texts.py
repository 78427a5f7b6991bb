"""Every level has a name of its own and a sentence that says what it is like, beside its strength."""

import pytest

from brettwerk_games.languages.folders import LANGUAGES
from brettwerk_games.rules.registry import games


@pytest.mark.parametrize("language", LANGUAGES.codes())
def test_every_level_has_a_name_of_its_own_and_a_character(language: str) -> None:
    names: list[str] = []
    for game in games().values():
        texts = game.facts.catalogue(language)
        for level in game.facts.levels:
            names.append(texts[f"level.{level.id}.name"])
            assert texts[f"level.{level.id}.character"].endswith("."), (game.facts.id, level.id)
            assert texts[f"level.{level.id}.label"] not in names
    assert len(set(names)) == len(names)


def test_levels_have_the_same_names_in_all_languages() -> None:
    for game in games().values():
        one, *others = (game.facts.catalogue(language) for language in LANGUAGES.codes())
        names = [f"level.{level.id}.name" for level in game.facts.levels]
        assert all(one[name] == other[name] for name in names for other in others)
