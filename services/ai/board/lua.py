"""The board's scripts (scripts/*.lua) as they are sent: the parts that all of them need, then their own."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

ROOT_KEY = "bw:{wanted}"
"""Stands before the names of all keys of the board; what is between the braces keeps them in one slot."""
_PARTS = ("board", "lines", "wants", "places")
_MAY_REFUSE = frozenset({"offer"})
"""What ends when Redis has reached its maxmemory. All else goes on: it makes room."""


@dataclass(frozen=True, slots=True)
class Script:
    """A script's text and its SHA-1."""

    text: str
    sha1: str


@cache
def script(name: str) -> Script:
    """Return a script by its name (offer, withdraw, take, beat, goodbye, standings, sweep)."""
    folder = files("services.ai.board").joinpath("scripts")
    # Redis 7 reads flags in the first line; a script without that line would be let begin, and fail at its first write.
    first = "#!lua" if name in _MAY_REFUSE else "#!lua flags=allow-oom"
    parts = [folder.joinpath(f"{part}.lua").read_text(encoding="utf-8") for part in (*_PARTS, name)]
    text = "\n".join((first, *parts))
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())
