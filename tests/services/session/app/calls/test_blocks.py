"""A session service whose players service knows who has blocked whom, or does not answer."""

import asyncio
import time
from collections.abc import AsyncIterator

import grpc
import pytest

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc, session_pb2
from brettwerk.v1 import play_pb2, record_pb2
from services.runtime.inner_calls import by_all_names
from services.session.app.calls import blocks
from tests.services.session.player import Player, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table

PAIR = {"p-anna", "p-ben"}
PERCENT = {"p-anna": 50, "p-clara": 90, "p-dora": 89}


class Peer(players_pb2_grpc.PlayersServiceServicer):
    """A players service in which Anna and Ben do not meet."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []
        self.hangs = False
        self.clocks: list[record_pb2.ClockSpec] = []
        self.listed: list[str] | None = None
        """Those who are among a pair; None for a release that does not tell."""
        self._listed_anew = asyncio.Event()
        self.followed = 0

    def list(self, *players: str) -> None:
        """Tell those who follow that these are among a pair."""
        self.listed = [*players]
        self._listed_anew.set()
        self._listed_anew = asyncio.Event()

    async def ListPlayersWithBlocks(
        self, request: players_pb2.ListPlayersWithBlocksRequest, context: "grpc.aio.ServicerContext[object, object]"
    ) -> players_pb2.ListPlayersWithBlocksResponse:
        self.followed += 1
        if self.listed is None:
            await context.abort(grpc.StatusCode.UNIMPLEMENTED)
        if request.version == " ".join(self.listed or []) + ".":
            await self._listed_anew.wait()
        return players_pb2.ListPlayersWithBlocksResponse(version=" ".join(self.listed or []) + ".", players=self.listed)

    async def FindBlocks(
        self, request: players_pb2.FindBlocksRequest, context: "grpc.aio.ServicerContext[object, object]"
    ) -> players_pb2.FindBlocksResponse:
        self.asked.append((request.player_id, list(request.others)))
        if self.hangs:
            await asyncio.Event().wait()
        return players_pb2.FindBlocksResponse(blocked=[one for one in request.others if {one, request.player_id} == PAIR])

    async def FindReliability(
        self, request: players_pb2.FindReliabilityRequest, context: "grpc.aio.ServicerContext[object, object]"
    ) -> players_pb2.FindReliabilityResponse:
        self.clocks.append(request.clock)
        return players_pb2.FindReliabilityResponse(percent=PERCENT.get(request.player_id))


@pytest.fixture
async def peer() -> AsyncIterator[tuple[Peer, str]]:
    server, made = grpc.aio.server(), Peer()  # type: ignore[abstract]  # nobody asks for anything else
    players_pb2_grpc.add_PlayersServiceServicer_to_server(made, by_all_names(server))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield made, f"127.0.0.1:{port}"
    await server.stop(None)


@pytest.fixture
async def blocking(
    redis_url: str, rules_address: str, tmp_path, peer: tuple[Peer, str], request: pytest.FixtureRequest
) -> AsyncIterator[Table]:
    archive = f"sqlite:///{tmp_path}/archive.sqlite3"
    made = Table(redis_url, rules_address, archive, request.node.name, players_address=peer[1])
    await made.open()
    yield made
    await made.close()


async def arranged(table: Table, *players: Player) -> str:
    """Return a table that keeps a seat for each of these players, as a tournament does."""
    create = play_pb2.CreateSessionRequest(game="einstein", seats=[wish("open")] * len(players))
    asked = session_pb2.ArrangeSessionRequest(
        arrangement_id="a" * 32, create=create, kept_for=[one.caller.player_id for one in players]
    )
    return (await table.wiring.arrangements.arrange(asked)).session_id


async def test_a_player_brought_to_a_table_takes_the_seat_there_and_cannot_decline_it(blocking: Table) -> None:
    anna, ben = blocking.player("Anna"), blocking.player("Ben")
    session = await arranged(blocking, anna, ben)
    with refused("NO_TOKEN"):
        await ben.ask(leave_session=play_pb2.LeaveSessionRequest(session_id=session, request_id="declining"))
    assert [await anna.join(session), await ben.join(session)] == [0, 1]


async def test_blocks_are_not_asked_for_at_a_table_of_computers_or_for_ones_own_seat(
    blocking: Table, peer: tuple[Peer, str]
) -> None:
    anna, clara = blocking.player("Anna"), blocking.player("Clara")
    session = (await anna.create("me", "easy")).id
    assert await anna.join(session, 0) == 0
    assert peer[0].asked == []
    other = (await anna.create("me", "open")).id
    await clara.join(other)
    assert peer[0].asked == [("p-clara", ["p-anna"])]
    with refused("BLOCKED"):
        await blocking.player("Ben").join((await anna.create("me", "open")).id)


async def test_a_table_for_reliable_players_is_closed_to_those_who_are_known_to_leave_games(
    blocking: Table, peer: tuple[Peer, str]
) -> None:
    anna, clara, dora, emil = (blocking.player(name) for name in ("Anna", "Clara", "Dora", "Emil"))
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=300_000)

    async def table() -> str:
        made = await anna.create("open", "open", clock=clock, least_reliability=90)
        assert made.least_reliability == 90
        return made.id

    session = await table()
    with refused("LEFT_GAMES") as caught:
        await dora.join(session)
    assert dict(caught.value.refusal.details) == {"reliability": "89", "least": "90"}
    assert [await clara.join(session), await anna.join(session)] == [0, 1], "whoever opened it may sit there"
    assert await emil.join(await table()) == 0, "nothing is known of a newcomer"
    assert peer[0].clocks == [clock] * 3
    assert await dora.join((await anna.create("open", "open")).id) == 0
    assert len(peer[0].clocks) == 3


async def test_play_goes_on_where_the_players_service_does_not_answer(blocking: Table, peer: tuple[Peer, str]) -> None:
    peer[0].hangs = True
    anna, ben = blocking.player("Anna"), blocking.player("Ben")
    session = (await anna.create("me", "open")).id
    began = time.monotonic()
    assert await ben.join(session) == 1
    assert peer[0].asked
    assert time.monotonic() - began < 10 * blocks.TIMEOUT_S


async def until(peer: Peer, followed: int) -> None:
    """Return when the process has come so often for who is among a pair."""
    async with asyncio.timeout(60):
        while peer.followed < followed:  # noqa: ASYNC110 - it comes by itself
            await asyncio.sleep(0.01)


@pytest.fixture
async def following(
    redis_url: str, rules_address: str, tmp_path, peer: tuple[Peer, str], request: pytest.FixtureRequest
) -> AsyncIterator[Table]:
    peer[0].list()
    archive = f"sqlite:///{tmp_path}/archive.sqlite3"
    made = Table(redis_url, rules_address, archive, request.node.name, players_address=peer[1])
    await made.open()
    made.wiring._tasks.append(asyncio.create_task(made.wiring.blocks.run()))
    await until(peer[0], 2)
    yield made
    await made.close()


async def test_joining_asks_only_about_players_who_have_blocked_or_are_blocked(following: Table, peer: tuple[Peer, str]) -> None:
    anna, ben, clara = (following.player(name) for name in ("Anna", "Ben", "Clara"))
    await clara.join((await anna.create("me", "open")).id)
    assert peer[0].asked == []
    before = peer[0].followed
    peer[0].list("p-anna", "p-ben")
    await until(peer[0], before + 1)
    with refused("BLOCKED"):
        await ben.join((await anna.create("me", "open")).id)
    assert peer[0].asked == [("p-ben", ["p-anna"])]
    await clara.join((await anna.create("me", "open")).id)
    assert len(peer[0].asked) == 1, "Clara is not among a pair"
