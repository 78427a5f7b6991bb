"""Passes calls on to the players service. While that is down, these calls are refused, and nothing else is affected."""

from typing import Any

import grpc

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import play_pb2
from gateway.calls.requests import Incoming
from gateway.identity.caller import Caller
from gateway.identity.players import Players
from services.runtime import trace
from services.runtime.eager_call import ends_within
from services.runtime.refusal import of_rpc_error, unavailable

PEER = "players service"
CHANGING = frozenset({"RevokeApiToken", "RenameBot", "SuspendBot", "DeleteBot", "SignOutEverywhere", "DeleteAccount"})
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
