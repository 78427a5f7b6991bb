"""Token buckets: how often something may be done for each of many keys."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from brettwerk.v1 import errors_pb2
from services.runtime import metrics
from services.runtime.refusal import Refused

BUCKETS = 40_000
"""How many buckets of a rule are remembered, some 300 bytes each.

The one that has been idle longest is forgotten first, and is full when it is needed again.
"""


class Buckets:
    """The token buckets of one rule."""

    def __init__(
        self,
        rule: str,
        per_s: float,
        burst: float,
        now: Callable[[], float] = time.monotonic,
        refusal: str = "too many requests; the next one is accepted",
    ) -> None:
        """Name the rule (for metrics); `per_s` tokens flow into each bucket, which holds `burst`. `refusal` begins a sentence."""
        self._rule = rule
        self._per_s = per_s
        self._burst = max(burst, 1.0)
        self._now = now
        self._refusal = refusal
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, tokens: float) -> None:
        """Take tokens from the bucket of `key`, at most a full bucket.

        Raises Refused (TOO_MANY_REQUESTS) if there are too few.
        """
        now = self._now()
        level, at = self._levels.get(key, (self._burst, now))
        level = min(self._burst, level + max(0.0, now - at) * self._per_s)
        wanted = min(tokens, self._burst)
        is_there = level >= wanted
        self._levels[key] = (level - wanted if is_there else level, now)
        self._levels.move_to_end(key)
        if len(self._levels) > BUCKETS:
            self._levels.popitem(last=False)
        if not is_there:
            metrics.RATE_LIMITED.labels(self._rule).inc()
            wait_ms = math.ceil(1000 * (wanted - level) / self._per_s)
            raise Refused(
                errors_pb2.REASON_TOO_MANY_REQUESTS,
                f"{self._refusal} in {wait_ms} ms",
                details={"limit": self._rule},
                retry_after_ms=wait_ms,
            )

    def charge(self, key: str, tokens: float) -> None:
        """Take tokens for what has already been done, whether or not they are there: a bucket may owe as many as it holds."""
        now = self._now()
        level, at = self._levels.get(key, (self._burst, now))
        level = min(self._burst, level + max(0.0, now - at) * self._per_s)
        self._levels[key] = (max(-self._burst, level - tokens), now)
        self._levels.move_to_end(key)
