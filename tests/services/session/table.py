"""The table at which the tests of the session service play: processes on one store, and a clock."""

import asyncio
import dataclasses
import itertools
import random
from typing import Any

import grpc
import redis.asyncio
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc, session_pb2
from brettwerk.v1 import play_pb2
from services.runtime.endpoint import CallInterceptor
from services.runtime.inner_calls import by_all_names
from services.runtime.refusal import Refused, moved_shard
from services.session.app.wiring import Wiring
from services.session.live.rebuilds import Rebuilt
from services.sharding.shards import shard_of
from tests.given_settings import GivenSettings
from tests.services.session.ai_peer import AiPeer
from tests.services.session.carrying_out import carry_out
from tests.services.session.clock import Clock
from tests.services.session.player import Player
from tests.services.sharding.all_leases import look

_places = itertools.count(1)
LEASE_MS = 3_600_000


@dataclasses.dataclass(frozen=True)
class Asked:
    """A move that was wanted of a computer player, and what its seat saw when the worker came for the position."""

    want: ai_pb2.Want
    view: AnyMessage | None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.want, name)


async def _nothing() -> None:
    """Do nothing."""


class Table:
    """One store, any number of session processes on it (`processes`), and players. `wiring` is the first.

    It owns all shards until a test says otherwise: leases hold for longer than any test, and nobody shares by itself.
    """

    def __init__(self, redis_url: str, rules_address: str, database_url: str, dice: str = "", **settings: Any) -> None:
        """`dice` names the throws: the same name, the same throws."""
        self.clock = Clock()
        self.ai = AiPeer()
        self.processes: list[Wiring] = []
        self._redis_url = redis_url
        self._rules_address = rules_address
        self._database_url = database_url
        self._settings = settings
        self._draw = random.Random(dice).randbytes
        self._ai_server = grpc.aio.server(interceptors=[CallInterceptor("ai")])
        self._ai_address = ""

    @property
    def wiring(self) -> Wiring:
        return self.processes[0]

    async def open(self, *, keeps: bool = False, lease_ms: int = LEASE_MS) -> None:
        """Start at an empty store, or at what it `keeps`."""
        if not keeps:
            client = redis.asyncio.Redis.from_url(self._redis_url)
            await client.flushdb()
            await client.aclose()
        ai_pb2_grpc.add_AiServiceServicer_to_server(self.ai, by_all_names(self._ai_server))
        self._ai_address = f"127.0.0.1:{self._ai_server.add_insecure_port('127.0.0.1:0')}"
        await self._ai_server.start()
        await self.another_process(lease_ms=lease_ms)

    async def close(self) -> None:
        for wiring in self.processes:
            await wiring.stop()
        await self._ai_server.stop(None)

    async def stop_ai(self) -> None:
        await self._ai_server.stop(None)

    async def another_process(self, redis_url: str = "", lease_ms: int = LEASE_MS, place: str = "") -> Wiring:
        """Add a process, which may have a way of its own to the store; one at the place of another knows that it is dead."""
        wiring = Wiring(
            GivenSettings(
                **{
                    "secret_key": "a key of tests that has enough letters",
                    "redis_url": redis_url or self._redis_url,
                    "rules_link_address": self._rules_address,
                    "ai_address": self._ai_address,
                    "database_url": self._database_url,
                    "heartbeat_s": 60,
                    **self._settings,
                }
            ),
            self.clock,
            self._draw,
            place=place or f"place {next(_places)}",
            lease_ms=lease_ms,
        )
        wiring.ownership._findable_s = 0  # tests hold the process in their hands: nobody has to find it
        wiring._tasks.append(asyncio.create_task(wiring.shard_channel.run()))
        await asyncio.gather(wiring.ownership.beat(), wiring.shard_channel.ready())
        wiring.tails.presence._since_ms.clear()  # nobody's watch is on its way here
        await wiring.sweeper.sweep()
        await wiring.sweeper.swept()
        await wiring.recovery.settled()
        self.processes.append(wiring)
        return wiring

    def owner(self, session_id: str) -> Wiring:
        """Return the process that serves a session."""
        return next(wiring for wiring in self.processes if wiring.shards.serves(shard_of(session_id)))

    async def hand_over(self, session_id: str, taker: Wiring) -> None:
        """Let another process have the shard of a session, as sharing does."""
        giver = self.owner(session_id)
        if giver is taker:
            return
        async with giver.ownership._turn:
            leases = await look(giver.ownership._leases)
            peers = {taker.ownership._leases.own: taker.ownership._self()}
            await giver.ownership._hand_over({shard_of(session_id): taker.ownership._leases.own}, leases, peers)
        async with taker.ownership._turn:
            _, leases = await taker.ownership._renew()
            await taker.ownership._follow(leases, "received")
        taker.tails.presence._since_ms.clear()

    async def restart(self) -> None:
        """Let the first process die and another one take its place."""
        await self.processes.pop(0).stop()
        await self.another_process()
        self.processes.insert(0, self.processes.pop())
        await self._share()

    async def _share(self) -> None:
        """Let shards be handed over, and received."""
        for wiring in self.processes * 3:
            await wiring.ownership.beat()
            wiring.tails.presence._since_ms.clear()

    async def kill(self, number: int) -> None:
        """Let a process die in the midst of whatever it does, and another one begin at its place."""
        killed = self.processes.pop(number)
        place = killed.ownership._leases.place
        # A dead process says goodbye to nobody.
        killed.ownership.close = killed.ownership._leases.go = _nothing  # type: ignore[method-assign]
        await killed.stop()
        await self.another_process(place=place)
        self.processes.insert(number, self.processes.pop())
        await self._share()

    async def sweep(self) -> None:
        for wiring in self.processes:
            await wiring.sweeper.sweep()
            await wiring.sweeper.swept()

    async def carry_out(self, wiring: Wiring, call: play_pb2.Call, caller: session_pb2.Caller) -> play_pb2.Answer:
        """Return the answer to a call of this process, or of the one that owns the shard."""
        try:
            return await carry_out(wiring.calls, call, caller)
        except Refused as refused:
            shard = moved_shard(refused.refusal)
            owner = next((wiring for wiring in self.processes if shard is not None and wiring.shards.serves(shard)), None)
            if owner is None:
                raise
            return await carry_out(owner.calls, call, caller)

    async def until_asked(self) -> Asked:
        """Return the newest move that was wanted, and the view of its seat as a worker gets it."""
        await self.until_quiet()
        return await self.seen(self.ai.moves[-1])

    async def seen(self, want: ai_pb2.Want) -> Asked:
        """Return a wanted move with the view of its seat; without one when the move is not wanted any more."""
        found = await self.find(want)
        return Asked(want, found.wanted.view if found.WhichOneof("kind") == "wanted" else None)

    async def find(self, want: ai_pb2.Want, **changes: Any) -> session_pb2.FoundPosition:
        """Ask for the position of a wanted move as a worker does."""
        seat = session_pb2.SeatToMove(session_id=want.session_id, seat=want.seat, version=want.version, ticket=want.ticket)
        for name, value in changes.items():
            setattr(seat, name, value)
        asked = session_pb2.FindPositionsRequest(seats=[seat])
        response = await self.owner(want.session_id).batches.find_positions(asked)
        return response.positions[0]

    async def until_quiet(self) -> None:
        """Return when no process is noting what is wanted, or it cannot be noted now."""
        for wiring in self.processes:
            await wiring.recovery.settled()
            while wiring.want_reporter._task is not None and not wiring.want_reporter._pause_s:  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.001)
            await wiring.sweeper._pauses.idle()

    async def until_all_is_noted(self) -> None:
        """Return when all that is wanted is noted, however often that has to be tried."""
        for wiring in self.processes:
            await wiring.recovery.settled()
            while wiring.want_reporter._task is not None:  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.005)

    async def submission(self, asked: Asked | ai_pb2.Want, pick: int = 0) -> session_pb2.SubmitActionRequest:
        """Return the answer to a wanted move, with one of the legal actions."""
        if isinstance(asked, ai_pb2.Want):
            asked = await self.seen(asked)
        request = session_pb2.SubmitActionRequest(
            session_id=asked.session_id, seat=asked.seat, version=asked.version, ticket=asked.ticket
        )
        if asked.view is not None:
            legal = await self.wiring.rules.legal(asked.game, asked.view)
            request.action.CopyFrom(legal.actions[pick % len(legal.actions)].action)
        return request

    async def answer_for(self, asked: Asked | ai_pb2.Want, pick: int = 0) -> session_pb2.SubmitActionResponse:
        """Answer a wanted move with one of the legal actions."""
        return await self.owner(asked.session_id).computers.submit(await self.submission(asked, pick))

    async def computer_moves(self, pick: int = 0) -> None:
        response = await self.answer_for(await self.until_asked(), pick)
        assert response.played

    async def rebuilt(self, session_id: str) -> Rebuilt:
        """Return the session made of its log again."""
        state = (await self.owner(session_id).session_cache.newest(session_id)).state
        rebuilt = Rebuilt(session_id, state.secrets[0], self.wiring.rules, state.secrets[1])
        await rebuilt.extend(await self.wiring.rebuilds.entries(session_id))
        return rebuilt

    async def pass_s(self, seconds: float) -> None:
        """Let time go by, with somebody sweeping, as it should be."""
        left = seconds
        while left > 0:
            self.clock.pass_s(min(left, 2))
            left -= 2
            await self.sweep()

    def player(self, name: str) -> "Player":
        return Player(self, name)
