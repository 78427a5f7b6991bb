"""`SessionService` behind gRPC: the door of the gateway and of the AI workers."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from brettwerk.v1 import errors_pb2, play_pb2, session_pb2, session_pb2_grpc
from services.runtime.link import answer_link
from services.runtime.refusal import Refused, malformed
from services.runtime.settings import Settings
from services.runtime.spent import Measured, Spent
from services.session.app import batches
from services.session.app.house import House


class SessionServicer(session_pb2_grpc.SessionServiceServicer):
    """Answers SessionService."""

    def __init__(self, house: House, leaving: asyncio.Event) -> None:
        """Take the parts, and what is set when links are to end."""
        self._house = house
        self._leaving = leaving

    async def CarryOut(self, request: session_pb2.CarryOutRequest, context: Any) -> session_pb2.CarryOutResponse:
        """Carry out one call of a client."""
        response = await self._carry_out(request)
        answer = play_pb2.Answer.FromString(response.answer)
        if answer.HasField("refusal"):
            raise Refused.of(answer.refusal)
        return response

    async def _carry_out(self, request: session_pb2.CarryOutRequest) -> session_pb2.CarryOutResponse:
        """Carry out a call. What is refused has its cost, too, so a refusal is an answer like others."""
        await self._house.sweeper.ready()
        measured = Spent(request.caller.player_id)
        try:
            call = play_pb2.Call.FromString(request.call)
            carried_out = self._house.calls.carry_out(call, request.caller, request.packed_call)
            answer = await Measured(carried_out, measured)
        except DecodeError:
            answer = play_pb2.Answer(refusal=malformed("call", "call is not a Call").refusal)
        except Refused as refused:
            answer = play_pb2.Answer(refusal=refused.refusal)
        return session_pb2.CarryOutResponse(answer=answer.SerializeToString(), cpu_us=int(measured.seconds * 1e6))

    async def FindPositions(self, request: session_pb2.FindPositionsRequest, context: Any) -> session_pb2.FindPositionsResponse:
        """Return what workers are to think about."""
        return await batches.find_positions(request, self._house.computers)

    async def SubmitActions(self, request: session_pb2.SubmitActionsRequest, context: Any) -> session_pb2.SubmitActionsResponse:
        """Take computer players' actions."""
        await self._house.sweeper.ready()
        return await batches.submit_actions(request, self._house.computers)

    async def SubmitAction(self, request: session_pb2.SubmitActionRequest, context: Any) -> session_pb2.SubmitActionResponse:
        """Take one computer player's action."""
        await self._house.sweeper.ready()
        return await self._house.computers.submit_once(request)

    def LinkSession(
        self, request_iterator: AsyncIterator[session_pb2.LinkSessionRequest], context: Any
    ) -> AsyncIterator[session_pb2.LinkSessionResponse]:
        """Answer many calls over one stream."""
        return answer_link(request_iterator, _calls, self._handle, _refusal, _batch, self._leaving)

    def TailSessions(
        self, request_iterator: AsyncIterator[session_pb2.TailSessionsRequest], context: Any
    ) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        """Feed a gateway's watchers."""
        return self._house.tails.serve(request_iterator)

    async def _handle(self, call: session_pb2.SessionCall) -> session_pb2.SessionAnswer:
        if call.WhichOneof("request") == "submit_action":
            return session_pb2.SessionAnswer(submit_action=await self.SubmitAction(call.submit_action, None))
        return session_pb2.SessionAnswer(carry_out=await self._carry_out(call.carry_out))


def _calls(request: session_pb2.LinkSessionRequest) -> Sequence[session_pb2.SessionCall]:
    return request.calls


def _refusal(refusal: errors_pb2.Refusal) -> session_pb2.SessionAnswer:
    return session_pb2.SessionAnswer(refusal=refusal)


def _batch(answers: Sequence[session_pb2.SessionAnswer]) -> session_pb2.LinkSessionResponse:
    return session_pb2.LinkSessionResponse(answers=answers)


class SessionProcess:
    """The session service as a process (services/runtime/server.py)."""

    name = "session"
    full_names: Sequence[str] = ("brettwerk.v1.SessionService",)

    def __init__(self, config: Settings) -> None:
        """Take the settings."""
        self._config = config
        self._leaving = asyncio.Event()
        self._house: House | None = None

    async def start(self, server: grpc.aio.Server) -> None:
        """Put the parts together, start them and register the servicer. Raises ValueError for settings that cannot be."""
        self._house = House(self._config)
        session_pb2_grpc.add_SessionServiceServicer_to_server(SessionServicer(self._house, self._leaving), server)
        self._house.start()

    async def is_ready(self) -> bool:
        """Return whether calls can be answered."""
        return self._house is not None and await self._house.is_ready()

    async def drain(self) -> None:
        """Send links and tails elsewhere."""
        self._leaving.set()
        if self._house is not None:
            self._house.tails.drain()

    async def stop(self) -> None:
        """Let go of everything."""
        if self._house is not None:
            await self._house.stop()
