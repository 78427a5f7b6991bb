"""Lua scripts that Redis runs, read from a package's folder `scripts`.

Apart from what sends them (`coalescer.Scripts`), which counts: a worker reads its scripts before it is known how its processes
count.
"""

import hashlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

GOES_ON = "allow-oom"
"""The flag of what goes on when Redis has reached its maxmemory."""
READS = "no-writes"
"""The flag of what changes nothing."""


class Script(NamedTuple):
    """A script's text and its SHA-1."""

    text: str
    sha1: str


@cache
def read_script(package: str, names: tuple[str, ...], flags: str = "") -> Script:
    """Return the script that files of a package make, one after another; `flags` is what Redis lets it do besides."""
    folder = files(package).joinpath("scripts")
    # Redis 7 reads flags in the first line; a script without that line would be let begin, and fail at its first write.
    first = f"#!lua flags={flags}" if flags else "#!lua"
    text = "\n".join((first, *(folder.joinpath(f"{name}.lua").read_text(encoding="utf-8") for name in names)))
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())
