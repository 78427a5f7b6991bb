"""A session service to test the gateway against: real links and tails, sessions that are only lists of updates."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, cast

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from services.runtime.link import LinkServer, Methods
from services.runtime.refusal import Refused, unknown

Handler = Callable[[session_pb2.Caller, Message], Message]


class Carried:
    """A call that came, read."""

    def __init__(self, request: session_pb2.CarryOutRequest) -> None:
        self.caller = session_pb2.Caller()
        self.caller.CopyFrom(request.caller)
        self.packed_call = request.packed_call
        self.call = play_pb2.Call.FromString(request.packed_call or request.call)


@dataclass(eq=False)
class Tailing:
    """One open TailSessions stream."""

    follows: dict[int, str] = field(default_factory=dict)
    send_queue: "asyncio.Queue[session_pb2.TailSessionsResponse | Refused]" = field(default_factory=asyncio.Queue)


class Peer(session_pb2_grpc.SessionServiceServicer):
    """`handlers` answer calls by their field; `calls` are all that came, `given_up` those that were cancelled.

    `publish` makes the next version of a session.
    """

    def __init__(self) -> None:
        self.calls: list[Carried] = []
        self.given_up: list[Carried] = []
        self.handlers: dict[str, Handler] = {}
        self.sessions: dict[str, list[sessions_pb2.Update]] = {}
        self.follows: list[session_pb2.Follow] = []
        self.unfollowed: list[int] = []
        self.tailings: list[Tailing] = []
        self.missing: list[str] = []
        """The parts that it says are missing: store, rules or shards."""
        self.asked_for_missing = 0
        self.is_older = False
        """Whether it is of a release that cannot say that."""
        self.hold = asyncio.Event()
        self.hold.set()
        self._changed = asyncio.Event()
        self._server: LinkServer | None = None
        self.port = 0

    def forget(self) -> None:
        """Be as at the beginning, for the next test."""
        for records in (self.calls, self.given_up, self.handlers, self.sessions, self.follows, self.unfollowed):
            records.clear()
        self.missing, self.is_older = [], False
        self.hold.set()

    async def start(self) -> None:
        """Listen, at the same port as before."""
        methods = Methods("session")
        session_pb2_grpc.add_SessionServiceServicer_to_server(self, cast(Any, methods))
        self._server = LinkServer(methods)
        self.port = int((await self._server.listen(f"127.0.0.1:{self.port}")).rpartition(":")[2])

    async def stop(self) -> None:
        """Go away, with all streams."""
        if self._server is not None:
            await self._server.stop(0)
            self._server = None

    # --- calls

    async def ArrangeSession(self, request, context):
        raise unknown("session")

    async def CloseWaiting(self, request, context):
        raise unknown("session")

    async def FindMissing(self, request, context):
        self.asked_for_missing += 1
        if self.is_older:
            raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, "there is no such method")
        return session_pb2.FindMissingResponse(missing=self.missing)

    async def CarryOut(self, request, context):
        carried = Carried(request)
        self.calls.append(carried)
        self.note()
        try:
            await self.hold.wait()
        except asyncio.CancelledError:
            self.given_up.append(carried)
            self.note()
            raise
        name = carried.call.WhichOneof("request")
        assert name is not None
        response = self.handlers[name](carried.caller, getattr(carried.call, name)) if name in self.handlers else None
        answer = play_pb2.Answer()
        field = getattr(answer, name)
        field.SetInParent()
        if response is not None:
            field.CopyFrom(response)
        return session_pb2.CarryOutResponse(answer=answer.SerializeToString())

    async def SubmitActions(self, request, context):
        raise Refused(errors_pb2.REASON_NO_SUCH_METHOD, "gateways submit nothing")

    FindPositions = SubmitActions

    # --- watches

    def publish(self, session: str, padding: int = 0) -> int:
        """Make the next version of a session, tell those who follow it, and return the version."""
        updates = self.sessions.setdefault(session, [])
        update = sessions_pb2.Update(session_id=session, version=len(updates) + 1, at_ms=1000 + len(updates))
        update.session.title = "x" * padding
        updates.append(update)
        for tailing in self.tailings:
            if ids := [number for number, followed in tailing.follows.items() if followed == session]:
                self.tell(tailing, ids, play_pb2.WatchResponse(update=update))
        return update.version

    def tell(self, tailing: Tailing, ids: list[int], message: play_pb2.WatchResponse) -> None:
        """Send a message to watches."""
        update = message.resync.update if message.HasField("resync") else message.update
        tail = session_pb2.Tail(ids=ids, message=message.SerializeToString(), version=update.version, at_ms=update.at_ms)
        tailing.send_queue.put_nowait(session_pb2.TailSessionsResponse(tails=[tail]))

    def refuse(self, tailing: Tailing, ids: list[int], refused: Refused) -> None:
        """End watches."""
        for number in ids:
            tailing.follows.pop(number, None)
        tailing.send_queue.put_nowait(
            session_pb2.TailSessionsResponse(tails=[session_pb2.Tail(ids=ids, refusal=refused.refusal)])
        )

    def break_tails(self) -> None:
        """End all streams as a server does that is about to go."""
        for tailing in self.tailings:
            tailing.send_queue.put_nowait(Refused(errors_pb2.REASON_UNAVAILABLE, "this server is shutting down"))

    async def TailSessions(self, request_iterator, context):
        tailing = Tailing()
        self.tailings.append(tailing)
        reader = asyncio.create_task(self._read_follows(tailing, request_iterator))
        try:
            while not isinstance(response := await tailing.send_queue.get(), Refused):
                yield response
            raise response
        finally:
            reader.cancel()
            self.tailings.remove(tailing)
            with contextlib.suppress(asyncio.CancelledError):
                await reader

    async def _read_follows(self, tailing: Tailing, requests: AsyncIterator[session_pb2.TailSessionsRequest]) -> None:
        async for request in requests:
            for number in request.unfollow:
                self.unfollowed.append(number)
                tailing.follows.pop(number, None)
            for follow in request.follow:
                self.follows.append(follow)
                self._begin(tailing, follow)
            self.note()

    def _begin(self, tailing: Tailing, follow: session_pb2.Follow) -> None:
        updates = self.sessions.get(follow.watch.session_id)
        if updates is None:
            self.refuse(tailing, [follow.id], unknown("session"))
            return
        assert follow.id not in tailing.follows, "a watch is asked for once in a stream"
        tailing.follows[follow.id] = follow.watch.session_id
        after, newest = follow.watch.after_version, updates[-1]
        if after == 0 or after > newest.version:
            cause = play_pb2.Resync.CAUSE_AHEAD if after else play_pb2.Resync.CAUSE_UNSPECIFIED
            self.tell(tailing, [follow.id], play_pb2.WatchResponse(resync=play_pb2.Resync(cause=cause, update=newest)))
            return
        for update in itertools.islice(updates, after, None):
            self.tell(tailing, [follow.id], play_pb2.WatchResponse(update=update))
        if after == newest.version:
            self.tell(tailing, [follow.id], play_pb2.WatchResponse(heartbeat=play_pb2.Heartbeat(head_version=after)))

    # --- waiting

    def note(self) -> None:
        """Something has happened."""
        self._changed.set()

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Wait until something has happened that makes it true; at most a minute."""
        async with asyncio.timeout(60):
            while not is_true():
                self._changed.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), 0.05)
