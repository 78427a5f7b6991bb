"""Calls as they come over a link: begun without a task where that can be, and carried out by the method where not."""

import asyncio

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2
from services.runtime.cpu_cost import Spent
from services.session.app.calls.calls import Calls


class Reply:
    """Ends with an answer, or with None where the method is to carry the call out."""

    def __init__(self) -> None:
        self.ended: asyncio.Future[play_pb2.Answer | None] = asyncio.get_running_loop().create_future()

    def answer(self, response: Message) -> None:
        assert isinstance(response, session_pb2.CarryOutResponse)
        self._end(play_pb2.Answer.FromString(response.answer))

    def refuse(self, error: Exception) -> None:
        if not self.ended.done():
            self.ended.set_exception(error)

    def carry_out(self) -> None:
        self._end(None)

    def _end(self, answer: play_pb2.Answer | None) -> None:
        if not self.ended.done():
            self.ended.set_result(answer)


async def carry_out(calls: Calls, call: play_pb2.Call, caller: session_pb2.Caller) -> play_pb2.Answer:
    reply = Reply()
    give_up = calls.begin(call, caller, Spent(caller.player_id), reply)
    if give_up is not None:
        try:
            answer = await reply.ended
        except asyncio.CancelledError:
            give_up()
            raise
        if answer is not None:
            return answer
    return await calls.carry_out(call, caller)
