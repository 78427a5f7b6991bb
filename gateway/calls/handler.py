"""Answers calls: one implementation behind all endpoints.

Requests are counted, checked against the contract's bounds and passed on to the session service as the bytes that arrived, with
what is left of the deadline, and again if that is safe; its answer goes out as the bytes that come back. Calls about accounts go
to the players service: while that is down they are refused, and nothing else is affected. CreatePlayer and RenamePlayer are
answered here, since a guest is nothing but a token, and so is GetOverview.
"""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Iterator
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc, session_pb2
from brettwerk.v1 import errors_pb2, moderation_pb2, operation_pb2, play_pb2
from brettwerk_games.protobuf_wire.fields import tag, varint
from gateway.calls.overview import Overview
from gateway.calls.requests import Incoming, Reader
from gateway.identity import scopes
from gateway.identity.caller import Caller
from gateway.identity.players import Players, bearer
from gateway.limits.concurrency import AddressQueue
from gateway.limits.rates import Rates
from gateway.messages import framing
from gateway.messages.contract import Method, no_such_method
from services.runtime import call_scope, limits, trace
from services.runtime.call_scope import Spent
from services.runtime.inner_calls import on_the_wire
from services.runtime.link import LinkChannel, Metadata, metadata_for_shard
from services.runtime.logs import logger
from services.runtime.refusal import UNREACHED, Refused, malformed, of_rpc_error, unavailable
from services.runtime.tasks import ends_within
from services.sharding.shards import shard_if_any

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


class SessionCalls:
    """The session service, as calls see it."""

    def __init__(self, channel: LinkChannel) -> None:
        """Take the channel to the session service."""
        self._carry_out = channel.unary_unary(_CARRY_OUT, response_deserializer=session_pb2.CarryOutResponse.FromString)
        self._budget = RetryBudget()
        self._loop = asyncio.get_running_loop()

    async def ask(
        self, request: bytes, until: float, *, may_repeat: bool, metadata: Metadata | None = None
    ) -> session_pb2.CarryOutResponse:
        """Return the result of an encoded CarryOutRequest. A refusal of the session service is an answer, too.

        Its time is up at `until` (loop.time). `may_repeat`: whether it is safe to send it again. `metadata` name the shard of its
        session. Raises Refused: UNAVAILABLE or DEADLINE. Cancelling it abandons the call.
        """
        pause, attempts_left = FIRST_PAUSE_S, MAX_ATTEMPTS - 1
        while True:
            timeout = max(0.0, until - self._loop.time())
            try:
                response: session_pb2.CarryOutResponse
                response = await self._carry_out(request, timeout=timeout, metadata=metadata)
            except Refused as error:
                refused = error.alone()
            else:
                self._budget.succeeded()
                return response
            if refused.reason not in UNREACHED:
                self._budget.succeeded()
                return session_pb2.CarryOutResponse(answer=play_pb2.Answer(refusal=refused.refusal).SerializeToString())
            pause_s = pause * random.uniform(0.5, 1)  # noqa: S311 - spreads retries, guards nothing
            is_in_time = self._loop.time() + pause_s < until
            is_passing = refused.reason == errors_pb2.REASON_UNAVAILABLE
            # The second attempt takes nothing from the budget: all calls that were open at an owner that died go to the next one,
            # however many they are, and while there is none they wait in the link, where they cause no load.
            is_allowed = attempts_left == MAX_ATTEMPTS - 1 or self._budget.failed()
            if not (is_passing and is_allowed and may_repeat and attempts_left and is_in_time):
                raise refused
            await asyncio.sleep(pause_s)
            pause, attempts_left = pause * 2, attempts_left - 1


PEER = "players service"
CHANGING = frozenset(
    {
        "RevokeApiToken",
        "RenameBot",
        "SuspendBot",
        "DeleteBot",
        "SignOutEverywhere",
        "DeleteAccount",
        "DecideReport",
        "ActOnPlayer",
    }
)
"""Calls that may change API tokens, which is then asked for at once."""
FOUND_S = 1.5
"""How long a call waits for the service to be reachable.

It may just have started, while the channel pauses between two attempts to connect (MAX_RECONNECT_MS, plus up to a fifth at
random).
"""


class AccountCalls:
    """The players service, as calls see it."""

    def __init__(self, channel: grpc.aio.Channel, players: Players) -> None:
        """Take the channel to the players service, and what makes tokens."""
        self._channel = channel
        self._stub: Any = players_pb2_grpc.PlayersServiceStub(channel)
        self._players = players

    async def is_operator(self, caller: Caller) -> bool:
        """Return whether a player with a token of their own is an operator; False while the players service is down."""
        if caller.player is None or caller.player.token_id:
            return False
        request = players_pb2.FindModerationRoleRequest(player_id=caller.player.id)
        try:
            found: players_pb2.FindModerationRoleResponse = await self._stub.FindModerationRole(
                request, timeout=FOUND_S, metadata=trace.metadata()
            )
        except grpc.RpcError:
            return False
        return found.role == moderation_pb2.MODERATION_ROLE_OPERATOR

    async def ask(self, incoming: Incoming, caller: Caller, timeout: float) -> bytes:
        """Return the encoded Answer to a call, with a token in it if one is due. Raises Refused."""
        request = players_pb2.AnswerCallRequest(caller=caller.message, call=incoming.call)
        if caller.player is not None:
            request.generation, request.token_id = caller.player.generation, caller.player.token_id
        is_found = self._channel.get_state() is grpc.ChannelConnectivity.READY
        if not is_found and not await ends_within(min(timeout, FOUND_S), self._channel.channel_ready()):
            raise unavailable(PEER)
        try:
            response: players_pb2.AnswerCallResponse = await self._stub.AnswerCall(
                request, timeout=timeout, metadata=trace.metadata()
            )
        except grpc.RpcError as error:
            raise of_rpc_error(error, PEER) from None
        if incoming.method.name == "DeleteAccount" and caller.player is not None:
            self._players.sign_outs.note(caller.player.id, caller.player.generation + 1)
        if incoming.method.name in CHANGING:
            self._players.revocations.look_now()
            await self._players.sign_outs.look(self._channel)  # so that seats can be taken again right after the answer
        if response.HasField("api_token"):
            answer = play_pb2.Answer.FromString(response.answer)
            answer.create_api_token.api_token = self._players.api_token_of(response.api_token)
            return answer.SerializeToString()
        if not response.HasField("player"):
            return response.answer
        answer = play_pb2.Answer.FromString(response.answer)
        inner = getattr(answer, incoming.method.field)
        proved = response.player
        inner.player_id, inner.name = proved.player_id, proved.name
        inner.player_token = self._players.token_of(proved.player_id, proved.name, proved.generation)
        return answer.SerializeToString()


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
            response = await self._asked(incoming, caller, timeout)
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

    def _asked(self, incoming: Incoming, caller: Caller, timeout: float | None) -> Awaitable[session_pb2.CarryOutResponse]:
        """Return what the session service says to a call, to be awaited."""
        until = asyncio.get_running_loop().time() + self._time(incoming, timeout)
        sign_out = 0 if caller.player is None else self.players.sign_outs.number_of(caller.player.id)
        if incoming.request is None:
            return self._sessions.ask(_request(caller, sign_out, _PACKED_CALL, incoming.call), until, may_repeat=True)
        request = _request(caller, sign_out, _CALL, incoming.call)
        shard = shard_if_any(getattr(incoming.request, "session_id", ""))
        metadata = None if shard is None else metadata_for_shard(shard)
        return self._sessions.ask(request, until, may_repeat=incoming.may_repeat, metadata=metadata)


def _request(caller: Caller, sign_out: int, field: bytes, call: bytes) -> bytes:
    """Return the encoded CarryOutRequest of a caller, who has last signed out then, with an encoded Call in a field."""
    if not sign_out:
        return b"".join((caller.message_field, field, varint(len(call)), call))
    # Two occurrences of a message field are one message with the fields of both (protobuf.dev, Encoding, "Last One Wins").
    later = session_pb2.CarryOutRequest(caller=session_pb2.Caller(sign_out=sign_out)).SerializeToString()
    return b"".join((caller.message_field, later, field, varint(len(call)), call))
