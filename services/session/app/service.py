"""`SessionService` behind gRPC and its links: the door of the gateway and of the AI workers."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from brettwerk.v1 import play_pb2, session_pb2, session_pb2_grpc
from services.runtime.refusal import Refused, malformed
from services.runtime.settings import Settings
from services.runtime.spent import Measured, Spent
from services.session.app import batches
from services.session.app.house import House


class SessionServicer(session_pb2_grpc.SessionServiceServicer):
    """Answers SessionService."""

    def __init__(self, house: House) -> None:
        """Take the parts."""
        self._house = house

    async def CarryOut(self, request: session_pb2.CarryOutRequest, context: Any) -> session_pb2.CarryOutResponse:
        """Carry out one call of a client. What is refused has its cost, too."""
        await self._house.sweeper.ready()
        measured = Spent(request.caller.player_id)
        try:
            call = play_pb2.Call.FromString(request.call)
            answer = await Measured(self._house.calls.carry_out(call, request.caller, request.packed_call), measured)
        except DecodeError:
            raise malformed("call", "call is not a Call") from None
        except Refused as refused:
            refused.spent_s = measured.seconds
            raise
        return session_pb2.CarryOutResponse(answer=answer.SerializeToString(), cpu_us=int(measured.seconds * 1e6))

    async def FindPositions(self, request: session_pb2.FindPositionsRequest, context: Any) -> session_pb2.FindPositionsResponse:
        """Return what workers are to think about."""
        return await batches.find_positions(request, self._house.computers)

    async def SubmitActions(self, request: session_pb2.SubmitActionsRequest, context: Any) -> session_pb2.SubmitActionsResponse:
        """Take computer players' actions."""
        await self._house.sweeper.ready()
        return await batches.submit_actions(request, self._house.computers)

    def TailSessions(
        self, request_iterator: AsyncIterator[session_pb2.TailSessionsRequest], context: Any
    ) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        """Feed a gateway's watchers."""
        return self._house.tails.serve(request_iterator)


class SessionProcess:
    """The session service as a process (services/runtime/server.py)."""

    name = "session"
    full_names: Sequence[str] = ("brettwerk.v1.SessionService",)

    def __init__(self, config: Settings) -> None:
        """Take the settings."""
        self._config = config
        self._house: House | None = None

    async def start(self, server: grpc.aio.Server) -> None:
        """Put the parts together, start them and register the servicer. Raises ValueError for settings that cannot be."""
        self._house = House(self._config)
        session_pb2_grpc.add_SessionServiceServicer_to_server(SessionServicer(self._house), server)
        self._house.start()

    async def is_ready(self) -> bool:
        """Return whether calls can be answered."""
        return self._house is not None and await self._house.is_ready()

    async def drain(self) -> None:
        """Send tails elsewhere."""
        if self._house is not None:
            self._house.tails.drain()

    async def stop(self) -> None:
        """Let go of everything."""
        if self._house is not None:
            await self._house.stop()
