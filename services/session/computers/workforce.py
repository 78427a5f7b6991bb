"""What this process knows about the workers: whether there are any, or since when not, and whether they have room."""

from collections.abc import Callable

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

FRESH_MS = 30_000
"""How long it is believed that there is no room. While there is none the AI service is asked every second (waits.py)."""
STALE_MS = 75_000
"""How long it is believed that there is no worker: a little longer than the longest pause between two questions about a move."""
NO_ROOM_MS = 30_000
"""When to come again with a new table at which computers play."""


class Workforce:
    """The workers, as the AI service has described them last."""

    def __init__(self, now_ms: Callable[[], int], silence_ms: int) -> None:
        """`silence_ms`: how long no worker must live, and a move be wanted that somebody waits for, before the session moves."""
        self.silence_ms = silence_ms
        self._now_ms = now_ms
        self._epoch = ""
        self._is_full = False
        self._heard_ms = 0
        self._away_since_ms: int | None = None
        self._missed_ms = 0

    def hear(self, demand: ai_pb2.Demand) -> bool:
        """Take in what the AI service has said. Returns whether all that was noted there before is lost."""
        self._heard_ms, self._is_full = self._now_ms(), demand.full
        if demand.workers:
            self._away_since_ms = None
        else:
            self._miss()
        is_another = bool(self._epoch) and demand.epoch != self._epoch
        self._epoch = demand.epoch
        return is_another

    def unreachable(self) -> None:
        """Take in that the AI service has not answered."""
        self._miss()

    def _miss(self) -> None:
        now = self._now_ms()
        # Workers that rest are missed at every first move; that those are away who do not is heard again and again.
        if self._away_since_ms is None or now - self._missed_ms > STALE_MS:
            self._away_since_ms = now
        self._missed_ms = now

    @property
    def away_ms(self) -> int:
        """For how long nobody has been able to think, as far as known here, in milliseconds; 0 while somebody can."""
        if self._away_since_ms is None or self._now_ms() - self._missed_ms > STALE_MS:
            return 0
        return max(1, self._now_ms() - self._away_since_ms)

    @property
    def is_full(self) -> bool:
        """Whether there is no room for more tables with computers."""
        return self._is_full and self._now_ms() - self._heard_ms < FRESH_MS

    def check_room(self) -> None:
        """Return if one more table may have computers. Raises Refused (FULL)."""
        if self.is_full:
            sentence = "more moves of computers are wanted than can be thought about; there is room for tables of persons"
            raise Refused(errors_pb2.REASON_FULL, sentence, details={"bound": "computers"}, retry_after_ms=NO_ROOM_MS)
