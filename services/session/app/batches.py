"""What workers ask and answer, many at a time: each item is answered on its own, and a bad one does no harm to the others."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, session_pb2
from services.runtime import limits
from services.runtime.interceptor import internal
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.session.computers.moving import Computers

log = logger(__name__)

ANSWER_BYTES = 4 * 1024 * 1024
"""Bytes of positions in an answer; workers take about 8 MiB."""
_RETRY_MS = 200

_Item = TypeVar("_Item", bound=Message)
_Answer = TypeVar("_Answer", bound=Message)


async def find_positions(request: session_pb2.FindPositionsRequest, computers: Computers) -> session_pb2.FindPositionsResponse:
    """Return the positions that seats' moves are wanted for. Their number is bounded by the contract."""
    found = await asyncio.gather(*(_told(computers.find, seat) for seat in request.seats))
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


async def submit_actions(request: session_pb2.SubmitActionsRequest, computers: Computers) -> session_pb2.SubmitActionsResponse:
    """Take computer players' actions. Their number is bounded by the contract."""
    submitted = await asyncio.gather(*(_told(computers.submit, action) for action in request.actions))
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
