"""The operator's word list as a file: read at startup, and again when it has changed."""

import time
from collections.abc import Callable
from pathlib import Path

from services.runtime.logs import logger
from services.session.domain.talk import Words

log = logger(__name__)

LOOK_S = 5.0
"""How often to check whether the file has changed."""


class WordFile:
    """The list. Raises ValueError if the file cannot be read at startup, or has too many entries."""

    def __init__(self, path: str, now: Callable[[], float] = time.monotonic) -> None:
        """`path`: the file; empty for no words."""
        self._path = Path(path) if path else None
        self._now = now
        self._looked = now()
        self._changed: tuple[int, int] | None = None
        self._words = Words()
        if self._path is not None:
            try:
                self._read(self._path)
            except (OSError, UnicodeDecodeError) as error:
                raise ValueError(f"BRETTWERK_TALK_WORDS: {path} cannot be read: {error}") from None

    def found_in(self, text: str) -> str:
        """Return the first entry that occurs in a text; empty for none."""
        self._look()
        return self._words.found_in(text)

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
