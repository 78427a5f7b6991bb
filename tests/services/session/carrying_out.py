"""Calls as they come over a link: carried out without a task as far as that goes."""

import asyncio

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2
from services.runtime.tasks import EagerCall, end
from services.session.app.calls.calls import Calls


def asked(call: play_pb2.Call, caller: session_pb2.Caller) -> session_pb2.CarryOutRequest:
    return session_pb2.CarryOutRequest(call=call.SerializeToString(), caller=caller)


async def carry_out(calls: Calls, call: play_pb2.Call, caller: session_pb2.Caller) -> play_pb2.Answer:
    answered: asyncio.Future[play_pb2.Answer] = asyncio.get_running_loop().create_future()

    async def work() -> None:
        try:
            end(answered, await calls.carry_out(asked(call, caller)))
        except Exception as error:  # noqa: BLE001 - who waits gets it
            end(answered, error)

    running = EagerCall(work())
    try:
        return await answered
    except asyncio.CancelledError:
        running.cancel()
        raise
