"""An operator's list of words that nobody may say at a table.

One entry per line, a word or several; empty lines and those that begin with # are ignored. Whole words are compared, regardless
of case and Unicode form.
"""

import re
import unicodedata
from collections.abc import Iterable

_WORD = re.compile(r"\w+")
MAX_ENTRIES = 20_000
"""The maximum number of entries in a list."""


class Words:
    """A list of words. Raises ValueError if it is too long."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._entries: dict[str, list[tuple[str, ...]]] = {}
        """By their first words."""
        kept = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
        if len(kept) > MAX_ENTRIES:
            raise ValueError(f"a list of words has {len(kept)} entries, at most {MAX_ENTRIES} are allowed")
        for line in kept:
            parts = _words(line)
            if parts:
                self._entries.setdefault(parts[0], []).append(parts)

    def found_in(self, text: str) -> str:
        """Return the first entry that occurs in a text, as compared; empty for none."""
        words = _words(text)
        for place, word in enumerate(words):
            for parts in self._entries.get(word, ()):
                if words[place : place + len(parts)] == parts:
                    return " ".join(parts)
        return ""


def _words(text: str) -> tuple[str, ...]:
    """Return a text's words as compared: without invisible characters, in compatible form, in one case."""
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())))
