"""Answers calls: one implementation behind all endpoints.

Requests are counted, checked against the contract's bounds and passed on to the session service as the bytes that arrived, with
what is left of the deadline; its answer goes out as the bytes that come back. Calls about accounts go to the players service.
CreatePlayer and RenamePlayer are answered here, since a guest is nothing but a token, and so is GetOverview.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, operation_pb2, play_pb2
from gateway.calls.account_calls import AccountCalls
from gateway.calls.overview import Overview
from gateway.calls.requests import Incoming, Reader
from gateway.calls.session_calls import Outgoing, SessionCalls
from gateway.calls.shards import metadata_of
from gateway.identity import scopes
from gateway.identity.caller import Caller
from gateway.identity.players import Players, bearer
from gateway.limits.address_queue import AddressQueue
from gateway.limits.rates import Rates
from gateway.messages import framing, offload
from gateway.messages.contract import Method, method_first_in, method_numbered
from services.runtime import cpu_cost, limits, trace, wire
from services.runtime.call_scope import Entry, explained
from services.runtime.cpu_cost import Spent
from services.runtime.encoding import tag, varint
from services.runtime.link import Pending
from services.runtime.logs import logger
from services.runtime.refusal import Refused, malformed

log = logger(__name__)

S_PER_BYTE = 2e-8
"""The assumed cost of an answer on its way from the session service to the client, in CPU seconds."""
COSTLY_TIMEOUT_FACTOR = 6
"""How many times longer than others a costly call may take."""

_CALL = tag(session_pb2.CarryOutRequest, "call")
_PACKED_CALL = tag(session_pb2.CarryOutRequest, "packed_call")

Tell = Callable[["Carrying", bytes, Refused | None], None]
"""Takes an encoded Answer to a call and, if it was refused, the refusal."""


class Handler:
    """Where all calls arrive."""

    def __init__(
        self,
        sessions: SessionCalls,
        accounts: AccountCalls,
        players: Players,
        overview: Overview,
        rates: Rates,
        reader: Reader,
        timeout_s: float,
    ) -> None:
        """Take the connections to the session service and the players service, and the maximum time that a call may take."""
        self._accounts = accounts
        self._overview = overview
        self.reader = reader
        self.players = players
        self.rates = rates
        self.sessions = sessions
        self._address_queue = AddressQueue()
        self._timeout_s = timeout_s

    def caller(self, address: str, authorization: str) -> Caller:
        """Return who is calling from an address, with or without an Authorization header.

        Raises Refused: NO_TOKEN for an invalid token, TOO_MANY_REQUESTS if there were too many of those.
        """
        if not authorization:
            return Caller(address)
        try:
            return Caller(address, self.players.recognise(bearer(authorization)))
        except Refused:
            self.rates.check(Caller(address))
            raise

    def answer(self, packed_call: bytes, caller: Caller, tell: Tell) -> "Carrying | None":
        """Answer a small encoded call, in its own trace: `tell` is called once, now or later.

        Returns what waits for the answer, None if it has been sent already.
        """
        carrying = Carrying(self, caller, tell)
        try:
            method = carrying.method = method_first_in(packed_call)
            carrying.entry.name = method.name
            carrying.entry.trace(method.field)
            self.admit(method, caller, len(packed_call))
            request = offload.parsed_call(method, packed_call)
            incoming = Incoming(method, request, packed_call)
            if method.is_in_turn or method.is_for_players:
                carrying.later(self.carry_out(incoming, caller))
                return carrying
            limits.check_request(request)
            own = self._own_answer(incoming, caller)
            if own is None:
                carrying.send(self._outgoing(incoming, caller))
                return carrying
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            if not carrying.method:
                trace.begin()
            carrying.refuse(error)
        else:
            carrying.done(own)
        return None

    def answer_large(self, packed_call: bytes, caller: Caller, tell: Tell) -> "Carrying":
        """Answer an encoded call that is too large to be parsed here, as `answer` does."""
        carrying = Carrying(self, caller, tell)
        carrying.entry.trace("large call")

        async def read_and_carry_out() -> bytes:
            requests = wire.split(packed_call)
            if len(requests) != 1:
                raise malformed("", "a call holds one request")
            number, data = next(iter(requests.items()))
            method = carrying.method = method_numbered(number)
            carrying.entry.name = method.name
            self.admit(method, caller, len(packed_call))
            return await self.carry_out(await self.reader.read(method, bytes(data), caller), caller)

        carrying.later(read_and_carry_out())
        return carrying

    @contextlib.contextmanager
    def charged(self, caller: Caller) -> Iterator[None]:
        """At the end, charge the caller for what the call in the block took."""
        measured = Spent()
        with measured.here():
            try:
                yield
            finally:
                self.rates.charge(caller, measured.seconds)

    def admit(self, method: Method, caller: Caller, size: int) -> None:
        """Return if a request of `size` bytes may come in.

        Raises Refused: MALFORMED if it is too large, TOO_MANY_REQUESTS if there were too many, NO_TOKEN if the caller has signed
        out everywhere since the stream began, NO_SCOPE for an API token that may not do it.
        """
        if caller.player is not None:
            self.players.check_good(caller.player)
        scopes.check(method.name, caller.player)
        self.rates.check(caller, size, is_costly=method.is_costly, is_talk=method.is_talk)
        if size > method.max_bytes:
            raise malformed("", f"the request has {size} bytes, {method.name} takes at most {method.max_bytes}")

    async def carry_out(self, incoming: Incoming, caller: Caller, timeout: float | None = None) -> bytes:
        """Return the encoded Answer to an admitted call, within `timeout` seconds or the default if that is shorter.

        Raises Refused, also if the session service refuses.
        """
        if incoming.request is not None and not incoming.is_checked:
            limits.check_request(incoming.request)
        own = self._own_answer(incoming, caller)
        if own is not None:
            return own
        method = incoming.method
        if method.is_for_players:
            return await self._accounts.ask(incoming, caller, self._time(incoming, timeout))
        async with self._address_queue.one(caller.address) if method.is_in_turn else contextlib.nullcontext():
            response = await self.sessions.ask(self._outgoing(incoming, caller, timeout))
        cpu_cost.add(cost_s(response))
        noted(method, response.answer)
        if framing.is_refusal(response.answer):
            raise Refused.of(play_pb2.Answer.FromString(response.answer).refusal)
        return response.answer

    def _own_answer(self, incoming: Incoming, caller: Caller) -> bytes | None:
        """Return the answer to a call that is not for the session service. Raises Refused."""
        request = incoming.request
        if isinstance(request, play_pb2.CreatePlayerRequest):
            return play_pb2.Answer(create_player=self.players.create(request, caller.address)).SerializeToString()
        if isinstance(request, play_pb2.RenamePlayerRequest):
            return play_pb2.Answer(rename_player=self.players.rename(request, caller.player)).SerializeToString()
        if isinstance(request, operation_pb2.GetOverviewRequest):
            return play_pb2.Answer(get_overview=self._overview.answer(request, caller)).SerializeToString()
        return None

    def _time(self, incoming: Incoming, timeout: float | None) -> float:
        default = self._timeout_s * (COSTLY_TIMEOUT_FACTOR if incoming.method.is_costly else 1)
        return default if timeout is None else min(timeout, default)

    def _outgoing(self, incoming: Incoming, caller: Caller, timeout: float | None = None) -> Outgoing:
        until = asyncio.get_running_loop().time() + self._time(incoming, timeout)
        sign_out = 0 if caller.player is None else self.players.sign_outs.number_of(caller.player.id)
        if incoming.request is None:
            return Outgoing(_request(caller, sign_out, _PACKED_CALL, incoming.call), until, may_repeat=True)
        request = _request(caller, sign_out, _CALL, incoming.call)
        metadata = metadata_of(getattr(incoming.request, "session_id", ""))
        return Outgoing(request, until, incoming.method.may_repeat(incoming.request), metadata)


class Carrying:
    """A call of a stream that is being carried out, or has been. Usually it needs no task: the link's answer ends it."""

    __slots__ = ("_caller", "_handler", "_outgoing", "_tell", "_waits_for", "entry", "method")

    def __init__(self, handler: Handler, caller: Caller, tell: Tell) -> None:
        self._handler = handler
        self._caller = caller
        self._tell: Tell | None = tell
        self._outgoing: Outgoing | None = None
        self._waits_for: asyncio.Future[Any] | None = None
        self.method: Method | None = None
        self.entry = Entry("gateway")

    def send(self, outgoing: Outgoing) -> None:
        """Pass the call on."""
        self._outgoing = outgoing
        self._waits_for = answering = self._handler.sessions.send(outgoing)
        answering.tell(self._sent)

    def later(self, work: Awaitable[bytes]) -> None:
        """Answer by what the work returns."""
        self._waits_for = asyncio.get_running_loop().create_task(self._work(work))

    def cancel(self) -> None:
        """Abandon the call; nothing more is sent."""
        self._tell = None
        if self._waits_for is not None:
            self._waits_for.cancel()

    def give_up(self) -> None:
        """Cancel, because the client is no longer waiting."""
        self.cancel()
        self.entry.end("CANCELLED")

    def done(self, answer: bytes) -> None:
        """Tell the answer."""
        self._end(answer, None)

    def refuse(self, error: BaseException) -> None:
        """Report that the call was refused, or has failed."""
        refused = explained(error, self.entry.name)
        self._end(play_pb2.Answer(refusal=refused.refusal).SerializeToString(), refused)

    def _sent(self, answering: Pending) -> None:
        """End with the result of the first attempt, unless there will be others."""
        if answering.cancelled():
            return
        trace.follow(answering.traceparent)
        assert self._outgoing is not None
        try:
            response = self._handler.sessions.read(answering)
        except Refused as refused:
            if refused.reason == errors_pb2.REASON_UNAVAILABLE:
                self.later(self._ask_again(self._outgoing, refused.alone()))
            else:
                self.refuse(refused)
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            self.refuse(error)
            return
        self._handler.rates.charge(self._caller, cost_s(response))
        assert self.method is not None
        noted(self.method, response.answer)
        self._answered(response.answer)

    async def _ask_again(self, outgoing: Outgoing, failed: Refused) -> bytes:
        response = await self._handler.sessions.ask(outgoing, failed)
        cpu_cost.add(cost_s(response))
        return response.answer

    async def _work(self, work: Awaitable[bytes]) -> None:
        # Exceptions end here: a task that ended with one would keep it alive, with the frames that hold the request.
        try:
            with self._handler.charged(self._caller):
                answer = await work
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            self.refuse(error)
        else:
            self._answered(answer)

    def _answered(self, answer: bytes) -> None:
        is_refused = framing.is_refusal(answer)
        self._end(answer, Refused.of(play_pb2.Answer.FromString(answer).refusal) if is_refused else None)

    def _end(self, answer: bytes, refused: Refused | None) -> None:
        self.entry.end("OK" if refused is None else refused.code.name)
        tell, self._tell, self._waits_for = self._tell, None, None
        if tell is not None:
            tell(self, answer, refused)


def _request(caller: Caller, sign_out: int, field: bytes, call: bytes) -> bytes:
    """Return the encoded CarryOutRequest of a caller, who has last signed out then, with an encoded Call in a field."""
    if not sign_out:
        return b"".join((caller.message_field, field, varint(len(call)), call))
    # Two occurrences of a message field are one message with the fields of both (protobuf.dev, Encoding, "Last One Wins").
    later = session_pb2.CarryOutRequest(caller=session_pb2.Caller(sign_out=sign_out)).SerializeToString()
    return b"".join((caller.message_field, later, field, varint(len(call)), call))


def cost_s(response: session_pb2.CarryOutResponse) -> float:
    """Return what a call has cost and its answer will cost, in CPU seconds."""
    return response.cpu_us / 1e6 + len(response.answer) * S_PER_BYTE


def noted(method: Method, answer: bytes) -> None:
    """Log the outcome of a write: a line for each refused one, because only refusals show their trace ids to players."""
    if method.has_request_id:
        (log.info if framing.is_refusal(answer) else log.debug)("carried out", method=method.name)
