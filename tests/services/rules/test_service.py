"""The rules service as a process, asked over real gRPC."""

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import grpc
import httpx
import psutil
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from brettwerk.v1 import einstein_pb2, errors_pb2, orders_pb2, record_pb2
from brettwerk_games.rules import registry
from services.rules.answers import answer
from services.rules.service import RulesProcess
from services.runtime.channel import open_channel
from services.runtime.link import LinkChannel, LinkServer, Methods
from services.runtime.refusal import Refused, of_rpc_error
from tests.callers import known
from tests.services.rules.asking import SEED, seen
from tests.services.rules.recording import Recording
from tests.services.runtime.process import ServiceProcess


@pytest.fixture(scope="module")
def process() -> Iterator[ServiceProcess]:
    with ServiceProcess("services.rules") as started:
        yield started


@pytest.fixture
async def stub(process: ServiceProcess) -> AsyncIterator[Any]:
    async with open_channel(process.address) as channel:
        yield rules_pb2_grpc.RulesServiceStub(channel)


@pytest.fixture
async def link(process: ServiceProcess) -> AsyncIterator[Any]:
    async with LinkChannel(process.links, "rules") as channel:
        yield rules_pb2_grpc.RulesServiceStub(channel)


def questions() -> list[tuple[str, Message]]:
    """Return one request for every method by its name; some are refused."""
    first = answer("new_position", rules_pb2.NewPositionRequest(game="einstein", seats=2, step_seed=SEED, audiences=1))
    assert isinstance(first, rules_pb2.NewPositionResponse)
    position, seat = first.step.position, seen(first.step, 0)
    action = seat.actions[0].action
    recording = Recording(registry.games()["einstein"]).start().play(random.Random(2))
    ein: Any = {"game": "einstein"}
    options = AnyMessage()
    options.Pack(einstein_pb2.EinsteinOptions(show_roll=True))
    done = rules_pb2.SeatAction(seat=0, action=action)
    late = rules_pb2.SeatAction(seat=1, action=action)
    ply = record_pb2.Ply(actor=1, action=action, seed=SEED)
    variation = record_pb2.Loaded(variation=[record_pb2.Ply(seed=SEED), ply])
    apply = rules_pb2.ApplyActionRequest
    order = orders_pb2.Order(planned=orders_pb2.PlannedActions(actions=[orders_pb2.PlannedAction(action=action)]))
    return [
        ("FindGames", rules_pb2.FindGamesRequest()),
        ("FindGame", rules_pb2.FindGameRequest(language="de", **ein)),
        ("FindGame", rules_pb2.FindGameRequest(language="it", **ein)),
        ("FindGame", rules_pb2.FindGameRequest(game="x" * 33)),
        ("FindOdds", rules_pb2.FindOddsRequest(game="emperado")),
        ("FindOdds", rules_pb2.FindOddsRequest(game="nothing")),
        ("TryStart", rules_pb2.TryStartRequest(seats=2, **ein)),
        ("NewPosition", rules_pb2.NewPositionRequest(seats=2, step_seed=SEED, **ein)),
        ("ApplyAction", apply(position=position, action=done, step_seed=SEED, **ein)),
        ("ApplyAction", apply(position=position, action=late, step_seed=SEED, **ein)),
        ("PlayOn", rules_pb2.PlayOnRequest(position=position, plies=[ply, ply], audiences=1, shown=1, **ein)),
        ("LegalActions", rules_pb2.LegalActionsRequest(view=seat.view, **ein)),
        ("ViewPosition", rules_pb2.ViewPositionRequest(position=position, **ein)),
        ("DrawScene", rules_pb2.DrawSceneRequest(view=seat.view, **ein)),
        ("ParseNotation", rules_pb2.ParseNotationRequest(view=seat.view, notation="?", **ein)),
        ("FormatNotation", rules_pb2.FormatNotationRequest(view=seat.view, action=action, **ein)),
        ("NameExpiry", rules_pb2.NameExpiryRequest(view=seat.view, **ein)),
        ("NameRematch", rules_pb2.NameRematchRequest(first_position=position, **ein)),
        ("SplitOptions", rules_pb2.SplitOptionsRequest(seats=2, wanted=options, **ein)),
        ("DealOptions", rules_pb2.DealOptionsRequest(order=[1, 0], **ein)),
        ("VerifyRecord", rules_pb2.VerifyRecordRequest(record=recording.done())),
        ("SurveyRecord", rules_pb2.SurveyRecordRequest(packed_record=recording.done().SerializeToString())),
        ("FormatText", rules_pb2.FormatTextRequest(seats=2, packed_variation=variation.SerializeToString(), **ein)),
        ("ParseText", rules_pb2.ParseTextRequest(text="1. nothing", **ein)),
        ("CheckOrders", rules_pb2.CheckOrdersRequest(view=seat.view, orders=[order], **ein)),
        ("FollowOrders", rules_pb2.FollowOrdersRequest(view=seat.view, orders=[order], **ein)),
    ]


async def _ask(stub: Any, method: str, request: Message) -> Message:
    try:
        response: Message = await getattr(stub, method)(request, timeout=20)
    except grpc.RpcError as error:
        return _without_trace(of_rpc_error(error, "rules"))
    except Refused as refused:
        return _without_trace(refused)
    return _without_time(response)


def _without_trace(refused: Refused) -> Message:
    refused.refusal.ClearField("trace_id")
    return refused.refusal


def _without_time(response: Message) -> Message:
    if "cpu_us" in response.DESCRIPTOR.fields_by_name:
        response.ClearField("cpu_us")
    return response


async def test_every_call_is_answered_alike_alone_and_over_a_link(stub: Any, link: Any) -> None:
    asked = questions()
    methods = {method.name for method in rules_pb2.DESCRIPTOR.services_by_name["RulesService"].methods}
    assert {method for method, _ in asked} == methods - {"PlayVariation"}
    alone = [await _ask(stub, method, request) for method, request in asked]
    together = await asyncio.gather(*(_ask(link, method, request) for method, request in asked))
    assert alone == list(together)
    assert [type(response).__name__ for response in alone].count("Refusal") == 5
    assert alone[3].field == "game"  # type: ignore[attr-defined]


async def test_a_refusal_carries_its_reason_and_rule(stub: Any) -> None:
    late = [request for method, request in questions() if method == "ApplyAction"][1]
    refused = await _ask(stub, "ApplyAction", late)
    assert isinstance(refused, errors_pb2.Refusal)
    assert (refused.reason, refused.rule) == (errors_pb2.REASON_NOT_YOUR_TURN, "EWN-TURN-1")


def test_reflection_describes_the_service(process: ServiceProcess) -> None:
    """As grpcurl does it: list the services, describe one, and find every type that its methods take and give."""
    with known(grpc.insecure_channel(process.address)) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        services = set(database.get_services())
        assert {"brettwerk.internal.v1.RulesService", "grpc.health.v1.Health"} <= services
        service = DescriptorPool(database).FindServiceByName("brettwerk.internal.v1.RulesService")
        assert [method.name for method in service.methods] == [
            method.name for method in rules_pb2.DESCRIPTOR.services_by_name["RulesService"].methods
        ]
        assert all(method.input_type.fields is not None for method in service.methods)


async def test_the_process_is_ready_and_shows_what_it_has_done(process: ServiceProcess, stub: Any) -> None:
    async with open_channel(process.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", "live", "brettwerk.internal.v1.RulesService"):
            response = await health.Check(health_pb2.HealthCheckRequest(service=name), timeout=10)
            assert response.status == health_pb2.HealthCheckResponse.SERVING
    await stub.FindGames(rules_pb2.FindGamesRequest(), timeout=10)
    async with httpx.AsyncClient(timeout=20) as client:
        metrics = (await client.get(f"http://{process.metrics}/metrics", timeout=10)).text
    assert 'brettwerk_calls_total{code="OK",method="FindGames",service="rules"}' in metrics
    assert 'brettwerk_build_info{service="rules"' in metrics


async def test_calls_over_a_link_are_counted_like_others(process: ServiceProcess, link: Any) -> None:
    with pytest.raises(Refused):
        await link.DrawScene(rules_pb2.DrawSceneRequest(game="ludo"), timeout=20)
    async with httpx.AsyncClient(timeout=20) as client:
        metrics = (await client.get(f"http://{process.metrics}/metrics", timeout=10)).text
    assert 'brettwerk_calls_total{code="NOT_FOUND",method="DrawScene",service="rules"} 1.0' in metrics


async def test_a_game_that_cannot_be_loaded_keeps_the_service_from_being_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ImportError("a folder without a game")

    monkeypatch.setattr(registry, "games", broken)
    process = RulesProcess()
    await process.start(grpc.aio.server())
    assert not await process.is_ready()
    monkeypatch.undo()
    process = RulesProcess()
    await process.start(grpc.aio.server())
    assert await process.is_ready()


async def test_the_setting_says_which_games_are_listed_first() -> None:
    with ServiceProcess("services.rules", BRETTWERK_FIRST_GAMES="wec, plateau") as process:
        async with LinkChannel(process.links, "rules") as channel:
            stub = rules_pb2_grpc.RulesServiceStub(channel)
            listed = (await stub.FindGames(rules_pb2.FindGamesRequest(), timeout=20)).games
            assert [game.id for game in listed][:3] == ["wec", "plateau", "einstein"]


async def test_the_process_ends_in_order_while_a_link_is_open() -> None:
    """The link's calls are answered, the link goes, and nothing waits for the end of the grace time."""
    with ServiceProcess("services.rules", BRETTWERK_DRAIN_S="0", BRETTWERK_GRACE_S="200") as process:
        async with LinkChannel(process.links, "rules") as channel:
            stub = rules_pb2_grpc.RulesServiceStub(channel)
            assert (await stub.FindGames(rules_pb2.FindGamesRequest(), timeout=20)).games
            process.signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait, 30) == 0


async def test_no_process_that_checks_outlives_the_service() -> None:
    own = psutil.Process()
    before = set(own.children())
    methods = Methods("rules")
    rules = RulesProcess()
    await rules.start(cast(Any, methods))
    server = LinkServer(methods)
    async with LinkChannel(await server.listen("127.0.0.1:0"), "rules") as channel:
        record = Recording(registry.games()["einstein"]).start().play(random.Random(2)).done()
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        assert (await stub.VerifyRecord(rules_pb2.VerifyRecordRequest(record=record), timeout=20)).verification.good
        checking = set(own.children()) - before
        assert checking
        await server.stop(0)
        await rules.stop()
    assert not checking & set(own.children())
