"""Calls the AI service, and knows of its workers whether there are any, or since when not, and whether they have room."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime import trace
from services.runtime.channel import open_channel
from services.runtime.refusal import Refused, of_rpc_error

REVIEW_TIMEOUT_S = 20.0

_Response = TypeVar("_Response")


class AiClient:
    """Asks the AI service. All methods raise Refused: what it refuses, UNAVAILABLE, DEADLINE."""

    def __init__(self, address: str, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._channel = open_channel(address, "session")
        self.calls = ai_pb2_grpc.AiServiceStub(self._channel)

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()

    async def ask(self, call: Callable[..., Awaitable[_Response]], request: Message, timeout_s: float | None = None) -> _Response:
        """Return the answer to one of the `calls`, which may take as long as all do, or `timeout_s`. Raises Refused."""
        try:
            return await call(request, timeout=timeout_s or self._timeout_s, metadata=trace.metadata())
        except grpc.RpcError as error:
            raise of_rpc_error(error, "AI service") from error

    async def review(self, game: str, view: AnyMessage, level: str, seed: int) -> ai_pb2.ReviewResponse:
        """Return what a computer player thinks of the actions of a view's seat."""
        request = ai_pb2.ReviewRequest(game=game, view=view, computer=record_pb2.Computer(level=level), search_seed=seed)
        return await self.ask(self.calls.Review, request, REVIEW_TIMEOUT_S)


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
            self.unreachable()
        is_another = bool(self._epoch) and demand.epoch != self._epoch
        self._epoch = demand.epoch
        return is_another

    def unreachable(self) -> None:
        """Take in that the AI service has not answered, or has no workers."""
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
