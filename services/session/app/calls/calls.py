"""Carries out clients' calls: finds the owner, the handler and the identity of each, and counts refusals.

Each part of the service answers the calls whose names its methods have.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from google.protobuf.message import DecodeError, Message

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.archive.archive import Archive
from services.archive.entry import Cursor
from services.runtime import metrics, wire
from services.runtime.refusal import Refused, malformed, moved_shard
from services.session.domain.commands.decision import Command
from services.session.domain.ids import Request, identified
from services.session.live.session_cache import SessionCache
from services.session.live.writer import Writer

_UNIDENTIFIED = Request(b"", b"")
PAGE = 20
MAX_PAGE = 100
_CREATING = ("fork_session", "rematch")
"""Calls that name a session, but are for the owner of the new one."""
_CHECK_RECORD = play_pb2.Call.DESCRIPTOR.fields_by_name["check_record"].number
_RECORD = play_pb2.CheckRecordRequest.DESCRIPTOR.fields_by_name["record"].number

_NAMES = [field.name for field in play_pb2.Call.DESCRIPTOR.oneofs_by_name["request"].fields]

Handler: TypeAlias = Callable[[Any, session_pb2.Caller, Request], Awaitable[Message]]
"""Returns the response to a request of a caller, or all of the answer, once if it can be repeated. Raises Refused."""
Rows: TypeAlias = Mapping[str, Handler]
"""Handlers by the names of the requests in `Call`."""


def page_size(request: Any) -> int:
    """Return how many items a page has."""
    return min(request.page_size or PAGE, MAX_PAGE)


def cursor_in(token: str, of: str) -> Cursor:
    """Return the place that a page token names. Raises Refused (MALFORMED) if it is not a token `of` this."""
    try:
        return Cursor.parse(token)
    except ValueError:
        raise malformed("page_token", f"that is not a token of {of}") from None


def handlers_of(part: object) -> Rows:
    """Return the handlers of a part: its methods that are named like calls.

    Each takes as much as it needs of the request, the caller, and how a request is recognised when it is repeated.
    """
    return {name: _handler(getattr(part, name)) for name in _NAMES if hasattr(part, name)}


def _handler(method: Callable[..., Awaitable[Message]]) -> Handler:
    match len(inspect.signature(method).parameters):
        case 1:
            return lambda request, _caller, _once: method(request)
        case 2:
            return lambda request, caller, _once: method(request, caller)
    return method


def writing(writer: Writer, command: Callable[[Any], Command]) -> Handler:
    """Return the handler of a call that is just a command to its session."""
    return lambda request, _caller, once: writer.answer(request.session_id, command(request), once)


def while_stored(rows: Rows, archive: Archive) -> Rows:
    """Return rows that refuse calls about sessions that only the archive has: GAME_OVER."""

    async def answer(handler: Handler, request: Any, caller: session_pb2.Caller, once: Request) -> Message:
        try:
            return await handler(request, caller, once)
        except Refused as refused:
            if _is_unknown(refused) and await archive.find(request.session_id) is not None:
                raise Refused(errors_pb2.REASON_GAME_OVER, "the game is over and in the archive") from None
            raise

    return {name: partial(answer, handler) for name, handler in rows.items()}


@dataclass(eq=False, repr=False)
class Calls:
    """Carries out calls."""

    _rows: Iterable[Rows]
    _check_record: Callable[[bytes], Awaitable[play_pb2.CheckRecordResponse]]
    """Answers a call that checks an encoded record."""
    _session_cache: SessionCache
    _require_absent: Callable[[str], Awaitable[None]]
    """Raises Refused (UNAVAILABLE) unless it is certain that a session that was not found is not there."""
    _check_owner: Callable[[str], None]
    """Raises Refused (moved) if a session is in another process's shard."""

    def __post_init__(self) -> None:
        self._handlers = {name: handler for some in self._rows for name, handler in some.items()}

    async def carry_out(self, asked: session_pb2.CarryOutRequest) -> play_pb2.Answer:
        """Return the answer to a call. Raises Refused, which is counted; MALFORMED if it is none."""
        request: Any = None
        try:
            # First, since a record may have megabytes, and is for the rules alone.
            if asked.packed_call and (record := _record_to_check(asked.packed_call)) is not None:
                return play_pb2.Answer(check_record=await self._check_record(record))
            data = asked.packed_call or asked.call
            call = _parsed(data)
            name = call.WhichOneof("request") or ""
            handler = self._handlers.get(name)
            if handler is None:
                raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, "the session service has no such method")
            request = getattr(call, name)
            if name not in _CREATING:
                self._check_owner(getattr(request, "session_id", ""))
            once = _UNIDENTIFIED
            if hasattr(request, "request_id"):
                # A repeat has the same bytes: clients repeat what they have sent, and what comes as JSON is always encoded alike.
                once = identified(request, asked.caller, data)
            try:
                answer: Any = await handler(request, asked.caller, once)
                return answer if isinstance(answer, play_pb2.Answer) else play_pb2.Answer(**{name: answer})
            except Refused as refused:
                if _is_unknown(refused):
                    await self._require_absent(refused.refusal.details["value"])
                raise
        except Refused as refused:
            self._count_refused(request, refused)
            raise

    def _count_refused(self, request: Any, refused: Refused) -> None:
        if moved_shard(refused.refusal) is not None:
            return  # its owner is asked
        game = self._session_cache.game(getattr(request, "session_id", ""))
        metrics.REFUSALS.labels(game, errors_pb2.Reason.Name(refused.reason).removeprefix("REASON_")).inc()


def _is_unknown(refused: Refused) -> bool:
    return refused.reason == errors_pb2.REASON_UNKNOWN and refused.refusal.details.get("what") == "session"


def _parsed(data: bytes) -> play_pb2.Call:
    try:
        return play_pb2.Call.FromString(data)
    except DecodeError:
        raise malformed("call", "call is not a Call") from None


def _record_to_check(packed_call: bytes) -> bytes | None:
    """Return the encoded record if the call is to check it: what only passes through is not parsed here."""
    request = wire.split(packed_call).get(_CHECK_RECORD)
    return None if request is None else bytes(wire.split(bytes(request)).get(_RECORD, b""))
