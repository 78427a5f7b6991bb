"""The cost of JSON that is read and written here, for streams: their clients are charged, and wait once they owe too much.

A call over HTTP is charged as a whole when it ends; a stream has no end, so it is charged on the way.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from gateway.identity.caller import Caller
from gateway.limits.rates import Rates
from services.runtime.refusal import Refused

CHARGED_S = 0.02
"""How much CPU time may go into a stream's JSON before its client is charged for it, and others have their turn."""


class StreamCharges:
    """The time spent on the JSON of one stream since its client was last charged."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._spent_s = 0.0

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Return a block whose CPU time is counted."""
        began = time.thread_time()
        try:
            yield
        finally:
            self._spent_s += time.thread_time() - began

    def pause_s(self, caller: Caller) -> float | None:
        """Charge the client if it is time to, and return how long it has to wait then; None if it was not.

        0 means that it owes nothing, but others have their turn first.
        """
        if self._spent_s <= CHARGED_S:
            return None
        self._rates.charge(caller, self._spent_s)
        self._spent_s = 0.0
        return self.owed_s(caller)

    def owed_s(self, caller: Caller) -> float:
        """Return how long the client has to wait until its next request is accepted."""
        try:
            self._rates.check(caller)
        except Refused as refused:
            return refused.refusal.retry_after_ms / 1000
        return 0.0
