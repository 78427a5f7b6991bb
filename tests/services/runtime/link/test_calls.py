"""Calls over a link, and their answers."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

from brettwerk.internal.v1 import rules_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime import call_scope, trace
from services.runtime.refusal import Refused, malformed
from tests.services.runtime.link.ends import (
    AtOnce,
    Awaited,
    Handle,
    Request,
    Response,
    both_ways,
    echo,
    linked,
    reason_of,
    said,
    say,
    servicer_of,
    slow_echo,
    socket_in,
)


@both_ways
@pytest.mark.parametrize("is_local", [False, True], ids=["tcp", "unix"])
async def test_every_caller_gets_its_own_answer(handle: Handle, is_local: bool, short_path: Path) -> None:
    async with linked(servicer_of(handle), socket_in(short_path) if is_local else "127.0.0.1:0") as (stub, _):
        texts = [str(n) for n in range(3000)]
        answers = await asyncio.gather(*(stub.FindGames(say(text), timeout=20) for text in texts))
        assert [answer.next_page_token for answer in answers] == texts


@pytest.mark.parametrize("is_awaited", [False, True])
async def test_a_refusal_arrives_as_it_was_raised(is_awaited: bool) -> None:
    def refuse(_: Request) -> Response:
        raise Refused(
            errors_pb2.REASON_STALE_VERSION, "too late", rule="X-1", details={"a": "b"}, retry_after_ms=5, head_version=9
        )

    servicer: Any = Awaited(refuse) if is_awaited else AtOnce(refuse)  # type: ignore[abstract]
    async with linked(servicer) as (stub, _):
        refusal = await reason_of(stub.FindGames(say(""), timeout=20))
        assert (refusal.reason, refusal.message, refusal.rule, dict(refusal.details)) == (
            errors_pb2.REASON_STALE_VERSION,
            "too late",
            "X-1",
            {"a": "b"},
        )
        assert (refusal.code, refusal.retry_after_ms, refusal.head_version) == (10, 5, 9)


@pytest.mark.parametrize("is_awaited", [False, True])
async def test_a_fault_tells_nothing_and_the_link_lives(is_awaited: bool) -> None:
    def fail(request: Request) -> Response:
        if request.page_token:
            return echo(request)
        raise RuntimeError("the secret is 42")

    servicer: Any = Awaited(fail) if is_awaited else AtOnce(fail)  # type: ignore[abstract]
    async with linked(servicer) as (stub, _):
        refusal = await reason_of(stub.FindGames(say(""), timeout=20))
        assert refusal.reason == errors_pb2.REASON_INTERNAL
        assert "secret" not in str(refusal)
        assert refusal.trace_id
        assert (await stub.FindGames(say("on"), timeout=20)).next_page_token == "on"


async def test_a_method_that_is_marked_at_once_and_waits_is_a_fault_of_ours() -> None:
    class Liar(AtOnce):
        async def FindGames(self, request: Request, context: Any) -> Response:
            await asyncio.sleep(0)
            return echo(request)

        FindGames.is_answered_at_once = True  # type: ignore[attr-defined]

    async with linked(Liar(echo)) as (stub, _):  # type: ignore[abstract]
        assert (await reason_of(stub.FindGames(say(""), timeout=20))).reason == errors_pb2.REASON_INTERNAL


@both_ways
async def test_each_call_runs_in_the_trace_of_its_caller(handle: Handle) -> None:
    async def traced(_: Request) -> Response:
        await asyncio.sleep(0)
        return said(trace.trace_id())

    def traced_at_once(_: Request) -> Response:
        return said(trace.trace_id())

    servicer: Any = AtOnce(traced_at_once) if handle is echo else Awaited(traced)  # type: ignore[abstract]
    async with linked(servicer) as (stub, _):

        async def call() -> tuple[str, str]:
            trace.begin()
            answer = await stub.FindGames(say("x"), timeout=20)
            return trace.trace_id(), answer.next_page_token

        pairs = await asyncio.gather(*(asyncio.create_task(call()) for _ in range(20)))
        assert all(mine == theirs for mine, theirs in pairs)
        assert len({mine for mine, _ in pairs}) == 20


@both_ways
async def test_listeners_are_told_of_answers_and_refusals_and_of_calls_that_were_given_up(handle: Handle) -> None:
    async with linked(servicer_of(handle)) as (stub, _):
        received: list[Any] = []
        calls = [stub.FindGames(say(text), timeout=20) for text in ("a", "b", "given up", "c")]
        for call in calls:
            call.tell(received.append)
        calls[2].cancel()
        await asyncio.wait(calls)
        assert set(received) == set(calls)
        late = stub.FindGames(say("d"), timeout=20)
        await asyncio.wait([late])
        late.tell(received.append)
        await asyncio.sleep(0)
        assert received[-1] is late


async def test_listeners_are_told_of_refusals() -> None:
    def refuse(_: Request) -> Response:
        raise malformed("", "no")

    async with linked(AtOnce(refuse)) as (stub, _):  # type: ignore[abstract]
        received: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        call = stub.FindGames(say(""), timeout=20)
        call.tell(received.set_result)
        assert await received is call
        assert (await reason_of(call)).reason == errors_pb2.REASON_MALFORMED


async def test_a_listener_that_fails_keeps_no_answer_from_others() -> None:
    def fail(_: Any) -> None:
        raise ZeroDivisionError

    async with linked(AtOnce(echo)) as (stub, _):  # type: ignore[abstract]
        calls = [stub.FindGames(say(str(n)), timeout=20) for n in range(3)]
        calls[0].tell(fail)
        assert [(await call).next_page_token for call in calls] == ["0", "1", "2"]
        assert (await stub.FindGames(say("still"), timeout=20)).next_page_token == "still"


async def test_a_refusal_names_the_callers_trace() -> None:
    def refuse(_: Request) -> Response:
        raise malformed("x", "no")

    async with linked(AtOnce(refuse)) as (stub, _):  # type: ignore[abstract]
        trace.begin()
        assert (await reason_of(stub.FindGames(say("x"), timeout=20))).trace_id == trace.trace_id()


async def test_the_cost_of_a_call_to_its_server_is_charged_to_its_caller() -> None:
    def busy(request: Request) -> Response:
        sum(range(200_000))
        return echo(request)

    def refuse(_: Request) -> Response:
        refused = malformed("x", "no")
        refused.spent_s = 0.25
        raise refused

    async with linked(AtOnce(busy)) as (stub, _):  # type: ignore[abstract]
        measured = call_scope.Spent()
        with measured.here():
            await stub.FindGames(say("x"), timeout=20)
        assert measured.seconds > 0.0005
    async with linked(Awaited(refuse)) as (stub, _):  # type: ignore[abstract]
        measured = call_scope.Spent()
        with measured.here():
            await reason_of(stub.FindGames(say("x"), timeout=20))
        assert measured.seconds == 0.25


def counted(code: str) -> float:
    labels = {"service": "linked", "method": "FindGames", "code": code}
    return REGISTRY.get_sample_value("brettwerk_calls_total", labels) or 0.0


@both_ways
async def test_calls_are_counted_by_what_became_of_them(handle: Handle) -> None:
    before = {code: counted(code) for code in ("OK", "INVALID_ARGUMENT")}
    async with linked(servicer_of(handle)) as (stub, _):
        await stub.FindGames(say("x"), timeout=20)
        await reason_of(stub.FindGames(Request(page_size=101), timeout=20))
        assert {code: counted(code) - count for code, count in before.items()} == dict.fromkeys(before, 1.0)


async def test_a_method_that_the_server_has_not_is_refused() -> None:
    async with linked(Awaited(slow_echo)) as (stub, _):  # type: ignore[abstract]
        gone = stub.channel.unary_unary(
            "/brettwerk.internal.v1.RulesService/Cheat", Request.SerializeToString, Response.FromString, _registered_method=True
        )
        assert (await reason_of(gone(say("x"), timeout=20))).reason == errors_pb2.REASON_NO_SUCH_METHOD
        refusal = await reason_of(stub.NameRematch(rules_pb2.NameRematchRequest(game="x"), timeout=20))
        assert refusal.reason == errors_pb2.REASON_INTERNAL  # the servicer of this test does not have it


async def test_a_channel_leads_to_one_service() -> None:
    async with linked(Awaited(slow_echo)) as (stub, _):  # type: ignore[abstract]
        with pytest.raises(ValueError, match="leads to one service"):
            session_pb2_grpc.SessionServiceStub(stub.channel)
