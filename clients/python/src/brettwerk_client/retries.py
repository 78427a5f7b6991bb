"""When a call that failed is sent again: only what may pass by itself, after pauses that grow, for a limited time.

A client that sends again sends the same request with the same request id, so that it is carried out once.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from brettwerk_client.refusals import Refused


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things may take, in seconds."""

    call_s: float = 10.0
    """One attempt of a call."""
    costly_call_s: float = 40.0
    """One attempt of a call that makes the server compute or carries a record."""
    retries_s: float = 60.0
    """All attempts of a call, or all attempts in a row to go on with a watch."""
    first_pause_s: float = 0.25
    """The longest first pause; each further one may be twice as long."""
    max_pause_s: float = 4.0
    """The longest pause, unless the server asks for a longer one."""
    watch_silence_s: float = 15.0
    """How long a watch may bring nothing: three signs of life, unless the server's settings say otherwise.

    A proxy answers pings for a server that it has lost; only the server itself gives signs of life.
    """
    news_silence_s: float = 45.0
    """The same of news, whose signs of life are 15 seconds apart."""


COSTLY = frozenset(
    (
        "AddPasskey",
        "CheckRecord",
        "CreateSession",
        "DeleteAccount",
        "ExportAccount",
        "ExportSession",
        "ForkSession",
        "GetHint",
        "GetStatistics",
        "ImportSession",
        "ListUpdates",
        "Propose",
        "ReadText",
        "RemovePasskey",
        "SetPassword",
        "SetPhrase",
        "SignIn",
        "StartLink",
        "StartProviderSignIn",
        "StartRun",
        "VerifySession",
    )
)
"""Methods that may take longer."""


class Retries:
    """The attempts of one call, or of one watch to go on."""

    def __init__(
        self, timing: Timing, now: Callable[[], float] = time.monotonic, chance: Callable[[], float] = random.random
    ) -> None:
        """Begin to count the time; `chance` returns a number from 0 to 1."""
        self._timing, self._now, self._chance = timing, now, chance
        self.succeeded()

    def succeeded(self) -> None:
        """Start counting again: the server has proved to be well."""
        self._until = self._now() + self._timing.retries_s
        self._attempts = 0

    def pause_s(self, refused: Refused) -> float:
        """Return how long to wait before the next attempt. Raises the refusal when there shall be none."""
        ceiling = min(self._timing.max_pause_s, self._timing.first_pause_s * float(1 << min(self._attempts, 16)))
        # From the upper half of what it may be: those who lost the same server do not come back together.
        pause = max(refused.refusal.retry_after_ms / 1000, ceiling * (0.5 + self._chance() / 2))
        if not refused.is_passing or self._now() + pause > self._until:
            raise refused
        self._attempts += 1
        return pause
