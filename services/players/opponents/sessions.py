"""The session service, as finding opponents sees it: the one adapter that calls it."""

from typing import Any

import grpc

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import play_pb2, sessions_pb2
from services.runtime.channel import open_channel
from services.runtime.refusal import Refused, of_rpc_error


class Sessions:
    """Creates sessions for players who have found each other. Raises Refused."""

    def __init__(self, address: str, timeout_s: float) -> None:
        """Take where the session service is, and how long a call may take."""
        self._channel = open_channel(address, "players")
        self._stub: Any = session_pb2_grpc.SessionServiceStub(self._channel)
        self._timeout_s = timeout_s

    async def arrange(self, request: session_pb2.ArrangeSessionRequest) -> str:
        """Return the session of an arrangement, which is created once; empty where it was only checked.

        Raises Refused with what the session service refuses, or UNAVAILABLE.
        """
        try:
            response: session_pb2.ArrangeSessionResponse = await self._stub.ArrangeSession(request, timeout=self._timeout_s)
        except grpc.RpcError as error:
            raise of_rpc_error(error, "session service") from None
        return response.session_id

    async def close_waiting(self, arrangement_id: str) -> session_pb2.CloseWaitingResponse:
        """Close the session of an arrangement if its game has not begun; return who has come.

        Raises Refused with what the session service refuses, or UNAVAILABLE.
        """
        request = session_pb2.CloseWaitingRequest(arrangement_id=arrangement_id)
        try:
            response: session_pb2.CloseWaitingResponse = await self._stub.CloseWaiting(request, timeout=self._timeout_s)
        except grpc.RpcError as error:
            raise of_rpc_error(error, "session service") from None
        return response

    async def shown(self, session_id: str) -> sessions_pb2.Session:
        """Return what everybody may see of a session.

        Raises Refused with what the session service refuses (UNKNOWN), or UNAVAILABLE.
        """
        asked = play_pb2.GetSessionRequest(
            session_id=session_id, leave_out=[sessions_pb2.Update.FIELD_VIEW, sessions_pb2.Update.FIELD_ACTIONS]
        )
        call = play_pb2.Call(get_session=asked).SerializeToString()
        try:
            response: session_pb2.CarryOutResponse = await self._stub.CarryOut(
                session_pb2.CarryOutRequest(call=call), timeout=self._timeout_s
            )
        except grpc.RpcError as error:
            raise of_rpc_error(error, "session service") from None
        answer = play_pb2.Answer.FromString(response.answer)
        if answer.HasField("refusal"):
            raise Refused.of(answer.refusal)
        return answer.get_session.update.session

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()
