"""The AI service as the session service asks it."""

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import ai_pb2, ai_pb2_grpc, record_pb2
from services.runtime import trace
from services.runtime.channel import open_channel
from services.runtime.refusal import of_rpc_error

REVIEW_TIMEOUT_S = 20.0
"""How long a hint may take."""


class AiClient:
    """Asks computer players. Both methods raise Refused: what the AI service refuses, UNAVAILABLE, DEADLINE."""

    def __init__(self, address: str, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._channel = open_channel(address, "session")
        self._stub = ai_pb2_grpc.AiServiceStub(self._channel)

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()

    async def request_move(self, request: ai_pb2.RequestMoveRequest) -> None:
        """Queue a computer move; the answer comes as a SubmitAction."""
        try:
            await self._stub.RequestMove(request, timeout=self._timeout_s, metadata=_metadata())
        except grpc.RpcError as error:
            raise of_rpc_error(error, "AI service") from error

    async def review(self, game: str, view: AnyMessage, level: str, seed: int) -> ai_pb2.ReviewResponse:
        """Return what a computer player thinks of the actions of a view's seat."""
        request = ai_pb2.ReviewRequest(game=game, view=view, computer=record_pb2.Computer(level=level), search_seed=seed)
        try:
            return await self._stub.Review(request, timeout=REVIEW_TIMEOUT_S, metadata=_metadata())
        except grpc.RpcError as error:
            raise of_rpc_error(error, "AI service") from error


def _metadata() -> tuple[tuple[str, str], ...]:
    current = trace.traceparent()
    return ((trace.HEADER, current),) if current else ()
