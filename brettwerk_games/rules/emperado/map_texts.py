"""The words of maps (EMP-MAP-6): a map's file has the names, and what is said of its countries follows from them."""

import json
from collections.abc import Mapping
from dataclasses import replace

from brettwerk_games.languages.folders import BASE, LANGUAGES
from brettwerk_games.rules.emperado.maps import WORLDS
from brettwerk_games.rules.emperado.world import World
from brettwerk_games.rules.facts import Facts

OPTION = "map"


def with_maps(facts: Facts) -> Facts:
    """Return the facts of the game with the maps that can be chosen, and their words in all languages that maps have names in."""
    options = tuple(replace(each, lines=tuple(WORLDS)) if each.key == OPTION else each for each in facts.options)
    languages = {language: _texts(facts, language) for language in LANGUAGES.codes()}
    return replace(facts, options=options, further_texts=languages)


def _texts(facts: Facts, language: str) -> Mapping[str, str]:
    patterns = _patterns(facts, language)
    found: dict[str, str] = {}
    for world in WORLDS.values():
        if world.id:
            found |= _of_world(world, language, patterns)
    return found


def _patterns(facts: Facts, language: str) -> Mapping[str, str]:
    """Return what is said of any country in a language; in English where nothing is written in that one."""
    path = next(path for code in (language, BASE) if (path := facts.folder / "text" / f"{code}.json").exists())
    texts: Mapping[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return {what: texts[f"map.{what}"] for what in ("armies", "active", "ghosts")}


def _of_world(world: World, language: str, patterns: Mapping[str, str]) -> Mapping[str, str]:
    """Return the texts of a map as far as it has names in a language."""
    found: dict[str, str] = {}
    if language in world.names:
        found[f"option.{OPTION}.{world.id}"] = world.names[language]
    for continent in world.continents:
        if language in continent.names:
            found[f"continent.{continent.key}"] = continent.names[language]
    for country in world.countries:
        if name := country.names.get(language):
            found[f"country.{country.key}"] = name
            found |= {f"{what}.{country.key}": text.replace("{country}", name) for what, text in patterns.items()}
    return found
