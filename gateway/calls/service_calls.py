"""Passes calls on to the two services behind the gateway, and again if that is safe.

This is the one place that knows where calls go: to the owner of the session's shard, or to the players service. While that is
down, its calls are refused, and nothing else is affected.
"""

import asyncio
import random
from dataclasses import dataclass
from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc, session_pb2
from brettwerk.v1 import errors_pb2, moderation_pb2, play_pb2
from gateway.calls.requests import Incoming
from gateway.identity.caller import Caller
from gateway.identity.players import Players
from services.runtime import trace
from services.runtime.inner_calls import on_the_wire
from services.runtime.link import LinkChannel, Metadata
from services.runtime.refusal import UNREACHED, Refused, of_rpc_error, unavailable
from services.runtime.tasks import ends_within

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
