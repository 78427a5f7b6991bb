"""A game with many versions, played before the attacks, which ask for its past."""

import asyncio
import random
import uuid
from typing import Any

import grpc

from brettwerk.v1 import play_pb2, play_pb2_grpc

ADDRESSES = 40
"""How many addresses play it in turn, so that no rate is in the way."""
SEATS = 4


def play(grpc_address: str, versions: int) -> tuple[str, str]:
    """Play EMPERADO by lot up to so many versions. Return the session's id and the token of a seat. Raises grpc.RpcError."""
    return asyncio.run(_play(grpc_address, versions))


async def _play(grpc_address: str, versions: int) -> tuple[str, str]:
    dice = random.Random(1)
    async with grpc.aio.insecure_channel(grpc_address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        callers = []
        for number in range(ADDRESSES):
            address = ("x-forwarded-for", f"198.51.100.{100 + number}")
            asked = play_pb2.CreatePlayerRequest(name="Long", request_id=uuid.uuid4().hex)
            made = await stub.CreatePlayer(asked, metadata=(address,))
            callers.append((address, ("authorization", f"Bearer {made.player_token}")))
        wishes = [play_pb2.SeatWish(me=True)] * SEATS
        table = play_pb2.CreateSessionRequest(game="emperado", seats=wishes, request_id=uuid.uuid4().hex)
        begun = await stub.CreateSession(table, metadata=callers[0])
        session, tokens = begun.session.id, {grant.seat: grant.seat_token for grant in begun.grants}
        version, to_act = 1, 0
        while version < versions:
            who = callers[version % ADDRESSES]
            seen = play_pb2.GetSessionRequest(session_id=session, seat_token=tokens[to_act])
            update = (await stub.GetSession(seen, metadata=who)).update
            if update.session.HasField("outcome"):
                break
            if not update.actions:
                to_act = update.to_act[0]
                continue
            act = play_pb2.ActRequest(session_id=session, seat_token=tokens[to_act], expected_version=update.version)
            act.action.CopyFrom(dice.choice(update.actions).action)
            act.request_id = uuid.uuid4().hex
            version = (await stub.Act(act, metadata=who)).version
        return session, tokens[0]
