"""The scripts of runs (scripts/*.lua) as they are sent: what all of them need, then their own."""

import hashlib
from functools import cache
from importlib.resources import files

from services.ai.board.lua import Script

ROOT_KEY = "bw:{runs}"
"""Stands before the names of all keys of runs; what is between the braces keeps them in one slot."""
_MAY_REFUSE = frozenset({"begin"})
"""What ends when Redis has reached its maxmemory. All else goes on: it makes room, or counts what was played."""


@cache
def script(name: str) -> Script:
    """Return a script by its name (begin, take, finish, fail, hold, cancel, standing)."""
    folder = files("services.ai.runs").joinpath("scripts")
    first = "#!lua" if name in _MAY_REFUSE else "#!lua flags=allow-oom"
    parts = [folder.joinpath(f"{part}.lua").read_text(encoding="utf-8") for part in ("runs", name)]
    text = "\n".join((first, *parts))
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())
