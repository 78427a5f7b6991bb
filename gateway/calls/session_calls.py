"""Passes calls on to the session service, again if that is safe.

This is the one place that knows where calls go: to the owner of the session's shard.
"""

import asyncio
import random
from dataclasses import dataclass

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.link import LinkChannel, Metadata
from services.runtime.method_names import on_the_wire
from services.runtime.refusal import UNREACHED, Refused

MAX_ATTEMPTS = 5
"""How often a call is passed on while the session service cannot be reached."""
FIRST_PAUSE_S = 0.05
"""The pause before the second attempt; each further one is twice as long, and half of it is random."""
_CARRY_OUT = on_the_wire("/brettwerk.internal.v1.SessionService/CarryOut")


class RetryBudget:
    """Stops retries while nearly everything fails: they would only add load (gRPC's retryThrottling)."""

    def __init__(self, max_tokens: float = 100, earned: float = 0.1) -> None:
        """Hold `max_tokens` tokens; a success earns some back, and retries stop below half."""
        self._max_tokens = self._tokens = max_tokens
        self._earned = earned

    def succeeded(self) -> None:
        """Note a success."""
        self._tokens = min(self._max_tokens, self._tokens + self._earned)

    def failed(self) -> bool:
        """Note a failure, and return whether it may be retried."""
        self._tokens = max(0.0, self._tokens - 1)
        return self._tokens > self._max_tokens / 2


@dataclass(slots=True)
class Outgoing:
    """A call that is passed on."""

    request: bytes
    """An encoded CarryOutRequest."""
    until: float
    """When its time is up (loop.time)."""
    may_repeat: bool
    """Whether it is safe to send it again."""
    metadata: Metadata | None = None
    """Names the shard of its session."""


class SessionCalls:
    """The session service, as calls see it."""

    def __init__(self, channel: LinkChannel) -> None:
        """Take the channel to the session service."""
        self._carry_out = channel.unary_unary(_CARRY_OUT, response_deserializer=session_pb2.CarryOutResponse.FromString)
        self._budget = RetryBudget()
        self._loop = asyncio.get_running_loop()

    async def ask(self, outgoing: Outgoing) -> session_pb2.CarryOutResponse:
        """Return the result of a call, retried where that is allowed. A refusal of the session service is an answer, too.

        Raises Refused: UNAVAILABLE or DEADLINE. Cancelling it abandons the call.
        """
        pause, attempts_left = FIRST_PAUSE_S, MAX_ATTEMPTS - 1
        while True:
            timeout = max(0.0, outgoing.until - self._loop.time())
            try:
                response: session_pb2.CarryOutResponse
                response = await self._carry_out(outgoing.request, timeout=timeout, metadata=outgoing.metadata)
            except Refused as error:
                refused = error.alone()
            else:
                self._budget.succeeded()
                return response
            if refused.reason not in UNREACHED:
                self._budget.succeeded()
                return session_pb2.CarryOutResponse(answer=play_pb2.Answer(refusal=refused.refusal).SerializeToString())
            pause_s = pause * random.uniform(0.5, 1)  # noqa: S311 - spreads retries, guards nothing
            is_in_time = self._loop.time() + pause_s < outgoing.until
            is_passing = refused.reason == errors_pb2.REASON_UNAVAILABLE
            # The second attempt takes nothing from the budget: all calls that were open at an owner that died go to the next one,
            # however many they are, and while there is none they wait in the link, where they cause no load.
            is_allowed = attempts_left == MAX_ATTEMPTS - 1 or self._budget.failed()
            if not (is_passing and is_allowed and outgoing.may_repeat and attempts_left and is_in_time):
                raise refused
            await asyncio.sleep(pause_s)
            pause, attempts_left = pause * 2, attempts_left - 1
