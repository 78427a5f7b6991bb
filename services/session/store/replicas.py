"""How writes wait for the replicas of a Redis: what is acknowledged outlives its master if one of them takes over.

A pipeline ends with WAIT, which covers all writes of its connection. If the replicas do not have them in time, they count as
down, and games go on without them: that is counted (`brettwerk_store_unreplicated_total`, with an alert), and until they are
back, a pipeline waits only a moment. MySQL calls this semi-synchronous.
"""

from typing import Any, TypeAlias

from redis.exceptions import ResponseError

from services.runtime import metrics
from services.runtime.logs import logger

log = logger(__name__)

HERE_MS = 500
"""How long a pipeline waits for replicas that kept up so far; the answer of one beside it takes less than a millisecond."""
AWAY_MS = 20
"""The same while they do not: long enough for another zone's to be found again."""

_Question: TypeAlias = tuple[str, int, int]


class Replicas:
    """Whether that many replicas keep up."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self.are_here = True

    @property
    def question(self) -> _Question | None:
        """What to ask after writes, if anything."""
        return ("WAIT", self._wanted, HERE_MS if self.are_here else AWAY_MS) if self._wanted else None

    def hear(self, answer: Any) -> None:
        """Take the answer: how many replicas have all that was written over that connection, or why it is not known."""
        have = 0 if isinstance(answer, ResponseError) else int(answer)
        if have < self._wanted:
            metrics.STORE_UNREPLICATED.inc()
        if (have >= self._wanted) == self.are_here:
            return
        self.are_here = have >= self._wanted
        if self.are_here:
            log.info("replicas keep up again", wanted=self._wanted)
        else:
            cause = str(answer)[:200] if isinstance(answer, ResponseError) else "no answer in time"
            log.warning("replicas do not keep up", wanted=self._wanted, have=have, cause=cause)
