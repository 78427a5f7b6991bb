"""`SessionService` behind gRPC and its links: the endpoint of the gateway and of the AI workers."""

import contextlib
import functools
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import grpc

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from services.archive.database_fault import require_no_fault
from services.archive.migrations import ARCHIVE
from services.runtime.call_scope import Measured, Spent
from services.runtime.cannot_start import cannot_start
from services.runtime.link import LinkServer, eager
from services.runtime.redis_client.servers import fault_of
from services.runtime.refusal import Refused, moved_shard
from services.runtime.settings import Settings
from services.session.app.wiring import Wiring


def by_owner(answer: Callable[["SessionServicer", Any, Any], Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return a method that answers here, or lets the owner of the shard do that; callers over links call the owner itself."""

    @functools.wraps(answer)
    async def answered(self: "SessionServicer", request: Any, context: Any) -> Any:
        await self.wiring.ownership.ready()
        try:
            return await answer(self, request, context)
        except Refused as refused:
            shard = moved_shard(refused.refusal)
            if shard is None or is_over_link(context):
                raise
            return await self.wiring.peers.ask(answer.__name__, request, shard, context.time_remaining())

    return answered


class SessionServicer(session_pb2_grpc.SessionServiceServicer):
    """Answers SessionService."""

    def __init__(self, wiring: Wiring, timeout_s: float) -> None:
        """Take the parts, and how long calls between processes may take."""
        self.wiring = wiring
        self._timeout_s = timeout_s

    @eager
    @by_owner
    async def CarryOut(self, request: session_pb2.CarryOutRequest, context: Any) -> session_pb2.CarryOutResponse:
        """Carry out one call of a client, and return its answer. A refusal has its cost, too."""
        measured = Spent(request.caller.player_id)
        try:
            answer = await Measured(self.wiring.calls.carry_out(request), measured)
        except Refused as refused:
            refused.spent_s = measured.seconds
            raise
        return session_pb2.CarryOutResponse(answer=answer.SerializeToString(), cpu_us=int(measured.seconds * 1e6))

    @by_owner
    async def ArrangeSession(
        self, request: session_pb2.ArrangeSessionRequest, context: Any
    ) -> session_pb2.ArrangeSessionResponse:
        """Create a session for players who have found each other, and return its id."""
        return await self.wiring.arrangements.arrange(request)

    @by_owner
    async def CloseWaiting(self, request: session_pb2.CloseWaitingRequest, context: Any) -> session_pb2.CloseWaitingResponse:
        """Close an arranged session whose game has not begun, and return who has come."""
        return await self.wiring.arrangements.close_waiting(request)

    async def FindMissing(self, request: session_pb2.FindMissingRequest, context: Any) -> session_pb2.FindMissingResponse:
        """Return what calls need and is not there."""
        return session_pb2.FindMissingResponse(missing=await self.wiring.missing())

    async def FindPositions(self, request: session_pb2.FindPositionsRequest, context: Any) -> session_pb2.FindPositionsResponse:
        """Return what workers have to think about."""
        await self.wiring.ownership.ready()
        return await self.wiring.batches.find_positions(request, self._passed_on_s(context))

    async def SubmitActions(self, request: session_pb2.SubmitActionsRequest, context: Any) -> session_pb2.SubmitActionsResponse:
        """Accept computer players' actions, and return what became of them."""
        await self.wiring.ownership.ready()
        return await self.wiring.batches.submit_actions(request, self._passed_on_s(context))

    def _passed_on_s(self, context: Any) -> float | None:
        """Return how long another process may take for its items; None for calls over a link, which are not passed on."""
        if is_over_link(context):
            return None
        left_s = context.time_remaining()
        return self._timeout_s if left_s is None else min(left_s, self._timeout_s)

    def TailSessions(self, request_iterator: AsyncIterator[session_pb2.TailSessionsRequest], context: Any) -> AsyncIterator[Any]:
        """Return what a gateway's watchers are told. Links send the encoded responses unchanged."""
        responses = self.wiring.tails.serve(request_iterator)
        return responses if is_over_link(context) else _parsed(responses)


def is_over_link(context: Any) -> bool:
    """Return whether a call came over a link: those have no context (services/runtime/link)."""
    return context is None


async def _parsed(responses: AsyncGenerator[bytes, None]) -> AsyncIterator[session_pb2.TailSessionsResponse]:
    """Yield encoded responses as messages, which a gRPC server encodes itself."""
    async with contextlib.aclosing(responses):
        async for response in responses:
            yield session_pb2.TailSessionsResponse.FromString(response)


class SessionProcess:
    """The session service as a process (services/runtime/server.py)."""

    name = "session"
    full_names: Sequence[str] = ("brettwerk.internal.v1.SessionService",)

    def __init__(self, config: Settings) -> None:
        """Take the settings."""
        self._config = config
        self._wiring: Wiring | None = None
        self._links: LinkServer | None = None

    def link_by(self, links: LinkServer) -> None:
        """Take what must be informed which shards are served here, and knows the callers."""
        self._links = links

    async def start(self, server: grpc.aio.Server) -> None:
        """Put the parts together, start them and register the servicer. Raises ValueError for invalid settings.

        Exits with 2 and a sentence when the store is of another kind than its URL says, or when the store or the archive's
        database does not let this process in.
        """
        if fault := await fault_of(self._config.redis_url):
            raise cannot_start(fault)
        await require_no_fault("BRETTWERK_DATABASE_URL", self._config.database_url, ARCHIVE)
        self._wiring = Wiring(self._config)
        if self._links is not None:
            self._wiring.shards.announce(self._links.announce)
            self._wiring.ownership.count_by(self._links.callers)
        session_pb2_grpc.add_SessionServiceServicer_to_server(SessionServicer(self._wiring, self._config.call_timeout_s), server)
        self._wiring.start()

    async def is_ready(self) -> bool:
        """Return whether calls can be answered."""
        return self._wiring is not None and not await self._wiring.missing()

    async def hand_over(self) -> None:
        """Hand the shards to other session processes; those that nobody takes are served until `drain`."""
        if self._wiring is not None:
            await self._wiring.hand_over()

    async def drain(self) -> None:
        """Release all shards, and send tails elsewhere."""
        if self._wiring is not None:
            await self._wiring.leave()

    async def stop(self) -> None:
        """Let go of everything."""
        if self._wiring is not None:
            await self._wiring.stop()
