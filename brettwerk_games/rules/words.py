"""Words that mean the same in every game (words.json): facts beside a board, dice, groups of options, and what levels are called.

A game's catalogue says only what is its own, and may say something else instead.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path


@cache
def _read() -> Mapping[str, Mapping[str, str]]:
    words: Mapping[str, Mapping[str, str]] = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))
    return words


def texts(language: str, levels: Iterable[str], groups: Iterable[str]) -> dict[str, str]:
    """Return the texts in a language, by key: those for boards, and those for a game's levels and groups of options.

    None in a language that they are not written in here.
    """
    wanted = {f"level.{level}.label" for level in levels} | {f"group.{group}" for group in groups}
    listed = {key: words for key, words in _read().items() if key.startswith(("fact.", "die.")) or key in wanted}
    return {key: words[language] for key, words in listed.items() if language in words}
