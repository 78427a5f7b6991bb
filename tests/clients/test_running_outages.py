"""Bots that live on a server while it, or what is between, is away for longer than a call is tried again."""

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

import pytest
from grpc import StatusCode

from brettwerk.v1 import games_pb2, opponents_pb2, play_pb2
from brettwerk_client import AsyncClient, AsyncSeat, Client, Refused, Seat, Timing
from brettwerk_client.refusals import Unavailable
from deploy.local.deployment import Deployment
from tests.clients.faulty_proxy import FaultyProxy
from tests.clients.owned_bots import answered, bot_of, challenge, choose
from tests.night import at_night, by_day

pytestmark = [pytest.mark.e2e, pytest.mark.slow]
RETRIES_S = 1.0
"""How long a call is tried again here: every outage is longer."""
BACK_S = 10.0
"""How soon after the return of the server a bot has answered a challenge."""
SERVICES = ("gateway", "session", "players", "rules", "redis")
GONE = {int(code.value[0]) for code in (StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED)}
Fault = Callable[[FaultyProxy, socket.socket], None]


@dataclass
class Life:
    """The reports of a bot that lives on a server."""

    task: "asyncio.Task[None]"
    waits: list[Mapping[str, Refused]] = field(default_factory=list)
    ended: "asyncio.Queue[str]" = field(default_factory=asyncio.Queue)
    has_news: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, waits: Mapping[str, Refused]) -> None:
        self.waits.append(waits)
        self.has_news.set()

    async def until(self, *, well: bool) -> None:
        """Return when it has told that it is well, or waits for something."""
        async with asyncio.timeout(60):
            while (not self.waits or not self.waits[-1]) is not well:
                self.has_news.clear()
                await self.has_news.wait()


@contextlib.asynccontextmanager
async def living(address: str, token: str, **how: object) -> AsyncIterator[Life]:
    async with AsyncClient(address, token=token, timing=Timing(retries_s=RETRIES_S, call_s=5)) as client:
        life: Life

        def note(seat: AsyncSeat, _outcome: games_pb2.Outcome) -> None:
            life.ended.put_nowait(seat.session_id)

        run = client.run(choose, ended=note, waits=lambda waits: life.note(waits), at_once=50, **how)  # type: ignore[arg-type]
        life = Life(asyncio.create_task(run))
        try:
            yield life
            assert not life.task.done()
        finally:
            life.task.cancel()
            await asyncio.wait([life.task])


def begun(client: Client, bot_id: str) -> Seat:
    """Return a seat at a running game with the bot."""
    return client.join_session(answered(client, challenge(client, bot_id)).session_id)


async def answers_soon(client: Client, bot_id: str) -> None:
    """Challenge a bot, which has to accept in time."""
    began = time.monotonic()
    async with asyncio.timeout(BACK_S + 5):  # the message below says more
        made = await asyncio.to_thread(answered, client, await asyncio.to_thread(challenge, client, bot_id))
    assert made.state == opponents_pb2.Challenge.STATE_ACCEPTED
    assert time.monotonic() - began < BACK_S


FAULTS = (FaultyProxy.refuse, FaultyProxy.answer_502, FaultyProxy.be_silent, FaultyProxy.cut_messages)


@pytest.mark.parametrize("away_s", [5, at_night(180)])
@pytest.mark.parametrize("fault", by_day(FAULTS, FaultyProxy.refuse), ids=lambda fault: fault.__name__)
async def test_a_bot_waits_through_outages_on_the_way_and_forgets_no_game(
    own_deployment: Deployment, caplog: pytest.LogCaptureFixture, fault: Fault, away_s: float
) -> None:
    with (
        Client(own_deployment.grpc_address, name="Ada") as owner,
        Client(own_deployment.grpc_address, name="Bert") as bert,
        FaultyProxy(own_deployment.grpc_address) as proxy,
    ):
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with living(proxy.address, made.api_token) as life:
            seat = await asyncio.to_thread(begun, bert, bot_id)
            with caplog.at_level(logging.WARNING, "brettwerk_client"), proxy.having(fault):
                playing = asyncio.create_task(asyncio.to_thread(seat.play, choose))  # the bot is soon to act
                await asyncio.sleep(away_s)  # how long the outage lasts is what is tried
                await life.until(well=False)
            # Calls without an answer are given up by their own time.
            assert {refused.code for waits in life.waits for refused in waits.values()} & GONE
            assert caplog.records
            await answers_soon(owner, bot_id)
            assert (await asyncio.wait_for(playing, 60)).places
            async with asyncio.timeout(30):
                assert await life.ended.get() == seat.session_id
            await life.until(well=True)


async def restarted(deployment: Deployment, process: str, away_s: float) -> None:
    deployment.restart(process, lambda: time.sleep(away_s))  # how long it is away is what is tried
    await asyncio.to_thread(deployment.wait, process)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("times", [1, at_night(20)])
@pytest.mark.parametrize("process", by_day(SERVICES, "gateway", "session"))
async def test_a_bot_answers_after_every_restart_of_a_service(own_deployment: Deployment, process: str, times: int) -> None:
    with Client(own_deployment.grpc_address, name="Ada") as owner, Client(own_deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with living(own_deployment.grpc_address, made.api_token) as life:
            seat = await asyncio.to_thread(begun, bert, bot_id)
            for _ in range(times):
                await restarted(own_deployment, process, 3 * RETRIES_S)
                await asyncio.to_thread(bert.call, bert.service.ListSessions, mine())  # the others are back, too
                await answers_soon(owner, bot_id)
            assert (await asyncio.to_thread(seat.play, choose)).places
            assert await asyncio.wait_for(life.ended.get(), 30) == seat.session_id


def played_on(seat: Seat) -> games_pb2.Outcome:
    """Play to the end as people do, who come again when they have given up."""
    while True:
        try:
            return seat.play(choose)
        except Unavailable:
            continue


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("away_s", [6, 180])
async def test_a_bot_plays_on_after_the_store_was_away(own_deployment: Deployment, away_s: float) -> None:
    with Client(own_deployment.grpc_address, name="Ada") as owner, Client(own_deployment.grpc_address, name="Bert") as bert:
        bot_id, made = await asyncio.to_thread(bot_of, owner)
        async with living(own_deployment.grpc_address, made.api_token) as life:
            seat = await asyncio.to_thread(begun, bert, bot_id)
            playing = asyncio.create_task(asyncio.to_thread(played_on, seat))
            # How long the store is away is what is tried.
            await asyncio.to_thread(own_deployment.restart, "redis", lambda: time.sleep(away_s))
            await asyncio.to_thread(own_deployment.wait, "redis")
            assert (await asyncio.wait_for(playing, 120)).places
            assert await asyncio.wait_for(life.ended.get(), 30) == seat.session_id
            await answers_soon(owner, bot_id)


def mine() -> play_pb2.ListSessionsRequest:
    return play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE)


async def test_a_stream_that_brings_nothing_is_given_up(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner:
        _, made = await asyncio.to_thread(bot_of, owner)
    how = {"token": made.api_token, "timing": Timing(retries_s=0, news_silence_s=0.2)}  # signs of life come seldom
    async with AsyncClient(deployment.grpc_address, **how) as client:  # type: ignore[arg-type]
        with pytest.raises(Unavailable, match="nothing was heard"):
            async for _ in client.news():
                pass
    with Client(deployment.grpc_address, **how) as blocking, pytest.raises(Unavailable, match="nothing was heard"):  # type: ignore[arg-type]
        await asyncio.to_thread(lambda: list(blocking.news()))
