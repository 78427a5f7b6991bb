"""Which call is answered by what: each part of the service brings its rows."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.archive.archive import Archive
from services.runtime.refusal import Refused
from services.session.domain.commands.decision import Command
from services.session.domain.ids import checked
from services.session.live.write_builder import Request
from services.session.live.writer import Writer

Handler: TypeAlias = Callable[[Any, session_pb2.Caller, Request], Awaitable[play_pb2.Answer]]
"""Answers a request of a caller, once if it can be repeated. Raises Refused."""
Rows: TypeAlias = Mapping[str, Handler]
"""Handlers by the names of the requests in `Call`."""


def of_request(answer: Callable[[Any], Awaitable[play_pb2.Answer]]) -> Handler:
    """Return the handler of a call that is answered to everybody alike."""
    return lambda request, _caller, _once: answer(request)


def of_caller(answer: Callable[[Any, session_pb2.Caller], Awaitable[play_pb2.Answer]]) -> Handler:
    """Return the handler of a call whose answer depends on the caller, and that changes nothing or may be repeated."""
    return lambda request, caller, _once: answer(request, caller)


def writing(writer: Writer, command: Callable[[Any, session_pb2.Caller], Command]) -> Handler:
    """Return the handler of a call that is just a command to its session."""

    async def answer(request: Any, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        return await write(writer, request.session_id, command(request, caller), once)

    return answer


async def write(writer: Writer, session_id: str, command: Command, once: Request) -> play_pb2.Answer:
    """Carry a command of a client out, and return its answer. Raises Refused."""
    written = await writer.write(checked(session_id), command, once)
    assert isinstance(written.answer, play_pb2.Answer)
    return written.answer


def while_stored(rows: Rows, archive: Archive) -> Rows:
    """Return rows that refuse calls about sessions that only the archive has: GAME_OVER."""
    return {name: _while_stored(handler, archive) for name, handler in rows.items()}


def _while_stored(handler: Handler, archive: Archive) -> Handler:
    async def answer(request: Any, caller: session_pb2.Caller, once: Request) -> play_pb2.Answer:
        try:
            return await handler(request, caller, once)
        except Refused as refused:
            is_unknown = refused.reason == errors_pb2.REASON_UNKNOWN and refused.refusal.details.get("what") == "session"
            if is_unknown and await archive.find(request.session_id) is not None:
                raise Refused(errors_pb2.REASON_GAME_OVER, "the game is over and in the archive") from None
            raise

    return answer
