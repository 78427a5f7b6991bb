"""Which call is answered by what: each part of the service brings its rows."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.archive.archive import Archive
from services.runtime.refusal import Refused
from services.session.live.write_builder import Request

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
