"""Carries out clients' calls: finds the owner, the handler and the identity of each, and counts refusals."""

from collections.abc import Callable, Iterable
from typing import Any

from google.protobuf.message import DecodeError

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime import metrics, wire
from services.runtime.refusal import Refused, malformed, moved_shard
from services.session.app.calls.creation import Creation
from services.session.app.calls.rows import Rows
from services.session.app.calls.saves import Saves
from services.session.app.calls.talk_calls import TalkCalls
from services.session.live.session_cache import SessionCache
from services.session.live.write_builder import Request, identified

_UNIDENTIFIED = Request(b"", b"")
_CREATING = ("fork_session", "rematch")
"""Calls that name a session, but are for the owner of the new one."""
_CHECK_RECORD = play_pb2.Call.DESCRIPTOR.fields_by_name["check_record"].number
_RECORD = play_pb2.CheckRecordRequest.DESCRIPTOR.fields_by_name["record"].number


class Calls:
    """Carries out calls."""

    def __init__(
        self,
        rows: Iterable[Rows],
        creation: Creation,
        saves: Saves,
        talk: TalkCalls,
        session_cache: SessionCache,
        check_owner: Callable[[str], None],
    ) -> None:
        """`check_owner` raises Refused (moved) if a session is in another process's shard."""
        self._handlers = {name: handler for some in rows for name, handler in some.items()}
        self._creation = creation
        self._saves = saves
        self._talk = talk
        self._session_cache = session_cache
        self._check_owner = check_owner

    async def carry_out(self, asked: session_pb2.CarryOutRequest) -> play_pb2.Answer:
        """Return the answer to a call. Raises Refused, which is counted; MALFORMED if it is none."""
        request: Any = None
        try:
            if asked.packed_call and (record := _record_to_check(asked.packed_call)) is not None:
                return await self._saves.check(record)
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
            return await handler(request, asked.caller, once)
        except Refused as refused:
            self._count_refused(request, refused)
            raise

    async def arrange(self, asked: session_pb2.ArrangeSessionRequest) -> session_pb2.ArrangeSessionResponse:
        """Create a session for players who have found each other, or check that one is possible. Raises Refused."""
        if asked.only_checks:
            self._talk.check_words(asked.create.title, "name")
        return await self._creation.arrange(asked)

    async def close_waiting(self, asked: session_pb2.CloseWaitingRequest) -> session_pb2.CloseWaitingResponse:
        """Close an arranged session whose game has not begun. Raises Refused."""
        return await self._creation.close_waiting(asked.arrangement_id)

    def _count_refused(self, request: Any, refused: Refused) -> None:
        if moved_shard(refused.refusal) is not None:
            return  # its owner is asked
        game = self._session_cache.game(getattr(request, "session_id", ""))
        metrics.REFUSALS.labels(game, errors_pb2.Reason.Name(refused.reason).removeprefix("REASON_")).inc()


def _parsed(data: bytes) -> play_pb2.Call:
    try:
        return play_pb2.Call.FromString(data)
    except DecodeError:
        raise malformed("call", "call is not a Call") from None


def _record_to_check(packed_call: bytes) -> bytes | None:
    """Return the encoded record if the call is to check it: what only passes through is not parsed here."""
    request = wire.split(packed_call).get(_CHECK_RECORD)
    return None if request is None else bytes(wire.split(bytes(request)).get(_RECORD, b""))
