"""How writes wait for the replicas of a Redis: what is acknowledged outlives its master if one of them takes over.

A pipeline ends with WAIT, which covers all writes of its connection. If the replicas do not have them in time, they count as
down, and games go on without them: that is counted (`brettwerk_store_unreplicated_total`, with an alert), and until they are
back, a pipeline waits only a moment; now and then one waits as long as before, since replicas may be so far away that a moment is
too short for them. MySQL calls this semi-synchronous.
"""

import time
from collections.abc import Callable
from typing import Any, TypeAlias

from redis.exceptions import ResponseError

from services.runtime import metrics
from services.runtime.logs import logger

log = logger(__name__)

HERE_MS = 500
"""How long a pipeline waits for replicas that kept up so far; the answer of one beside it takes less than a millisecond."""
AWAY_MS = 20
"""The same while they do not: long enough for another zone's to be found again."""
LOOK_S = 5.0
"""How often one pipeline waits for HERE_MS meanwhile: that finds those again whose answers take longer than AWAY_MS."""

_Question: TypeAlias = tuple[str, int, int]


class Replicas:
    """Whether that many replicas keep up."""

    def __init__(self, wanted: int, now_s: Callable[[], float] = time.monotonic) -> None:
        """`now_s` is a clock that nobody sets."""
        self._wanted = wanted
        self._now_s = now_s
        self._looked_s = 0.0
        self._came_s = -HERE_MS / 1000
        self.are_here = True

    @property
    def question(self) -> _Question | None:
        """What to ask after writes, if anything."""
        if not self._wanted:
            return None
        if self.are_here:
            return ("WAIT", self._wanted, HERE_MS)
        now_s = self._now_s()
        if now_s - self._looked_s < LOOK_S:
            return ("WAIT", self._wanted, AWAY_MS)
        self._looked_s = now_s
        return ("WAIT", self._wanted, HERE_MS)

    def hear(self, answer: Any) -> None:
        """Take the answer: how many replicas have all that was written over that connection, or why it is not known."""
        have = 0 if isinstance(answer, ResponseError) else int(answer)
        if have < self._wanted:
            metrics.STORE_UNREPLICATED.inc()
        now_s = self._now_s()
        # What fails sooner after they came back was asked before, when a question had a moment only.
        if (have >= self._wanted) == self.are_here or (self.are_here and now_s - self._came_s < HERE_MS / 1000):
            return
        self.are_here = have >= self._wanted
        self._looked_s = self._came_s = now_s
        if self.are_here:
            log.info("replicas keep up again", wanted=self._wanted)
        else:
            cause = str(answer)[:200] if isinstance(answer, ResponseError) else "no answer in time"
            log.warning("replicas do not keep up", wanted=self._wanted, have=have, cause=cause)
