"""What workers ask and answer, many at a time: each item is answered on its own, and a bad one does no harm to the others."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, session_pb2
from services.runtime import limits
from services.runtime.interceptor import internal
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.session.app.passing import Batch, Named, Peers
from services.session.computers.moving import Computers

log = logger(__name__)

ANSWER_BYTES = 4 * 1024 * 1024
"""Bytes of positions in an answer; workers take about 8 MiB."""
_RETRY_MS = 200

_Item = TypeVar("_Item", bound=Message)
_Named = TypeVar("_Named", bound=Named)
_Answer = TypeVar("_Answer", bound=Message)


class Batches:
    """Answers workers. The number of items is bounded by the contract."""

    def __init__(self, computers: Computers, peers: Peers, serves: Callable[[int], bool], owns: Callable[[int], bool]) -> None:
        """`serves` tells whether a shard is this process's, `owns` whether that is sure; all else is passed on to its peers."""

        async def find(seat: session_pb2.SeatToMove) -> session_pb2.WantedPosition | errors_pb2.Refusal:
            return await _told(computers.find, seat)

        async def submit(action: session_pb2.SubmitActionRequest) -> session_pb2.SubmitActionResponse | errors_pb2.Refusal:
            return await _told(computers.submit, action)

        self._finding = Batch(find, peers.find, serves, owns)
        self._submitting = Batch(submit, peers.submit, serves, owns)

    async def find_positions(
        self, request: session_pb2.FindPositionsRequest, passed_on_s: float | None = None
    ) -> session_pb2.FindPositionsResponse:
        """Return the positions that seats' moves are wanted for.

        What is another process's is passed on where the caller says how long he waits, else refused: raises Refused (moved).
        """
        found = await self._answers(self._finding, request.seats, passed_on_s)
        response, size = session_pb2.FindPositionsResponse(), 0
        for one in found:
            if isinstance(one, errors_pb2.Refusal):
                response.positions.append(session_pb2.FoundPosition(refusal=one))
                continue
            size += one.ByteSize()
            fits = size <= ANSWER_BYTES
            response.positions.append(
                session_pb2.FoundPosition(wanted=one) if fits else session_pb2.FoundPosition(refusal=_too_much().refusal)
            )
        return response

    async def submit_actions(
        self, request: session_pb2.SubmitActionsRequest, passed_on_s: float | None = None
    ) -> session_pb2.SubmitActionsResponse:
        """Take computer players' actions. What is another process's is passed on, or not, as above."""
        submitted = await self._answers(self._submitting, request.actions, passed_on_s)
        response, size = session_pb2.SubmitActionsResponse(), 0
        for one in submitted:
            if isinstance(one, errors_pb2.Refusal):
                response.actions.append(session_pb2.SubmittedAction(refusal=one))
                continue
            size += one.next.ByteSize()
            if size > ANSWER_BYTES:
                one.ClearField("next")  # the sweeper asks for that move
            response.actions.append(session_pb2.SubmittedAction(response=one))
        return response

    async def _answers(
        self, batch: Batch[_Named, _Answer], items: Sequence[_Named], passed_on_s: float | None
    ) -> list[_Answer | errors_pb2.Refusal]:
        if passed_on_s is not None:
            return await batch.answer(items, passed_on_s)
        batch.check(items)
        return await batch.answer_here(items)


async def _told(answer: Callable[[_Item], Awaitable[_Answer]], item: _Item) -> _Answer | errors_pb2.Refusal:
    """Return the answer to an item, or why there is none."""
    try:
        limits.check(item)
        return await answer(item)
    except Refused as refused:
        return refused.refusal
    except Exception as error:
        log.error("an item of a batch failed", exc_info=error)
        return internal().refusal


def _too_much() -> Refused:
    return Refused(errors_pb2.REASON_FULL, "the answer has no room for this position; ask again", retry_after_ms=_RETRY_MS)
