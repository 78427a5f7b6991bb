"""Passes calls on to the session service, once more where that does no harm, and to other processes of it where one must.

This is the one place that knows where calls go: `SessionCalls.send`.
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc

from brettwerk.v1 import errors_pb2, play_pb2, session_pb2
from gateway import framing
from services.runtime.link import LinkClient
from services.runtime.refusal import Refused, is_newer

SessionLink = LinkClient[
    session_pb2.SessionCall, session_pb2.SessionAnswer, session_pb2.LinkSessionRequest, session_pb2.LinkSessionResponse
]
Answering = asyncio.Future[session_pb2.CarryOutResponse]

TRIES = 5
"""How often a call is passed on while the session service cannot be reached."""
FIRST_PAUSE_S = 0.05
"""The pause before the second try; each further one is twice as long, and half of it is chance."""
MAX_ELSEWHERE = 16
"""How many other session processes are asked, when a call is about what only a newer release understands."""


class RetryBudget:
    """Ends retries while nearly everything fails: they would only be load (gRPC's retryThrottling)."""

    def __init__(self, most: float = 100, earned: float = 0.1) -> None:
        """Hold `most` tokens; a success earns some back, and retries stop below half."""
        self._most = self._tokens = most
        self._earned = earned

    def succeeded(self) -> None:
        """Note a success."""
        self._tokens = min(self._most, self._tokens + self._earned)

    def failed(self) -> bool:
        """Note a failure and return whether it may be tried again."""
        self._tokens = max(0.0, self._tokens - 1)
        return self._tokens > self._most / 2


@dataclass(slots=True)
class Outgoing:
    """A call that is passed on."""

    request: session_pb2.CarryOutRequest
    until: float
    """When its time is over (loop.time)."""
    may_repeat: bool
    """Whether sending it again does no harm."""


class SessionCalls:
    """The session service, as calls see it."""

    def __init__(self, link: SessionLink) -> None:
        self._link = link
        self._budget = RetryBudget()
        self._loop = asyncio.get_running_loop()

    def send(self, outgoing: Outgoing, *, elsewhere: bool = False) -> Answering:
        """Send a call and return its answer's future, whose exceptions are Refused. Whoever cancels it gives the call up."""
        return self._loop.create_task(self._call(outgoing, elsewhere=elsewhere))

    def read(self, answering: Answering) -> session_pb2.CarryOutResponse:
        """Return what came of a call that was sent. Raises Refused: what may be tried again, and what `send` could not do."""
        response = answering.result()
        if framing.is_refusal(response.answer):
            refusal = play_pb2.Answer.FromString(response.answer).refusal
            if refusal.reason == errors_pb2.REASON_UNAVAILABLE:
                raise Refused.of(refusal)
        self._budget.succeeded()
        return response

    async def ask(self, outgoing: Outgoing, failed: Refused | None = None) -> session_pb2.CarryOutResponse:
        """Return what comes of a call, as often as it is to be tried; `failed` is what the first try came to, if there was one.

        Raises Refused. An answer may be a refusal, too.
        """
        pause, tries_left, others_left = FIRST_PAUSE_S, TRIES - 1, MAX_ELSEWHERE
        while True:
            is_elsewhere = others_left < MAX_ELSEWHERE
            if failed is None:
                answering = self.send(outgoing, elsewhere=is_elsewhere)
                try:
                    await answering
                    return self.read(answering)
                except Refused as error:
                    failed = error.alone()
            refused, failed = failed, None
            pause_s = pause * random.uniform(0.5, 1)  # noqa: S311 - spreads retries, guards nothing
            is_in_time = self._loop.time() + pause_s < outgoing.until
            if is_newer(refused.refusal):
                # Nothing was done, and nobody has failed: the budget of retries has nothing to do with it, and its end must
                # not keep the process that does understand from being found.
                if not others_left or not is_in_time:
                    raise refused
                others_left -= 1
                if is_elsewhere:
                    await asyncio.sleep(pause_s)
                continue
            is_passing = refused.reason == errors_pb2.REASON_UNAVAILABLE
            if not (is_passing and self._budget.failed() and outgoing.may_repeat and tries_left and is_in_time):
                raise refused
            await asyncio.sleep(pause_s)
            pause, tries_left = pause * 2, tries_left - 1

    async def _call(self, outgoing: Outgoing, *, elsewhere: bool) -> session_pb2.CarryOutResponse:
        call = session_pb2.SessionCall(carry_out=outgoing.request)
        answer = await self._link.call(call, max(0.0, outgoing.until - self._loop.time()), elsewhere=elsewhere)
        return answer.carry_out


def session_link(
    method: "grpc.aio.StreamStreamMultiCallable[session_pb2.LinkSessionRequest, session_pb2.LinkSessionResponse]",
    other: Callable[..., Any] | None = None,
) -> SessionLink:
    """Return the link to the session service over its LinkSession method; `other` reaches other processes of it."""
    return LinkClient(
        "session service",
        method,
        lambda calls: session_pb2.LinkSessionRequest(calls=calls),
        lambda response: response.answers,
        other,
        _is_passed_on,
    )


def _is_passed_on(answer: session_pb2.SessionAnswer) -> bool:
    data = answer.carry_out.answer
    return framing.is_refusal(data) and is_newer(play_pb2.Answer.FromString(data).refusal)
