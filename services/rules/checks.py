"""Checks of whole records, long variations and texts, outside the event loop.

They replay thousands of steps, which takes milliseconds to many seconds: in the event loop that would keep every other call
waiting, and a thread would compete with it. So they run in separate processes, few at once, few waiting, each bounded in CPU time
and memory, as bytes from end to end: nothing here parses a record.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2
from services.rules import heavy
from services.runtime.call_scope import Measured, Spent
from services.runtime.pool import Pool, Processes
from services.runtime.refusal import Refused, is_newer

LIMIT_S = 30.0
"""The maximum CPU time of one check."""
WAITING = 32
"""How many checks may wait; more are refused."""
WAITING_EACH = 8
"""How many checks of one caller of the session service may wait."""
_STATISTICS = "statistics"
"""The caller of surveys: nobody waits for them."""


_Measured = TypeVar(
    "_Measured",
    rules_pb2.VerifyRecordResponse,
    rules_pb2.PlayVariationResponse,
    rules_pb2.FormatTextResponse,
    rules_pb2.ParseTextResponse,
)
_Response: TypeAlias = (
    rules_pb2.VerifyRecordResponse
    | rules_pb2.PlayVariationResponse
    | rules_pb2.SurveyRecordResponse
    | rules_pb2.FormatTextResponse
    | rules_pb2.ParseTextResponse
)


def open_pool(processes: int = 1, waiting: int = WAITING, limit_s: float = LIMIT_S, target: str = heavy.TARGET) -> Pool:
    """Return the pool that the checks run in."""
    return Pool("rules", target, processes=Processes(processes), waiting=waiting, waiting_each=WAITING_EACH, cpu_s=limit_s)


class Checks:
    """Runs checks."""

    def __init__(self, open_one: Callable[[], Pool] = open_pool) -> None:
        """Take what opens the pool."""
        self._pool = open_one()

    @property
    def pids(self) -> frozenset[int]:
        """The processes that check."""
        return self._pool.pids

    async def run(self, request: rules_pb2.VerifyRecordRequest) -> rules_pb2.VerifyRecordResponse:
        """Return the findings of a record's check, or why there are none.

        FULL if too many are waiting, DEADLINE if it takes too long. It ends soon after its caller has gone.

        Raises Refused (NEWER) for a record of a newer release: another process may be of that one.
        """
        packed = request.packed_record or request.record.SerializeToString()
        response = rules_pb2.VerifyRecordResponse()
        await self._measured(response, response.verification, heavy.VERIFY + packed, request.asked_by)
        if is_newer(response.verification.fault):
            refused = Refused.of(response.verification.fault)
            refused.spent_s = response.cpu_us / 1e6
            raise refused
        return response

    async def play(self, request: rules_pb2.PlayVariationRequest) -> rules_pb2.PlayVariationResponse:
        """Return where a variation leads, or why it leads nowhere: what the rules refuse, FULL, DEADLINE.

        Raises Refused (UNAVAILABLE, newer) for one that another process may know.
        """
        response = rules_pb2.PlayVariationResponse()
        return await self._measured(response, response, heavy.PLAY + request.SerializeToString(), request.asked_by)

    async def survey(self, request: rules_pb2.SurveyRecordRequest) -> rules_pb2.SurveyRecordResponse:
        """Return what a game notes about a record, or why it cannot: what the rules refuse, FULL, DEADLINE."""
        response = rules_pb2.SurveyRecordResponse()
        await self._worked(response, response, heavy.SURVEY + request.packed_record, _STATISTICS)
        return response

    async def write(self, request: rules_pb2.FormatTextRequest) -> rules_pb2.FormatTextResponse:
        """Return the text of a variation, or why there is none: what the rules refuse, FULL, DEADLINE."""
        response = rules_pb2.FormatTextResponse()
        return await self._measured(response, response, heavy.WRITE + request.SerializeToString(), request.asked_by)

    async def read(self, request: rules_pb2.ParseTextRequest) -> rules_pb2.ParseTextResponse:
        """Return the content of a text, or what is wrong with it, FULL, DEADLINE."""
        response = rules_pb2.ParseTextResponse()
        return await self._measured(response, response, heavy.READ + request.SerializeToString(), request.asked_by)

    async def _measured(self, response: _Measured, result: Message, work: bytes, caller: str) -> _Measured:
        """Return the response with what the work found as its `result`, or its refusal, and the CPU time that it took."""
        cost = Spent()
        try:
            await Measured(self._worked(response, result, work, caller), cost)
        except Refused as refused:
            refused.spent_s = cost.seconds
            raise
        response.cpu_us = int(cost.seconds * 1e6)
        return response

    async def _worked(self, response: _Response, result: Message, work: bytes, caller: str) -> None:
        """Let the pool do the work, and put what it found into `result`, or its refusal into the response."""
        try:
            result.MergeFromString(await self._pool.run(work, caller))
        except Refused as refused:
            if is_newer(refused.refusal):
                raise
            response.refusal.CopyFrom(refused.refusal)

    async def close(self) -> None:
        """End the processes; running checks are refused."""
        await self._pool.close()
