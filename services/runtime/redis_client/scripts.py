"""Lua scripts that Redis runs: read from a package's folder `scripts`, and sent once to each Redis, which then knows them.

Apart from the servers that run them, which count: a worker reads its scripts before it is known how its processes count.
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from redis.exceptions import NoScriptError

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


class Scripts:
    """Scripts by their names, as one client runs them."""

    def __init__(self, send: Callable[..., "asyncio.Future[Any]"], scripts: Mapping[str, Script]) -> None:
        """`send` sends a command."""
        self._send = send
        self._scripts = scripts

    async def run(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Return what a script returns. Raises what `send` does, and what Redis refuses."""
        try:
            return await self.send(name, keys, arguments)
        except NoScriptError:  # Redis has restarted, or a replica has taken over
            return await self.send(name, keys, arguments, whole=True)

    def send(self, name: str, keys: Sequence[str], arguments: Sequence[Any], whole: bool = False) -> "asyncio.Future[Any]":
        """Return what a script answers; `whole`: with its text, in case Redis does not know it."""
        script = self._scripts[name]
        command = ("EVAL", script.text) if whole else ("EVALSHA", script.sha1)
        return self._send(*command, len(keys), *keys, *arguments)
