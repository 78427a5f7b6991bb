"""Calls that are begun without a task: they are answered, refused, given up, or carried out by the method after all."""

import asyncio
from typing import Any

import pytest

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.link import GiveUp, LinkChannel, Reply, begun_by
from services.runtime.refusal import Refused
from tests.services.runtime.link.ends import served

Request = rules_pb2.FindGamesRequest
Response = rules_pb2.FindGamesResponse


class Beginning(rules_pb2_grpc.RulesServiceServicer):
    """Begins calls, and leaves what becomes of them to the test; those of page size 9 it does not begin."""

    def __init__(self) -> None:
        self.replies: asyncio.Queue[Reply] = asyncio.Queue()
        self.given_up: asyncio.Queue[str] = asyncio.Queue()
        self.tasks = 0

    @begun_by("begin")
    async def FindGames(self, request: Request, context: Any) -> Response:
        self.tasks += 1
        return Response(next_page_token=f"by the method: {request.page_token}")

    def begin(self, request: Request, reply: Reply) -> GiveUp | None:
        if request.page_size == 9:
            return None
        self.replies.put_nowait(reply)
        if request.page_size == 8:
            reply.answer(Response(next_page_token="at once"))
        return lambda: self.given_up.put_nowait(request.page_token)


async def test_a_call_that_is_begun_is_answered_when_that_is_known() -> None:
    servicer: Any = Beginning()  # type: ignore[abstract]
    async with served(servicer) as (_, address), LinkChannel(address, "rules") as channel:
        asked = [rules_pb2_grpc.RulesServiceStub(channel).FindGames(Request(page_token=f"{n}"), timeout=10) for n in range(3)]
        for number in range(3):
            (await servicer.replies.get()).answer(Response(next_page_token=f"answer {number}"))
        assert [(await one).next_page_token for one in asked] == ["answer 0", "answer 1", "answer 2"]
        assert not servicer.tasks


async def test_a_call_that_is_begun_may_be_answered_at_once_and_its_end_is_not_waited_for() -> None:
    servicer: Any = Beginning()  # type: ignore[abstract]
    async with served(servicer) as (server, address), LinkChannel(address, "rules") as channel:
        answer = await rules_pb2_grpc.RulesServiceStub(channel).FindGames(Request(page_size=8), timeout=10)
        assert answer.next_page_token == "at once"
        assert server._is_idle()


@pytest.mark.parametrize("page_size", [0, 9])
async def test_the_method_carries_out_what_cannot_be_begun_or_turns_out_to_be_unusual(page_size: int) -> None:
    servicer: Any = Beginning()  # type: ignore[abstract]
    async with served(servicer) as (_, address), LinkChannel(address, "rules") as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        asked = stub.FindGames(Request(page_size=page_size, page_token="x"), timeout=10)
        if not page_size:
            reply = await servicer.replies.get()
            reply.carry_out()
            reply.answer(Response(next_page_token="too late"))
            reply.carry_out()
        assert (await asked).next_page_token == "by the method: x"
        assert servicer.tasks == 1


async def test_a_call_that_is_begun_is_refused_and_a_fault_tells_nothing() -> None:
    servicer: Any = Beginning()  # type: ignore[abstract]
    async with served(servicer) as (_, address), LinkChannel(address, "rules") as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        for error, reason in (
            (Refused(errors_pb2.REASON_FULL, "full"), errors_pb2.REASON_FULL),
            (KeyError("secret"), errors_pb2.REASON_INTERNAL),
        ):
            asked = stub.FindGames(Request(), timeout=10)
            (await servicer.replies.get()).refuse(error)
            with pytest.raises(Refused) as refused:
                await asked
            assert refused.value.reason == reason
            assert "secret" not in str(refused.value.refusal)


async def test_a_call_is_given_up_when_its_caller_goes_or_its_time_is_over() -> None:
    servicer: Any = Beginning()  # type: ignore[abstract]
    async with served(servicer) as (server, address), LinkChannel(address, "rules") as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        asked = stub.FindGames(Request(page_token="gone"), timeout=10)
        reply = await servicer.replies.get()
        asked.cancel()
        assert await servicer.given_up.get() == "gone"
        with pytest.raises(Refused):
            await stub.FindGames(Request(page_token="late"), timeout=0.3)
        assert await servicer.given_up.get() == "late"
        reply.answer(Response(next_page_token="nobody waits"))
        assert server._is_idle()
    assert servicer.given_up.empty()


async def test_what_is_begun_is_given_up_when_the_connection_breaks() -> None:
    servicer: Any = Beginning()  # type: ignore[abstract]
    async with served(servicer) as (_, address):
        async with LinkChannel(address, "rules") as channel:
            asked = rules_pb2_grpc.RulesServiceStub(channel).FindGames(Request(page_token="broken"), timeout=10)
            await servicer.replies.get()
        with pytest.raises(Refused):
            await asked
        assert await servicer.given_up.get() == "broken"
