"""The words that an operator does not allow: read at startup, and again when their file has changed."""

import re
import time
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path

from brettwerk.v1 import errors_pb2
from services.runtime.logs import logger
from services.runtime.refusal import Refused

MAX_WORDS = 20_000
"""Entries of a list of words at most."""
LOOK_S = 5.0
"""How often to check whether the file has changed."""
_WORD = re.compile(r"\w+")

log = logger(__name__)


class Words:
    """An operator's list of words that nobody may say at a table. Raises ValueError if it is too long.

    One entry per line, a word or several; empty lines and those that begin with # are ignored. Whole words are compared,
    regardless of case and Unicode form.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._entries: dict[str, list[tuple[str, ...]]] = {}
        """By their first words."""
        kept = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
        if len(kept) > MAX_WORDS:
            raise ValueError(f"a list of words has {len(kept)} entries, at most {MAX_WORDS} are allowed")
        for line in kept:
            parts = _compared(line)
            if parts:
                self._entries.setdefault(parts[0], []).append(parts)

    def found_in(self, text: str) -> str:
        """Return the first entry that occurs in a text, as compared; empty for none."""
        words = _compared(text)
        for place, word in enumerate(words):
            for parts in self._entries.get(word, ()):
                if words[place : place + len(parts)] == parts:
                    return " ".join(parts)
        return ""


def _compared(text: str) -> tuple[str, ...]:
    """Return a text's words as compared: without invisible characters, in compatible form, in one case."""
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())))


class WordFile:
    """The list. Raises ValueError if the file cannot be read at startup, or has too many entries."""

    def __init__(self, path: str, now: Callable[[], float] = time.monotonic) -> None:
        """`path`: the file; empty for no words."""
        self._path = Path(path) if path else None
        self._now = now
        self._looked = now()
        self._changed: tuple[int, int] | None = None
        self._words = Words()
        self._more = Words()
        if self._path is not None:
            try:
                self._read(self._path)
            except (OSError, UnicodeDecodeError) as error:
                raise ValueError(f"BRETTWERK_TALK_WORDS: {path} cannot be read: {error}") from None

    def found_in(self, text: str) -> str:
        """Return the first entry that occurs in a text; empty for none."""
        self._look()
        return self._words.found_in(text) or self._more.found_in(text)

    def extend(self, words: Iterable[str]) -> None:
        """Let other words be refused besides those of the file, in the place of what the last call has named."""
        self._more = Words(words)

    def check(self, text: str, field: str) -> None:
        """Check that the operator allows a text. Raises Refused (WORD_NOT_ALLOWED)."""
        if word := self.found_in(text):
            message = f"this server does not allow the word {word}"
            raise Refused(errors_pb2.REASON_WORD_NOT_ALLOWED, message, field=field, details={"word": word})

    def _look(self) -> None:
        if self._path is None or self._now() - self._looked < LOOK_S:
            return
        self._looked = self._now()
        try:
            self._read(self._path)
        except (OSError, ValueError) as error:  # while a list is being written, the previous one applies
            log.warning("the list of words cannot be read anew", cause=str(error))

    def _read(self, path: Path) -> None:
        found = path.stat()
        changed = found.st_mtime_ns, found.st_size
        if changed != self._changed:
            self._words = Words(path.read_text(encoding="utf-8").splitlines())
            self._changed = changed
