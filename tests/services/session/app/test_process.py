"""The service as a process on the wire: links, refusals, readiness, and an orderly end."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.call_scope import Spent
from services.runtime.channel import open_channel
from services.runtime.link import LinkChannel
from services.runtime.refusal import of_rpc_error
from services.runtime.server import serve
from services.runtime.settings import Settings
from services.session.app.service import SessionProcess
from tests.ports import free_port
from tests.redis_server import running_redis
from tests.services.session.player import wish
from tests.services.session.refusing import refused
from tests.services.session.running import running_rules

CALLER = session_pb2.Caller(player_id="p-anna", name="Anna")


class Service:
    """One process of the service, served in this one."""

    def __init__(self, redis_url: str, rules_address: str, folder: str, name: str = "link", **settings: object) -> None:
        self.link_address = f"unix:{folder}/{name}"
        self.address = f"127.0.0.1:{free_port()}"
        config = Settings.model_validate(
            {
                "secret_key": "a key of tests that has enough letters",
                "redis_url": redis_url,
                "rules_link_address": rules_address,
                "ai_address": "127.0.0.1:1",
                "ai_silence_s": 2,
                "database_url": f"sqlite:///{folder}/archive.sqlite3",
                "drain_s": 0,
                "grace_s": 1,
                "call_timeout_s": 20,
                "sweep_s": 0.05,
                "link_listen": self.link_address,
                "session_link_address": self.link_address,
                **settings,
            }
        )
        self.stopping = asyncio.Event()
        serving = serve(SessionProcess(config), self.address, config, self.stopping, links=self.link_address)
        self.task = asyncio.create_task(serving)
        self.channel = open_channel(self.address)
        self.stub = session_pb2_grpc.SessionServiceStub(self.channel)

    async def until(self, status: "health_pb2.HealthCheckResponse.ServingStatus", name: str = "") -> None:
        stub = health_pb2_grpc.HealthStub(self.channel)
        async with asyncio.timeout(60):
            while True:
                try:
                    response = await stub.Check(health_pb2.HealthCheckRequest(service=name), wait_for_ready=True)
                except grpc.aio.AioRpcError:
                    await asyncio.sleep(0.05)
                    continue
                if response.status == status:
                    return
                await asyncio.sleep(0.05)

    async def ask(self, call: play_pb2.Call) -> play_pb2.Answer:
        try:
            request = session_pb2.CarryOutRequest(caller=CALLER, call=call.SerializeToString())
            return play_pb2.Answer.FromString((await self.stub.CarryOut(request, timeout=10)).answer)
        except grpc.aio.AioRpcError as error:
            raise of_rpc_error(error, "session service") from error

    async def close(self) -> None:
        self.stopping.set()
        await self.task
        await self.channel.close()


@pytest.fixture
async def service(redis_url: str, short_path) -> AsyncIterator[Service]:
    async with running_rules() as rules_address:
        made = Service(redis_url, rules_address, str(short_path))
        await made.until(health_pb2.HealthCheckResponse.SERVING)
        try:
            yield made
        finally:
            await made.close()


def creating(request_id: str) -> play_pb2.Call:
    seats = [wish("me"), wish("easy")]
    return play_pb2.Call(create_session=play_pb2.CreateSessionRequest(game="einstein", seats=seats, request_id=request_id))


def carry_out(call: play_pb2.Call) -> session_pb2.CarryOutRequest:
    return session_pb2.CarryOutRequest(caller=CALLER, call=call.SerializeToString())


async def test_calls_are_answered_alone_and_many_at_a_time(service: Service) -> None:
    session = (await service.ask(creating("process-0001"))).create_session.session
    async with LinkChannel(service.link_address, "session service") as channel:
        stub = session_pb2_grpc.SessionServiceStub(channel)
        looking = carry_out(play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id=session.id)))
        answers = await asyncio.gather(*(stub.CarryOut(looking, timeout=30) for _ in range(100)))
        assert {play_pb2.Answer.FromString(one.answer).get_session.update.session.id for one in answers} == {session.id}
        wrong = play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id=session.id, seat_token="guess"))
        measured = Spent()
        with refused("NOT_YOUR_SEAT"), measured.here():
            await stub.CarryOut(carry_out(wrong), timeout=30)
        assert measured.seconds > 0, "what is refused has its cost, too"
        late = session_pb2.SubmitActionRequest(session_id=session.id, seat=1, version=1, ticket=b"guess")
        (action,) = (await stub.SubmitActions(session_pb2.SubmitActionsRequest(actions=[late]), timeout=30)).actions
        assert action.refusal.reason == errors_pb2.REASON_NO_TOKEN


async def test_messages_that_break_their_bounds_are_refused(service: Service) -> None:
    with refused("MALFORMED"):
        await service.ask(play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id="0" * 41)))
    with refused("NO_SUCH_METHOD"):
        await service.ask(play_pb2.Call())


@pytest.mark.nightly
async def test_without_players_that_answer_a_session_goes_on_by_itself(service: Service) -> None:
    created = (await service.ask(creating("process-0002"))).create_session
    token, session_id = created.grants[0].seat_token, created.session.id
    seen = play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id=session_id, seat_token=token))
    update = (await service.ask(seen)).get_session.update
    act = play_pb2.ActRequest(
        session_id=session_id,
        seat_token=token,
        expected_version=update.version,
        action=update.actions[0].action,
        request_id="process-0003",
    )
    await service.ask(play_pb2.Call(act=act))
    async with asyncio.timeout(60):
        while (await service.ask(seen)).get_session.update.to_act != [0]:  # noqa: ASYNC110 - by itself, in time
            await asyncio.sleep(0.2)


async def test_watchers_are_fed_over_the_wire_and_told_when_the_process_ends(service: Service) -> None:
    session = (await service.ask(creating("process-0004"))).create_session.session
    stream: Any = service.stub.TailSessions()
    watch = play_pb2.WatchRequest(session_id=session.id, after_version=1)
    await stream.write(session_pb2.TailSessionsRequest(follow=[session_pb2.Follow(id=7, watch=watch)]))
    versions: list[int] = []
    while not versions or versions[-1] < session.version:
        response = await stream.read()
        for tail in response.tails:
            assert list(tail.ids) == [7]
            versions.append(play_pb2.WatchResponse.FromString(tail.message).update.version)
    assert versions == [0, *range(2, session.version + 1)]
    service.stopping.set()
    with refused("UNAVAILABLE"):
        try:
            while await stream.read():
                pass
        except grpc.aio.AioRpcError as error:
            raise of_rpc_error(error, "session service") from error


async def test_a_process_is_alive_but_not_ready_without_its_store_and_comes_back_with_it(short_path) -> None:
    async with running_rules() as rules_address:
        with running_redis() as url:
            service = Service(url, rules_address, str(short_path))
            await service.until(health_pb2.HealthCheckResponse.SERVING)
        try:
            await service.until(health_pb2.HealthCheckResponse.NOT_SERVING)
            await service.until(health_pb2.HealthCheckResponse.SERVING, "live")
            with refused("UNAVAILABLE") as caught:
                await service.ask(creating("process-0005"))
            assert caught.value.refusal.retry_after_ms
        finally:
            await service.close()


async def test_a_process_is_not_ready_without_rules(redis_url: str, short_path) -> None:
    service = Service(redis_url, f"127.0.0.1:{free_port()}", str(short_path))
    try:
        await service.until(health_pb2.HealthCheckResponse.SERVING, "live")
        await service.until(health_pb2.HealthCheckResponse.NOT_SERVING)
        with refused("UNAVAILABLE"):
            await service.ask(creating("process-0006"))
    finally:
        await service.close()
