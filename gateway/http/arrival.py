"""The received parts of requests that are not complete: bounded for all clients of the process, so that none fills its memory.

Each of them is bounded by itself, but there may be thousands at a time.
"""

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

MAX_BYTES_IN_ALL = 160 * 1024 * 1024
"""How many bytes of unfinished requests there may be in this process; beyond that, those above SMALL_BYTES are refused."""
SMALL_BYTES = 64 * 1024


class Arrival:
    """A request, or the requests of one connection, as far as they have arrived."""

    in_all = 0
    """How many bytes of unfinished requests there are in this process."""

    def __init__(self) -> None:
        self._bytes = 0

    def keep(self, size: int) -> None:
        """Count that `size` bytes are kept now. Raises Refused (FULL) if that is too much."""
        Arrival.in_all += size - self._bytes
        self._bytes = size
        if size > SMALL_BYTES and Arrival.in_all > MAX_BYTES_IN_ALL:
            raise Refused(errors_pb2.REASON_FULL, "too many large requests are arriving at once", retry_after_ms=1000)

    def end(self) -> None:
        """Count nothing any more."""
        Arrival.in_all -= self._bytes
        self._bytes = 0
