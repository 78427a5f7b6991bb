"""Runs checks of whole records beside the event loop.

A check replays thousands of steps, which is milliseconds to many seconds: in the event loop it would keep every other call
waiting. In a thread it takes turns with the loop (the interpreter passes on every 5 ms), shares the loaded games and needs no
copy of the record, as a process would. Few run at once, few wait, and each ends at its time limit.
"""

import asyncio
import threading
import time

from brettwerk.v1 import errors_pb2, rules_pb2
from services.rules.verify import verify
from services.runtime.refusal import Refused

AT_ONCE = 2
"""Checks that run at once."""
WAITING = 16
"""Checks that wait; more are refused."""
LIMIT_S = 30.0
"""The longest time of one check."""


class Checks:
    """Runs checks, each in a thread."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING, limit_s: float = LIMIT_S) -> None:
        """Take how many run at once, how many wait, and how long one may take."""
        self._running = asyncio.Semaphore(at_once)
        self._room = at_once + waiting
        self._limit_s = limit_s
        self._stopping = threading.Event()

    async def run(self, request: rules_pb2.VerifyRecordRequest) -> rules_pb2.VerifyRecordResponse:
        """Return what the check of a record finds.

        Raises Refused: FULL when too many wait, DEADLINE when it took too long. Ends soon after its caller has gone away.
        """
        if self._room <= 0:
            raise Refused(errors_pb2.REASON_FULL, "too many records are being checked", retry_after_ms=2000)
        self._room -= 1
        abandoned = threading.Event()
        try:
            async with self._running:
                until = time.monotonic() + self._limit_s

                def go_on() -> bool:
                    return time.monotonic() < until and not abandoned.is_set() and not self._stopping.is_set()

                verification = await asyncio.to_thread(verify, request.record, go_on)
        finally:
            abandoned.set()
            self._room += 1
        return rules_pb2.VerifyRecordResponse(verification=verification)

    def stop(self) -> None:
        """Let every check that runs end at its next step."""
        self._stopping.set()
