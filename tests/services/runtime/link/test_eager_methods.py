"""Calls of eager methods: they are answered, refused and given up as any others, and take no task until they need one."""

import asyncio
from typing import Any

import pytest

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.link import LinkChannel, eager
from services.runtime.refusal import Refused
from services.runtime.tasks import PromptFuture
from tests.services.runtime.link.ends import served

Request = rules_pb2.FindGamesRequest
Response = rules_pb2.FindGamesResponse


class Eager(rules_pb2_grpc.RulesServiceServicer):
    """Leaves to the test what calls get; those of page size 8 are answered at once, those of 9 only after others had a turn."""

    def __init__(self) -> None:
        self.open: asyncio.Queue[PromptFuture[Response]] = asyncio.Queue()
        self.given_up: asyncio.Queue[str] = asyncio.Queue()

    @eager
    async def FindGames(self, request: Request, context: Any) -> Response:
        if request.page_size == 8:
            return Response(next_page_token="at once")
        if request.page_size == 9:
            await asyncio.sleep(0)
        answer: PromptFuture[Response] = PromptFuture(loop=asyncio.get_running_loop())
        self.open.put_nowait(answer)
        try:
            return await answer
        except asyncio.CancelledError:
            self.given_up.put_nowait(request.page_token)
            raise


async def test_a_call_is_answered_in_the_moment_when_its_answer_is_there_and_without_a_task() -> None:
    servicer: Any = Eager()  # type: ignore[abstract]
    async with served(servicer) as (_, address), LinkChannel(address, "rules") as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        first = stub.FindGames(Request(page_token="0"), timeout=10)
        answer = await servicer.open.get()
        tasks = asyncio.all_tasks()
        calls = [first, *(stub.FindGames(Request(page_token=f"{n}"), timeout=10) for n in range(1, 3))]
        answers = [answer, await servicer.open.get(), await servicer.open.get()]
        assert asyncio.all_tasks() == tasks
        for number, one in enumerate(answers):
            one.set_result(Response(next_page_token=f"answer {number}"))
        assert [(await one).next_page_token for one in calls] == ["answer 0", "answer 1", "answer 2"]


async def test_a_call_may_be_answered_at_once_and_its_end_is_not_waited_for() -> None:
    servicer: Any = Eager()  # type: ignore[abstract]
    async with served(servicer) as (server, address), LinkChannel(address, "rules") as channel:
        answer = await rules_pb2_grpc.RulesServiceStub(channel).FindGames(Request(page_size=8), timeout=10)
        assert answer.next_page_token == "at once"
        assert server._is_idle()


@pytest.mark.parametrize("page_size", [0, 9])
async def test_a_call_is_refused_and_a_fault_tells_nothing(page_size: int) -> None:
    servicer: Any = Eager()  # type: ignore[abstract]
    async with served(servicer) as (server, address), LinkChannel(address, "rules") as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        for error, reason in (
            (Refused(errors_pb2.REASON_FULL, "full"), errors_pb2.REASON_FULL),
            (KeyError("secret"), errors_pb2.REASON_INTERNAL),
        ):
            asked = stub.FindGames(Request(page_size=page_size), timeout=10)
            (await servicer.open.get()).set_exception(error)
            with pytest.raises(Refused) as refused:
                await asked
            assert refused.value.reason == reason
            assert "secret" not in str(refused.value.refusal)
        assert server._is_idle()


@pytest.mark.parametrize("page_size", [0, 9])
async def test_a_call_is_given_up_when_its_caller_goes_or_its_time_is_over(page_size: int) -> None:
    servicer: Any = Eager()  # type: ignore[abstract]
    async with served(servicer) as (server, address), LinkChannel(address, "rules") as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        asked = stub.FindGames(Request(page_token="gone", page_size=page_size), timeout=10)
        answer = await servicer.open.get()
        asked.cancel()
        assert await servicer.given_up.get() == "gone"
        assert answer.cancelled()
        with pytest.raises(Refused):
            await stub.FindGames(Request(page_token="late", page_size=page_size), timeout=0.3)
        assert await servicer.given_up.get() == "late"
        assert server._is_idle()
    assert servicer.given_up.empty()


async def test_an_open_call_is_given_up_when_the_connection_breaks() -> None:
    servicer: Any = Eager()  # type: ignore[abstract]
    async with served(servicer) as (_, address):
        async with LinkChannel(address, "rules") as channel:
            asked = rules_pb2_grpc.RulesServiceStub(channel).FindGames(Request(page_token="broken"), timeout=10)
            await servicer.open.get()
        with pytest.raises(Refused):
            await asked
        assert await servicer.given_up.get() == "broken"
