"""The waits of a bot that lives on a server: until trouble that may pass by itself is over, for as long as that takes."""

import asyncio
import logging
import random
from collections.abc import Callable, Mapping
from typing import TypeAlias

import grpc

from brettwerk_client.refusals import Refused
from brettwerk_client.retries import Timing

Waits: TypeAlias = Callable[[Mapping[str, Refused]], None]
"""Is told what a bot waits for whenever that changes, and why: sessions and challenges by their ids, `NEWS` and `GAMES`.

Nothing at all means that the bot is well.
"""
NEWS = "news"
"""The stream of news."""
GAMES = "games"
"""The lists of games and challenges."""

_PASSING = frozenset(
    int(code.value[0])
    for code in (
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
    )
)
"""Codes of what is no fault of the caller's: an outage, a bound, a defect of the server."""
_log = logging.getLogger(__name__)


class Outages:
    """The waits of one bot."""

    def __init__(self, timing: Timing, report: Waits | None) -> None:
        self._timing = timing
        self._report = report
        self._waits: dict[str, Refused] = {}
        self._attempts: dict[str, int] = {}

    async def wait(self, place: str, refused: Refused) -> None:
        """Wait before something is tried again at a place. Raises the refusal if it is one that does not pass."""
        if refused.code not in _PASSING:
            raise refused
        attempts = self._attempts.get(place, 0)
        self._attempts[place] = attempts + 1
        ceiling = min(self._timing.max_pause_s, self._timing.first_pause_s * float(1 << min(attempts, 16)))
        pause_s = max(refused.refusal.retry_after_ms / 1000, ceiling * (0.5 + random.random() / 2))  # noqa: S311 - no secret
        if place not in self._waits:
            _log.warning("waiting for %s: %s", place, refused)
            self._waits[place] = refused
            self._tell()
        await asyncio.sleep(pause_s)

    def over(self, place: str) -> None:
        """Note that a place is well."""
        self._attempts.pop(place, None)
        if self._waits.pop(place, None) is not None:
            _log.warning("%s is well again", place)
            self._tell()

    def _tell(self) -> None:
        if self._report is not None:
            self._report(dict(self._waits))
