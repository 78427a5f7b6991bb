"""Scripts that Redis runs: put together of what all of a folder need and their own text, and sent once to each Redis."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import redis
import redis.asyncio
from redis.exceptions import NoScriptError

from services.runtime.redis_client.scripts import GOES_ON, Script, read_script


@dataclass(frozen=True, slots=True)
class Scripts:
    """The scripts of a package, in its folder `scripts`."""

    package: str
    parts: tuple[str, ...]
    """The text before each of them."""
    root_key: str
    """Stands before the names of all their keys; what is between its braces keeps them in one slot."""
    may_refuse: frozenset[str]
    """The scripts that end when Redis has reached its maxmemory; all else goes on."""

    def script(self, name: str) -> Script:
        """Return a script by its name."""
        return read_script(self.package, (*self.parts, name), "" if name in self.may_refuse else GOES_ON)


class Runner:
    """Runs scripts. Raises redis.RedisError while Redis cannot be reached."""

    def __init__(self, scripts: Scripts, client: "redis.asyncio.Redis", now_ms: Callable[[], int]) -> None:
        """Use a client that returns bytes; `now_ms` returns 0 for the clock of Redis, which is the same for everybody."""
        self._scripts = scripts
        self._client = client
        self._now_ms = now_ms

    async def run(self, name: str, *arguments: Any) -> Any:
        """Return what a script returns."""
        script = self._scripts.script(name)
        sent = (1, self._scripts.root_key, self._now_ms(), *arguments)
        try:
            return await self._client.evalsha(script.sha1, *sent)
        except NoScriptError:
            return await self._client.eval(script.text, *sent)


class BlockingRunner:
    """Runs scripts as Runner does, in workers, which wait for Redis."""

    def __init__(self, scripts: Scripts, client: "redis.Redis", now_ms: Callable[[], int]) -> None:
        """Use a client that returns bytes; `now_ms` as above."""
        self._scripts = scripts
        self._client = client
        self._now_ms = now_ms

    def run(self, name: str, *arguments: Any) -> Any:
        """Return what a script returns."""
        script = self._scripts.script(name)
        sent = (1, self._scripts.root_key, self._now_ms(), *arguments)
        try:
            return self._client.evalsha(script.sha1, *sent)
        except NoScriptError:
            return self._client.eval(script.text, *sent)
