"""Answers calls: one implementation behind all doors.

What comes in is counted, measured against the contract's bounds and passed on to the session service with what is left of
the deadline. Only CreatePlayer and RenamePlayer are answered here, since players are nothing but their tokens.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from typing import Any

import grpc
from prometheus_client import Counter, Histogram

from brettwerk.v1 import errors_pb2, play_pb2, session_pb2
from gateway.contract import Method, method_numbered, method_of
from gateway.players import Players, bearer
from gateway.rates import Rates
from gateway.requests import Incoming, Reader
from gateway.turns import Turns
from gateway.visitor import Visitor
from services.runtime import limits, metrics, spans, spent, wire
from services.runtime.interceptor import internal
from services.runtime.link import LinkClient
from services.runtime.logs import logger
from services.runtime.refusal import Refused, is_newer, malformed
from services.runtime.spent import Spent

log = logger(__name__)

SessionLink = LinkClient[
    session_pb2.SessionCall, session_pb2.SessionAnswer, session_pb2.LinkSessionRequest, session_pb2.LinkSessionResponse
]

TRIES = 5
"""How often a call is passed on while the session service cannot be reached."""
FIRST_PAUSE_S = 0.05
"""The pause before the second try; each further one is twice as long, and half of it is chance."""
MAX_ELSEWHERE = 16
"""How many other session processes are asked, when a call is about what only a newer release understands."""
S_PER_BYTE = 2e-8
"""What an answer is taken to cost on its way from the session service to the client, in CPU seconds."""
PATIENCE = 6
"""How many times longer than others a costly call may take."""


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


class Desk:
    """Where all calls arrive."""

    def __init__(self, link: SessionLink, players: Players, rates: Rates, reader: Reader, timeout_s: float) -> None:
        """Take the link to the session service and the longest time that a call may take."""
        self.reader = reader
        self.players = players
        self.rates = rates
        self._turns = Turns()
        self._link = link
        self._timeout_s = timeout_s
        self._budget = RetryBudget()

    def visitor(self, address: str, authorization: str) -> Visitor:
        """Return who calls from an address with an Authorization header, or with none.

        Raises Refused: NO_TOKEN for a token that is not good, TOO_MANY_REQUESTS when there were too many of those.
        """
        if not authorization:
            return Visitor(address)
        try:
            return Visitor(address, self.players.recognise(bearer(authorization)))
        except Refused:
            self.rates.check(Visitor(address))
            raise

    async def answer(self, call: play_pb2.Call, visitor: Visitor, size: int) -> play_pb2.Answer:
        """Return the answer to a call of `size` bytes in a trace of its own; a refusal is an answer too."""

        async def read() -> Incoming:
            method = method_of(call)
            self.admit(method, visitor, size)
            return Incoming(method, call)

        return await self._answer(str(call.WhichOneof("request")), read, visitor)

    async def answer_large(self, packed_call: bytes, visitor: Visitor) -> play_pb2.Answer:
        """Return the answer to an encoded call that is too large to be parsed here, as `answer` does."""

        async def read() -> Incoming:
            requests = wire.split(packed_call)
            if len(requests) != 1:
                raise malformed("", "a call holds one request")
            number, data = next(iter(requests.items()))
            method = method_numbered(number)
            self.admit(method, visitor, len(packed_call))
            return await self.reader.read(method, bytes(data), visitor)

        return await self._answer("large call", read, visitor)

    async def _answer(self, what: str, read: Callable[[], Awaitable[Incoming]], visitor: Visitor) -> play_pb2.Answer:
        span = spans.begin(what)
        name = "unknown"
        began = time.perf_counter()
        try:
            with self.charged(visitor):
                incoming = await read()
                name = incoming.method.name
                answer = await self.carry_out(incoming, visitor)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            refused = explained(error, name)
            answer = play_pb2.Answer(refusal=refused.refusal)
            count(name, refused.code.name, began)
        else:
            count(name, "OK", began)
        span.end()
        return answer

    @contextlib.contextmanager
    def charged(self, visitor: Visitor) -> Iterator[None]:
        """Charge the visitor, in the end, for what the call in the block took."""
        measured = Spent()
        with measured.here():
            try:
                yield
            finally:
                self.rates.charge(visitor, measured.seconds)

    def admit(self, method: Method, visitor: Visitor, size: int) -> None:
        """Return when a request of `size` bytes may come in.

        Raises Refused: MALFORMED when it is too large, TOO_MANY_REQUESTS when there were too many.
        """
        self.rates.check(visitor, size, is_costly=method.is_costly)
        if size > method.most_bytes:
            raise malformed("", f"the request has {size} bytes, {method.name} takes at most {method.most_bytes}")

    async def carry_out(self, incoming: Incoming, visitor: Visitor, timeout: float | None = None) -> play_pb2.Answer:
        """Return the answer to a call that was admitted, within `timeout` seconds or the usual time, whichever is shorter.

        Raises Refused, also for what the session service refuses.
        """
        method, request = incoming.method, incoming.request
        if not incoming.is_checked:
            limits.check_request(request)
        if isinstance(request, play_pb2.CreatePlayerRequest):
            return play_pb2.Answer(create_player=self.players.create(request, visitor.address))
        if isinstance(request, play_pb2.RenamePlayerRequest):
            return play_pb2.Answer(rename_player=self.players.rename(request, visitor.player))
        async with self._turns.one(visitor.address) if method.is_in_turn else contextlib.nullcontext():
            return await self._ask(incoming, visitor, timeout)

    async def _ask(self, incoming: Incoming, visitor: Visitor, timeout: float | None) -> play_pb2.Answer:
        method, request = incoming.method, incoming.request
        usual = self._timeout_s * (PATIENCE if method.is_costly else 1)
        until = asyncio.get_running_loop().time() + (usual if timeout is None else min(timeout, usual))
        may_repeat = bool(incoming.packed) or method.may_repeat(request)
        answer = await self._pass_on(incoming, visitor, until, may_repeat=may_repeat)
        spent.add(answer.ByteSize() * S_PER_BYTE)
        if method.has_request_id:
            log.info("carried out", method=method.name, refused=answer.WhichOneof("response") == "refusal")
        if answer.WhichOneof("response") == "refusal":
            raise Refused.of(answer.refusal)
        return answer

    async def _pass_on(self, incoming: Incoming, visitor: Visitor, until: float, *, may_repeat: bool) -> play_pb2.Answer:
        now = asyncio.get_running_loop().time
        outgoing = session_pb2.SessionCall()
        if incoming.packed:
            outgoing.carry_out.packed_call = incoming.packed
        else:
            outgoing.carry_out.call.CopyFrom(incoming.call)
        outgoing.carry_out.caller.CopyFrom(visitor.caller)
        pause, tries_left, others_left = FIRST_PAUSE_S, TRIES - 1, MAX_ELSEWHERE
        while True:
            is_elsewhere = others_left < MAX_ELSEWHERE
            try:
                carried_out = (await self._link.call(outgoing, max(0.0, until - now()), elsewhere=is_elsewhere)).carry_out
                spent.add(carried_out.cpu_us / 1e6)
                answer = carried_out.answer
                if answer.refusal.reason == errors_pb2.REASON_UNAVAILABLE:
                    raise Refused.of(answer.refusal)
            except Refused as refused:
                pause_s = pause * random.uniform(0.5, 1)  # noqa: S311 - spreads retries, guards nothing
                if is_newer(refused.refusal):
                    # Nothing was done, and nobody has failed: the budget of retries has nothing to do with it, and its end must
                    # not keep the process that does understand from being found.
                    if not others_left or now() + pause_s >= until:
                        raise
                    others_left -= 1
                    if is_elsewhere:
                        await asyncio.sleep(pause_s)
                    continue
                is_passing = refused.reason == errors_pb2.REASON_UNAVAILABLE
                if not (is_passing and self._budget.failed() and may_repeat and tries_left and now() + pause_s < until):
                    raise
            else:
                self._budget.succeeded()
                return answer
            await asyncio.sleep(pause_s)
            pause, tries_left = pause * 2, tries_left - 1


def explained(error: Exception, what: str) -> Refused:
    """Return the refusal that an error is: itself, or a fault of ours, which is logged."""
    if isinstance(error, Refused):
        return error.alone()
    log.error("call failed", method=what, exc_info=error)
    return internal()


def count(method: str, code: str, began: float) -> None:
    """Count a call that began at `began` (time.perf_counter). The gRPC door's interceptor counts its own."""
    calls, durations = _series(method, code)
    calls.inc()
    durations.observe(time.perf_counter() - began)


@cache
def _series(method: str, code: str) -> tuple[Counter, Histogram]:
    return metrics.CALLS.labels("gateway", method, code), metrics.CALL_DURATION.labels("gateway", method)


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
        lambda answer: is_newer(answer.carry_out.answer.refusal),
    )
