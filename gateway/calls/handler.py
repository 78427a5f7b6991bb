"""Answers calls: one implementation behind all endpoints.

Requests are counted, checked against the contract's bounds and passed on to the session service as the bytes that arrived, with
what is left of the deadline; its answer goes out as the bytes that come back. Calls about accounts go to the players service.
CreatePlayer and RenamePlayer are answered here, since a guest is nothing but a token, and so is GetOverview.
"""

import asyncio
import contextlib
from collections.abc import Iterator

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import operation_pb2, play_pb2
from brettwerk_games.protobuf_wire.fields import tag, varint
from gateway.calls.overview import Overview
from gateway.calls.requests import Incoming, Reader
from gateway.calls.service_calls import AccountCalls, Outgoing, SessionCalls
from gateway.identity import scopes
from gateway.identity.caller import Caller
from gateway.identity.players import Players, bearer
from gateway.limits.concurrency import AddressQueue
from gateway.limits.rates import Rates
from gateway.messages import framing
from gateway.messages.contract import Method, no_such_method
from services.runtime import call_scope, limits
from services.runtime.call_scope import Spent
from services.runtime.link import metadata_for_shard
from services.runtime.logs import logger
from services.runtime.refusal import Refused, malformed
from services.sharding.shards import shard_if_any

log = logger(__name__)

S_PER_BYTE = 2e-8
"""The assumed cost of an answer on its way from the session service to the client, in CPU seconds."""
COSTLY_TIMEOUT_FACTOR = 6
"""How many times longer than others a costly call may take."""

_CALL = tag(session_pb2.CarryOutRequest, "call")
_PACKED_CALL = tag(session_pb2.CarryOutRequest, "packed_call")


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
        self._sessions = sessions
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

    async def answer(self, method: Method | None, packed_call: bytes, caller: Caller) -> bytes:
        """Return the encoded Answer to an encoded call of a stream, whose first field is this method's; it may be a refusal.

        It is counted and charged for. Raises Refused for what is refused here: NO_SUCH_METHOD without a method.
        """
        if method is None:
            self.rates.check(caller, len(packed_call))
            raise no_such_method("the call")
        self.admit(method, caller, len(packed_call))
        with self.charged(caller):
            return await self._answer(await self.reader.read_call(method, packed_call, caller), caller)

    @contextlib.contextmanager
    def charged(self, caller: Caller) -> Iterator[None]:
        """Return a block for a call, at whose end the caller is charged for what it took."""
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

        Raises Refused, also if a service refuses.
        """
        answer = await self._answer(incoming, caller, timeout)
        if framing.is_refusal(answer):
            raise Refused.of(play_pb2.Answer.FromString(answer).refusal)
        return answer

    async def _answer(self, incoming: Incoming, caller: Caller, timeout: float | None = None) -> bytes:
        """Return the encoded Answer, which is a refusal if the session service refuses. Raises Refused for all others."""
        # A large request was checked in the process that read it (offload.work).
        if incoming.request is not None and not incoming.is_checked:
            limits.check_request(incoming.request)
        method = incoming.method
        if method.is_for_operators:
            await self._check_operator(incoming, caller)
        own = self._own_answer(incoming, caller)
        if own is not None:
            return own
        if method.is_for_players:
            return await self._accounts.ask(incoming, caller, self._time(incoming, timeout))
        async with self._address_queue.one(caller.address) if method.is_in_turn else contextlib.nullcontext():
            # Its time begins when it is its turn: the session service must not be told of time that has been spent here.
            response = await self._sessions.ask(self._outgoing(incoming, caller, timeout))
        call_scope.add_cpu(response.cpu_us / 1e6 + len(response.answer) * S_PER_BYTE)
        if method.has_request_id:
            # A line for each refused write, because only refusals show their trace ids to players.
            (log.info if framing.is_refusal(response.answer) else log.debug)("carried out", method=method.name)
        return response.answer

    async def _check_operator(self, incoming: Incoming, caller: Caller) -> None:
        """Return if the request has the operator's key, or the caller is an operator. Raises Refused.

        A request that was too large to be read here has no key.
        """
        key: str = getattr(incoming.request, "operator_key", "")
        if key or not await self._accounts.is_operator(caller):
            self._overview.check_key(key, caller)

    def _own_answer(self, incoming: Incoming, caller: Caller) -> bytes | None:
        """Return the answer to a call that is not for the session service. Raises Refused."""
        request = incoming.request
        if isinstance(request, play_pb2.CreatePlayerRequest):
            return play_pb2.Answer(create_player=self.players.create(request, caller.address)).SerializeToString()
        if isinstance(request, play_pb2.RenamePlayerRequest):
            return play_pb2.Answer(rename_player=self.players.rename(request, caller.player)).SerializeToString()
        if isinstance(request, operation_pb2.GetOverviewRequest):
            return play_pb2.Answer(get_overview=self._overview.newest()).SerializeToString()
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
        shard = shard_if_any(getattr(incoming.request, "session_id", ""))
        metadata = None if shard is None else metadata_for_shard(shard)
        return Outgoing(request, until, incoming.method.may_repeat(incoming.request), metadata)


def _request(caller: Caller, sign_out: int, field: bytes, call: bytes) -> bytes:
    """Return the encoded CarryOutRequest of a caller, who has last signed out then, with an encoded Call in a field."""
    if not sign_out:
        return b"".join((caller.message_field, field, varint(len(call)), call))
    # Two occurrences of a message field are one message with the fields of both (protobuf.dev, Encoding, "Last One Wins").
    later = session_pb2.CarryOutRequest(caller=session_pb2.Caller(sign_out=sign_out)).SerializeToString()
    return b"".join((caller.message_field, later, field, varint(len(call)), call))
