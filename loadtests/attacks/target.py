"""The system as an attacker sees it: its two ports, and what it answers, counted."""

import asyncio
import itertools
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import httpx
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, play_pb2, play_pb2_grpc, record_pb2
from services.runtime.refusal import of_rpc_error

Metadata = tuple[tuple[str, str], ...]

ADDRESS = "192.0.2.7"
"""Where attackers come from, as a trusted proxy tells it: not from where the quiet player does."""
LATE = "LATE"
"""Counts what somebody else asked for meanwhile and got too late, or not at all."""
_OPTIONS = (("grpc.max_receive_message_length", 16 * 2**20), ("grpc.max_send_message_length", 16 * 2**20))


class Target:
    """The tools of an attacker. `tally` counts what came back."""

    def __init__(self, grpc_address: str, web_address: str, seconds: float, long_game: tuple[str, str] = ("", "")) -> None:
        """`long_game` is the id of a session with many versions, and the token of a seat of it."""
        self.grpc_address = grpc_address
        self.web_address = web_address
        self.long_game = long_game
        self.until = time.monotonic() + seconds
        self.tally: Counter[str] = Counter()
        self.channel = grpc.aio.insecure_channel(grpc_address, options=_OPTIONS)
        self.stub: Any = play_pb2_grpc.PlayServiceStub(self.channel)
        self._numbers = itertools.count()

    @property
    def is_on(self) -> bool:
        """Whether the attack goes on."""
        return self.left_s > 0

    @property
    def left_s(self) -> float:
        """How many seconds it goes on."""
        return max(0.0, self.until - time.monotonic())

    def metadata(self, token: str = "", number: int = 0) -> Metadata:
        """Return what goes along with every call from the attacker's address, or from another one of theirs."""
        own = (("authorization", f"Bearer {token}"),) if token else ()
        return (("x-forwarded-for", f"203.0.113.{number}" if number else ADDRESS), *own)

    async def guest(self, number: int = 0) -> Metadata:
        """Return the metadata of a new player; as fast as that is allowed."""
        while True:
            request = play_pb2.CreatePlayerRequest(name="Guest", request_id=uuid.uuid4().hex)
            made = await self.answer(self.stub.CreatePlayer(request, metadata=self.metadata(number=number), timeout=30))
            if made is not None:
                return self.metadata(made.player_token, number)
            await asyncio.sleep(0.2)

    async def table(self, who: Metadata, game: str = "einstein", seats: int = 2) -> play_pb2.CreateSessionResponse:
        """Return a new session in which the guest has all seats."""
        while True:
            request = play_pb2.CreateSessionRequest(
                game=game, seats=[play_pb2.SeatWish(me=True)] * seats, request_id=uuid.uuid4().hex
            )
            made = await self.answer(self.stub.CreateSession(request, metadata=who, timeout=30))
            if made is not None:
                found: play_pb2.CreateSessionResponse = made
                return found
            await asyncio.sleep(0.2)

    async def head(self, who: Metadata) -> int:
        """Return the newest version of the long game."""
        seen = play_pb2.GetSessionRequest(session_id=self.long_game[0], seat_token=self.long_game[1])
        version: int = (await self.stub.GetSession(seen, metadata=who)).update.version
        return version

    async def to_act(self, who: Metadata, made: play_pb2.CreateSessionResponse) -> str:
        """Return the token of a seat of the guest that is to act."""
        for grant in made.grants:
            seen = play_pb2.GetSessionRequest(session_id=made.session.id, seat_token=grant.seat_token)
            if (await self.stub.GetSession(seen, metadata=who)).update.actions:
                break
        return grant.seat_token

    async def played(self, who: Metadata, game: str, plies: int) -> tuple[str, str]:
        """Return the id of a session with that many plies, or fewer when time is over, and a seat token of it."""
        made = await self.table(who, game)
        session, tokens = made.session.id, [grant.seat_token for grant in made.grants]
        for _ in range(plies):
            for token in tokens:
                request = play_pb2.GetSessionRequest(session_id=session, seat_token=token)
                got = await self.answer(self.stub.GetSession(request, metadata=who, timeout=10))
                if got is not None and got.update.actions:
                    act = play_pb2.ActRequest(session_id=session, seat_token=token, expected_version=got.update.version)
                    act.action.CopyFrom(got.update.actions[0].action)
                    act.request_id = uuid.uuid4().hex
                    await self.answer(self.stub.Act(act, metadata=who, timeout=10))
            if not self.is_on:
                break
        return session, tokens[0]

    async def answer(self, call: Awaitable[Any], done: str = "OK") -> Any:
        """Return the answer to a call, or None when it was refused; either is counted, what was done under a name of its own."""
        try:
            response = await call
        except grpc.aio.AioRpcError as error:
            self.tally[errors_pb2.Reason.Name(of_rpc_error(error, "gateway").reason).removeprefix("REASON_")] += 1
            return None
        self.tally[done] += 1
        return response

    async def post(self, client: httpx.AsyncClient, method: str, body: bytes) -> None:
        """Make a JSON call."""
        headers = {"content-type": "application/json", "x-forwarded-for": ADDRESS}
        try:
            response = await client.post(f"http://{self.web_address}/v1/{method}", content=body, headers=headers)
            self.tally[str(response.status_code)] += 1
        except httpx.HTTPError as error:
            self.tally[type(error).__name__] += 1

    async def flood(self, one: Callable[[], Awaitable[Any]], at_once: int = 32) -> None:
        """Do one thing again and again, so many at once, until time is over."""

        async def again() -> None:
            while self.is_on:
                await one()
                await asyncio.sleep(0.001)

        await asyncio.gather(*(again() for _ in range(at_once)))

    def raw(self, method: str) -> Any:
        """Return a method that takes encoded requests as they are."""
        return self.channel.unary_unary(f"/brettwerk.v1.PlayService/{method}")

    async def wait(self) -> None:
        """Do nothing until time is over."""
        await asyncio.sleep(self.left_s)


def empty_plies(size: int) -> record_pb2.Record:
    """Return a record of about that many bytes, all of them empty plies, within every bound of a single list."""
    lines = max(1, size // 160_000)
    entry = record_pb2.Entry(loaded=record_pb2.Loaded(variation=[record_pb2.Ply()] * (size // lines // 2)))
    return record_pb2.Record(format=1, game="einstein", entries=[entry] * lines)


def encoded(message: Message) -> bytes:
    """Return a message as bytes."""
    data: bytes = message.SerializeToString()
    return data
