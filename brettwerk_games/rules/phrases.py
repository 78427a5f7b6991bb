"""Quick phrases that can be said at the tables of every game (phrases.json). A game adds its own in its facts and catalogues.

Each is said by its id, and read in the reader's language: the catalogue has it as `phrase.<id>`.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def _read() -> Mapping[str, Mapping[str, str]]:
    phrases: Mapping[str, Mapping[str, str]] = json.loads((Path(__file__).parent / "phrases.json").read_text(encoding="utf-8"))
    return phrases


def for_all_games() -> tuple[str, ...]:
    """Return the ids, in the order in which they are offered."""
    return tuple(_read())


def texts(language: str) -> dict[str, str]:
    """Return the texts in a language, by key of a game's catalogue; none in a language that they are not written in here."""
    return {f"phrase.{phrase}": words[language] for phrase, words in _read().items() if language in words}
