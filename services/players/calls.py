"""The table of what the players service answers: one handler for each of a client's calls that are its own.

A room adds its handlers here, and its messages to the contract; the gateway finds out by itself that they are for this service.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.refusal import Refused


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller."""

    player_id: str
    """Empty when there was no token."""
    name: str
    address: str
    """The network address as rates count it."""
    generation: int = 0
    """Of the token."""
    token_id: str = ""
    """Of an API token; empty for a token of the player's own."""

    def require_player(self) -> None:
        """Return when a player calls. Raises Refused (NO_TOKEN)."""
        if not self.player_id:
            raise Refused(errors_pb2.REASON_NO_TOKEN, "only a player can ask for that")


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of a call."""

    response: Message
    player: players_pb2.ProvedPlayer | None = None
    """The identity of the caller from now on, when a new token is due: the gateway puts it into the response."""
    api_token: players_pb2.ApiTokenClaims | None = None
    """The claims of a new API token: the gateway signs it and puts it into the response."""


Handler = Callable[[Any, Caller], Awaitable[Answered]]


class Calls:
    """Answers calls by the field that they have in a Call."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = handlers

    async def answer(self, request: players_pb2.AnswerCallRequest) -> players_pb2.AnswerCallResponse:
        """Return the answer to a client's call. Raises Refused."""
        call = play_pb2.Call.FromString(request.call)
        field = call.WhichOneof("request")
        handler = self._handlers.get(field or "")
        if field is None or handler is None:
            raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, "the players service does not answer this call")
        named = request.caller
        caller = Caller(named.player_id, named.name, named.address, request.generation, request.token_id)
        answered = await handler(getattr(call, field), caller)
        answer = play_pb2.Answer()
        getattr(answer, field).CopyFrom(answered.response)
        return players_pb2.AnswerCallResponse(
            answer=answer.SerializeToString(), player=answered.player, api_token=answered.api_token
        )
