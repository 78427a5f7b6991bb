"""Calls the AI service for the session service."""

from collections.abc import Awaitable
from typing import TypeVar

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from brettwerk.v1 import record_pb2
from services.runtime import trace
from services.runtime.channel import open_channel
from services.runtime.refusal import of_rpc_error

REVIEW_TIMEOUT_S = 20.0
"""How long a hint may take."""

_Response = TypeVar("_Response")


class AiClient:
    """Asks computer players. All methods raise Refused: what the AI service refuses, UNAVAILABLE, DEADLINE."""

    def __init__(self, address: str, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._channel = open_channel(address, "session")
        self._stub = ai_pb2_grpc.AiServiceStub(self._channel)

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()

    async def want_moves(self, request: ai_pb2.WantMovesRequest) -> ai_pb2.WantMovesResponse:
        """Note which moves are wanted, and which no longer are; workers answer with SubmitActions."""
        return await _or_refused(self._stub.WantMoves(request, timeout=self._timeout_s, metadata=trace.metadata()))

    async def get_want_statuses(self, request: ai_pb2.GetWantStatusesRequest) -> ai_pb2.GetWantStatusesResponse:
        """Return the status of wanted moves."""
        return await _or_refused(self._stub.GetWantStatuses(request, timeout=self._timeout_s, metadata=trace.metadata()))

    async def review(self, game: str, view: AnyMessage, level: str, seed: int) -> ai_pb2.ReviewResponse:
        """Return what a computer player thinks of the actions of a view's seat."""
        request = ai_pb2.ReviewRequest(game=game, view=view, computer=record_pb2.Computer(level=level), search_seed=seed)
        return await _or_refused(self._stub.Review(request, timeout=REVIEW_TIMEOUT_S, metadata=trace.metadata()))

    async def begin_run(self, request: ai_pb2.BeginRunRequest) -> ai_pb2.BeginRunResponse:
        """Note a run of games among computers."""
        return await _or_refused(self._stub.BeginRun(request, timeout=self._timeout_s, metadata=trace.metadata()))

    async def find_runs(self, request: ai_pb2.FindRunsRequest) -> ai_pb2.FindRunsResponse:
        """Return a run, or a player's."""
        return await _or_refused(self._stub.FindRuns(request, timeout=self._timeout_s, metadata=trace.metadata()))

    async def end_run(self, request: ai_pb2.EndRunRequest) -> ai_pb2.EndRunResponse:
        """End a run."""
        return await _or_refused(self._stub.EndRun(request, timeout=self._timeout_s, metadata=trace.metadata()))


async def _or_refused(call: Awaitable[_Response]) -> _Response:
    try:
        return await call
    except grpc.RpcError as error:
        raise of_rpc_error(error, "AI service") from error
