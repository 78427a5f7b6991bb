"""Calls the AI service, and knows of its workers whether there are any, or since when not, and whether they have room."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime import trace
from services.runtime.channel import open_channel
from services.runtime.refusal import Refused, of_rpc_error

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
        """Note which moves are wanted, and which no longer are; returns how all stands. Workers answer with SubmitActions."""
        return await _or_refused(self._stub.WantMoves(request, timeout=self._timeout_s, metadata=trace.metadata()))

    async def get_want_statuses(self, request: ai_pb2.GetWantStatusesRequest) -> ai_pb2.GetWantStatusesResponse:
        """Return the status of wanted moves."""
        return await _or_refused(self._stub.GetWantStatuses(request, timeout=self._timeout_s, metadata=trace.metadata()))

    async def review(self, game: str, view: AnyMessage, level: str, seed: int) -> ai_pb2.ReviewResponse:
        """Return what a computer player thinks of the actions of a view's seat."""
        request = ai_pb2.ReviewRequest(game=game, view=view, computer=record_pb2.Computer(level=level), search_seed=seed)
        return await _or_refused(self._stub.Review(request, timeout=REVIEW_TIMEOUT_S, metadata=trace.metadata()))

    async def begin_run(self, request: ai_pb2.BeginRunRequest) -> ai_pb2.BeginRunResponse:
        """Note a run of games among computers, and return it."""
        return await _or_refused(self._stub.BeginRun(request, timeout=self._timeout_s, metadata=trace.metadata()))

    async def find_runs(self, request: ai_pb2.FindRunsRequest) -> ai_pb2.FindRunsResponse:
        """Return a run, or a player's."""
        return await _or_refused(self._stub.FindRuns(request, timeout=self._timeout_s, metadata=trace.metadata()))

    async def end_run(self, request: ai_pb2.EndRunRequest) -> ai_pb2.EndRunResponse:
        """End a run, and return it."""
        return await _or_refused(self._stub.EndRun(request, timeout=self._timeout_s, metadata=trace.metadata()))


async def _or_refused(call: Awaitable[_Response]) -> _Response:
    try:
        return await call
    except grpc.RpcError as error:
        raise of_rpc_error(error, "AI service") from error


FRESH_MS = 30_000
"""How long it is believed that there is no room. While there is none the AI service is asked every second (waits.py)."""
STALE_MS = 75_000
"""How long it is believed that there is no worker: a little longer than the longest pause between two questions about a move."""
NO_ROOM_MS = 30_000
"""When to come again with a new table at which computers play."""


class Workforce:
    """The workers, as the AI service has described them last."""

    def __init__(self, now_ms: Callable[[], int], silence_ms: int) -> None:
        """`silence_ms`: how long no worker must live, and a move be wanted that somebody waits for, before the session moves."""
        self.silence_ms = silence_ms
        self._now_ms = now_ms
        self._epoch = ""
        self._is_full = False
        self._heard_ms = 0
        self._away_since_ms: int | None = None
        self._missed_ms = 0

    def hear(self, demand: ai_pb2.Demand) -> bool:
        """Take in what the AI service has said. Returns whether all that was noted there before is lost."""
        self._heard_ms, self._is_full = self._now_ms(), demand.full
        if demand.workers:
            self._away_since_ms = None
        else:
            self._miss()
        is_another = bool(self._epoch) and demand.epoch != self._epoch
        self._epoch = demand.epoch
        return is_another

    def unreachable(self) -> None:
        """Take in that the AI service has not answered."""
        self._miss()

    def _miss(self) -> None:
        now = self._now_ms()
        # Workers that rest are missed at every first move; that those are away who do not is heard again and again.
        if self._away_since_ms is None or now - self._missed_ms > STALE_MS:
            self._away_since_ms = now
        self._missed_ms = now

    @property
    def away_ms(self) -> int:
        """For how long nobody has been able to think, as far as known here, in milliseconds; 0 while somebody can."""
        if self._away_since_ms is None or self._now_ms() - self._missed_ms > STALE_MS:
            return 0
        return max(1, self._now_ms() - self._away_since_ms)

    @property
    def is_full(self) -> bool:
        """Whether there is no room for more tables with computers."""
        return self._is_full and self._now_ms() - self._heard_ms < FRESH_MS

    def check_room(self) -> None:
        """Return if one more table may have computers. Raises Refused (FULL)."""
        if self.is_full:
            sentence = "more moves of computers are wanted than can be thought about; there is room for tables of persons"
            raise Refused(errors_pb2.REASON_FULL, sentence, details={"bound": "computers"}, retry_after_ms=NO_ROOM_MS)
