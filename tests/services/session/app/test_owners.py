"""Two processes, one of which is cut off from the store or hangs: one owner at a time, and the log is what was acknowledged."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio
from grpc_health.v1 import health_pb2

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime.link import LinkChannel, metadata_for_shard
from services.runtime.refusal import Refused, moved_shard
from services.session.app.wiring import Wiring
from services.sharding.shards import lease_key, shard_of
from tests.ports import free_port
from tests.services.session.app.test_process import Service, carry_out
from tests.services.session.carrying_out import asked
from tests.services.session.cutting import Network, network
from tests.services.session.player import Player, request_id, wish
from tests.services.session.running import running_rules
from tests.services.session.table import Table
from tests.services.session.two_players import two


@pytest.fixture
async def wire(redis_url: str) -> AsyncIterator[Network]:
    async with network(redis_url) as made:
        yield made


@pytest.fixture
async def cut_table(redis_url: str, wire: Network, tmp_path: Path) -> AsyncIterator[Table]:
    """A table whose second process has a way of its own to the store, and leases that hold as long as they do."""
    async with running_rules() as rules:
        made = Table(redis_url, rules, f"sqlite:///{tmp_path}/archive.sqlite3", "cut", sweep_s=0.05)
        await made.open()
        try:
            yield made
        finally:
            await made.close()


async def until_owner(wiring: Wiring, session_id: str) -> None:
    async with asyncio.timeout(30):
        while not wiring.shards.serves(shard_of(session_id)):  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.01)


async def persistent(table: Table, player: Player, request: play_pb2.ActRequest) -> play_pb2.ActResponse:
    """Ask one process and then another, until one answers; what the rules refuse is raised."""
    async with asyncio.timeout(60):
        for number in range(10_000):
            wiring = table.processes[number % len(table.processes)]
            try:
                return (await wiring.calls.carry_out(asked(play_pb2.Call(act=request), player.caller))).act
            except Refused as refused:
                if refused.reason != errors_pb2.REASON_UNAVAILABLE:
                    raise
            await asyncio.sleep(0.02)
    raise AssertionError


async def play_on(
    table: Table, players: tuple[Player, Player], game: str, received: dict[int, str], ended: asyncio.Event
) -> None:
    """Play until told to end, and note which request was told to have made which version."""
    turn = 0
    while not ended.is_set():
        before = len(received)
        for seat in (turn % 2, 1 - turn % 2):
            try:
                request = await players[seat].act_request(game, seat, pick=turn)
                answer = await persistent(table, players[seat], request)
            except Refused as refused:
                if refused.reason == errors_pb2.REASON_GAME_OVER:
                    return
                continue  # it is not their turn, or the store is away
            except ZeroDivisionError:
                continue  # nothing to choose from: it is not their turn
            assert received.setdefault(answer.version, request.request_id) == request.request_id, "one version, two requests"
            break
        turn += 1
        await asyncio.sleep(0.01 if len(received) > before else 0.1)


async def test_two_that_hold_themselves_for_owners_never_both_accept(cut_table: Table, wire: Network) -> None:
    table = cut_table
    games = [await two(table) for _ in range(4)]
    await table.processes.pop().stop()
    for url in (wire.url, ""):
        (await table.another_process(url, 1_000)).start()
    cut, whole = table.processes
    received: list[dict[int, str]] = [{} for _ in games]
    ended = asyncio.Event()
    playing = [
        asyncio.create_task(play_on(table, (anna, ben), game, acknowledged, ended))
        for (anna, ben, game), acknowledged in zip(games, received, strict=True)
    ]

    async def until_played_on() -> None:
        before = sum(map(len, received))
        async with asyncio.timeout(30):
            while sum(map(len, received)) < before + 8 and not all(task.done() for task in playing):  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.02)

    for _ in range(2):
        await until_played_on()
        wire.cut()
        async with asyncio.timeout(30):
            while len(whole.shards.served) < 16:  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.02)
        wire.mend()
        async with asyncio.timeout(30):
            while len(cut.shards.served) != 8 or len(whole.shards.served) != 8:  # noqa: ASYNC110 - the same
                await asyncio.sleep(0.02)
    ended.set()
    await asyncio.gather(*playing)
    for (_, _, game), acknowledged in zip(games, received, strict=True):
        entries = [record_pb2.Entry.FromString(data) for data in await whole.store.log(game)]
        acted = [entry.version for entry in entries if entry.WhichOneof("change") == "acted"]
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
        assert acted == sorted(acknowledged), "the log is what was acknowledged"
    assert all(received), "there was something to see"


async def test_a_write_sent_before_a_cut_that_arrives_after_it_is_not_carried_out(cut_table: Table, wire: Network) -> None:
    """Nobody has changed the session meanwhile: its version is the one that the late write goes on from."""
    table = cut_table
    anna, _, game = await two(table)
    await table.processes.pop().stop()
    old = await table.another_process(wire.url, 1_000)
    await old.ownership.beat()
    request = await anna.act_request(game, 0)
    assert old.session_cache.known(game) is not None
    wire.cut()
    late = asyncio.create_task(old.calls.carry_out(asked(play_pb2.Call(act=request), anna.caller)))
    await wire.until_held(game.encode())
    new = await table.another_process(lease_ms=60_000)
    async with asyncio.timeout(30):
        while not new.shards.serves(shard_of(game)):
            await new.ownership.beat()
            await asyncio.sleep(0.05)
    seen = (await new.session_cache.newest(game)).head
    wire.mend()
    with pytest.raises(Refused) as refused:
        await late
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE
    assert await new.store.head(game) == seen
    await old.ownership.beat()
    with pytest.raises(Refused) as refused:
        await old.calls.carry_out(asked(play_pb2.Call(act=request), anna.caller))
    assert moved_shard(refused.value.refusal) == shard_of(game)
    anna.wiring = table.processes.index(new)
    assert (await anna.ask(act=request)).version == seen.version + 1


class Child:
    """A session process that can be stopped (SIGSTOP)."""

    def __init__(self, redis_url: str, rules: str, folder: Path, link: str) -> None:
        settings = {
            "SECRET_KEY": "a key of tests that has enough letters",
            "REDIS_URL": redis_url,
            "RULES_LINK_ADDRESS": rules,
            "AI_ADDRESS": "127.0.0.1:1",
            "DATABASE_URL": f"sqlite:///{folder}/child.sqlite3",
            "LISTEN": f"127.0.0.1:{free_port()}",
            "LINK_LISTEN": link,
            "METRICS_LISTEN": "",
        }
        env = os.environ | {f"BRETTWERK_{name}": value for name, value in settings.items()}
        self.process = subprocess.Popen([sys.executable, "-m", "services.session"], env=env)

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> None:
        self.send(signal.SIGCONT)
        self.process.kill()
        self.process.wait()


class Pair:
    """A process that can be stopped, another one in this process, and a client of both."""

    def __init__(self, child: Child, service: Service, links: tuple[str, str], redis_url: str) -> None:
        self.child = child
        self.service = service
        self.links = links
        self.both = LinkChannel(",".join(links), "session service")
        self.stub = session_pb2_grpc.SessionServiceStub(self.both)
        self.redis = redis.asyncio.Redis.from_url(redis_url)

    async def close(self) -> None:
        await self.both.close()
        await self.redis.aclose()
        await self.service.close()
        self.child.end()

    async def owner(self, shard: int) -> str:
        place = await self.redis.hget(lease_key(shard), "place")
        assert isinstance(place, bytes)
        return place.decode().partition(" ")[2]

    async def until_shared(self) -> None:
        async with asyncio.timeout(60):
            while True:
                owners = [await self.owner(shard) for shard in range(16)]
                if all(owners.count(link) == 8 for link in self.links):
                    return
                await asyncio.sleep(0.05)

    async def ask(self, **call: Any) -> play_pb2.Answer:
        """Ask the owner until there is an answer, as the gateway does."""
        session_id = getattr(next(iter(call.values())), "session_id", "")
        shard = metadata_for_shard(shard_of(session_id)) if session_id else ()
        async with asyncio.timeout(60):
            while True:
                try:
                    response = await self.stub.CarryOut(carry_out(play_pb2.Call(**call)), timeout=10, metadata=shard)
                    return play_pb2.Answer.FromString(response.answer)
                except Refused as refused:
                    if refused.reason not in (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE):
                        raise
                    await asyncio.sleep(0.05)


@pytest.fixture
async def pair(redis_url: str, short_path: Path) -> AsyncIterator[Pair]:
    client = redis.asyncio.Redis.from_url(redis_url)
    await client.flushdb()
    await client.aclose()
    links = (f"unix:{short_path}/first", f"unix:{short_path}/second")
    async with running_rules() as rules:
        child = Child(redis_url, rules, short_path, links[0])
        service = Service(redis_url, rules, str(short_path), "second", session_link_address=",".join(links), call_timeout_s=20)
        made = Pair(child, service, links, redis_url)
        try:
            await service.until(health_pb2.HealthCheckResponse.SERVING)
            await made.until_shared()
            yield made
        finally:
            await made.close()


async def owned_by(pair: Pair, link: str) -> tuple[str, str]:
    """Return a session in a shard of a process, and the token of its seats."""
    while True:
        create = play_pb2.CreateSessionRequest(game="einstein", seats=[wish("me"), wish("me")], request_id=request_id())
        response = (await pair.ask(create_session=create)).create_session
        if await pair.owner(shard_of(response.session.id)) == link:
            return response.session.id, response.grants[0].seat_token


async def act(pair: Pair, session: str, token: str) -> play_pb2.ActRequest:
    seen = (await pair.ask(get_session=play_pb2.GetSessionRequest(session_id=session, seat_token=token))).get_session.update
    return play_pb2.ActRequest(
        session_id=session,
        seat_token=token,
        expected_version=seen.version,
        action=seen.actions[0].action,
        request_id=request_id(),
    )


async def test_an_owner_that_hangs_is_replaced_and_when_it_wakes_it_writes_nothing(pair: Pair) -> None:
    session, token = await owned_by(pair, pair.links[0])
    request, late = await act(pair, session, token), await act(pair, session, token)
    async with LinkChannel(pair.links[0], "session service") as channel:
        old = session_pb2_grpc.SessionServiceStub(channel)
        looking = play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id=session))
        await old.CarryOut(carry_out(looking), timeout=30)
        pair.child.send(signal.SIGSTOP)
        waiting = asyncio.ensure_future(old.CarryOut(carry_out(play_pb2.Call(act=late)), timeout=20))
        version = (await pair.ask(act=request)).act.version
        assert await pair.owner(shard_of(session)) == pair.links[1]
        pair.child.send(signal.SIGCONT)
        with pytest.raises(Refused) as refused:
            await waiting
        # It says that the shard has moved; once it has the shard again, as its share, it knows what the other one has done.
        assert refused.value.reason in (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_STALE_VERSION)
    updates = (await pair.ask(list_updates=play_pb2.ListUpdatesRequest(session_id=session))).list_updates.updates
    assert updates[-1].version == version
    assert updates[-1].session.plies == 1
    await pair.until_shared()
    assert (await pair.ask(act=request)).act.version == version, "whoever owns it now knows what was answered"


@pytest.mark.nightly
async def test_callers_by_grpc_are_served_by_any_process(pair: Pair) -> None:
    """Workers and other callers know no shards; what is another's is passed on."""
    for link in pair.links:
        session, token = await owned_by(pair, link)
        request = await act(pair, session, token)
        answer = await pair.service.ask(play_pb2.Call(act=request))
        assert answer.act.version == request.expected_version + 1
    sessions = [(await owned_by(pair, link))[0] for link in (*pair.links, *pair.links)]
    seats = [session_pb2.SeatToMove(session_id=one, seat=0, version=1, ticket=b"guess") for one in (*sessions, "no id")]
    found = await pair.service.stub.FindPositions(session_pb2.FindPositionsRequest(seats=seats), timeout=10)
    reasons = [errors_pb2.Reason.Name(one.refusal.reason) for one in found.positions]
    assert reasons == ["REASON_NO_TOKEN"] * 4 + ["REASON_MALFORMED"]
    actions = [session_pb2.SubmitActionRequest(session_id=one, seat=0, version=1, ticket=b"guess") for one in sessions]
    received = await pair.service.stub.SubmitActions(session_pb2.SubmitActionsRequest(actions=actions), timeout=10)
    assert [one.refusal.reason for one in received.actions] == [errors_pb2.REASON_NO_TOKEN] * 4


@pytest.mark.nightly
async def test_an_owner_that_hangs_does_not_hold_up_what_workers_ask_of_others(pair: Pair) -> None:
    sessions = [(await owned_by(pair, link))[0] for link in pair.links]
    seats = [session_pb2.SeatToMove(session_id=one, seat=0, version=1, ticket=b"guess") for one in sessions]
    asking = session_pb2.FindPositionsRequest(seats=seats)
    await pair.service.stub.FindPositions(asking, timeout=30)
    pair.child.send(signal.SIGSTOP)
    found = (await pair.service.stub.FindPositions(asking, timeout=2)).positions
    assert found[0].refusal.reason == errors_pb2.REASON_DEADLINE
    assert found[1].refusal.reason == errors_pb2.REASON_NO_TOKEN


async def test_calls_by_a_link_are_not_passed_on(pair: Pair) -> None:
    session, _ = await owned_by(pair, pair.links[0])
    async with LinkChannel(pair.links[1], "session service") as channel:
        stub = session_pb2_grpc.SessionServiceStub(channel)
        seat = session_pb2.SeatToMove(session_id=session, seat=0, version=1, ticket=b"guess")
        with pytest.raises(Refused) as refused:
            await stub.FindPositions(session_pb2.FindPositionsRequest(seats=[seat]), timeout=2)
        assert refused.value.reason in (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE)
