"""The folders of languages: which languages there are, and what is written in them."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

BASE = "en"
"""The language in which everything is written; whatever another one lacks is said in it."""
_CODE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
"""A language tag (BCP 47): a language, and a region where that matters."""
_HOLE = re.compile(r"\{(\w+)\}")
PLURALS = ("zero", "one", "two", "few", "many", "other")
"""The categories of plural forms (CLDR): `mail.more.few` is `mail.more` for a number of that category."""


@dataclass(frozen=True, slots=True)
class Languages:
    """The languages that have a folder in `folder`."""

    folder: Path

    def codes(self) -> tuple[str, ...]:
        """Return the codes of all languages, English first."""
        return _codes(self.folder)

    def choose(self, wanted: str) -> str:
        """Return the language of somebody who asks for one: `fr` for `fr-CA`, and English for one that there is not."""
        tried = (wanted, re.split("[-_]", wanted.lower())[0])
        return next((code for code in tried if code in self.codes()), BASE)

    def data(self, language: str, *path: str) -> Mapping[str, Any]:
        """Return what a JSON file of a language holds; nothing where there is no such language or file."""
        return _data(self.folder, language, path) if language in self.codes() else {}

    def words(self, language: str, *path: str) -> Mapping[str, str]:
        """Return the texts of a file of a language by key; none where there is no such language or file."""
        return self.data(language, *path)

    def page(self, language: str, *path: str) -> str:
        """Return the text of a file of a language; nothing where there is no such language or file."""
        file = self.folder.joinpath(language, *path)
        return file.read_text(encoding="utf-8") if language in self.codes() and file.is_file() else ""


def in_place_of(base: Mapping[str, str], *own: Mapping[str, str]) -> dict[str, str]:
    """Return the English texts with those of a language in their place, the last one first, as far as they `stand_for` them."""
    texts = dict(base)
    for each in own:
        texts |= {key: text for key, text in each.items() if stands_for(key, text, base)}
    return texts


def stands_for(key: str, text: str, base: Mapping[str, str]) -> bool:
    """Return whether a text stands for an English one: that of its key, or the one that it is a plural form of.

    It must say something, and leave room only for facts that the English one has room for: others would not be filled in.
    """
    stem, _, category = key.rpartition(".")
    english = [base[each] for each in (key, stem if category in PLURALS else key) if each in base]
    return bool(english) and bool(text.strip()) and holes(text) <= frozenset().union(*map(holes, english))


def holes(text: str) -> frozenset[str]:
    """Return what is filled in in a text: the names in braces."""
    return frozenset(_HOLE.findall(text))


@cache
def _codes(folder: Path) -> tuple[str, ...]:
    found = (path.parent.name for path in folder.glob("*/language.json"))
    return (BASE, *sorted(code for code in found if code != BASE and _CODE.fullmatch(code)))


@cache
def _data(folder: Path, language: str, path: tuple[str, ...]) -> Mapping[str, Any]:
    file = folder.joinpath(language, *path)
    if not file.is_file():
        return {}
    data: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


LANGUAGES = Languages(Path(__file__).parent)
"""Those that Brettwerk speaks."""
