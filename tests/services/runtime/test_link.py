"""What goes over a link and comes back."""

import asyncio

import pytest

from brettwerk.v1 import errors_pb2
from services.runtime import trace
from services.runtime.link import bounds
from services.runtime.refusal import Refused, malformed
from tests.services.runtime.links import (
    Answer,
    Call,
    Handle,
    both_ways,
    echo,
    linked,
    reason_of,
    said,
    say,
)


@both_ways
async def test_every_caller_gets_its_own_answer(handle: Handle) -> None:
    async with linked(handle) as (client, server):
        texts = [str(n) for n in range(3000)]
        answers = await asyncio.gather(*(client.call(say(text), 20) for text in texts))
        assert [answer.find_games.next_page_token for answer in answers] == texts
        assert server.streams == 1
        assert max(server.batches) <= bounds.BATCH
        assert len(server.batches) < len(texts) / 10, "what waits goes out together"


async def test_a_call_that_is_alone_does_not_wait_for_company() -> None:
    async with linked(echo) as (client, server):
        for n in range(5):
            assert (await client.call(say(str(n)), 20)).find_games.next_page_token == str(n)
        assert server.batches == [1] * 5


@pytest.mark.parametrize("is_awaited", [False, True])
async def test_a_refusal_arrives_as_it_was_raised(is_awaited: bool) -> None:
    def refuse(_: Call) -> Answer:
        raise Refused(
            errors_pb2.REASON_STALE_VERSION, "too late", rule="X-1", details={"a": "b"}, retry_after_ms=5, head_version=9
        )

    async def refuse_later(call: Call) -> Answer:
        return refuse(call)

    async with linked(refuse_later if is_awaited else refuse) as (client, _):
        refusal = await reason_of(client.call(say(""), 20))
        assert (refusal.reason, refusal.message, refusal.rule, dict(refusal.details)) == (
            errors_pb2.REASON_STALE_VERSION,
            "too late",
            "X-1",
            {"a": "b"},
        )
        assert (refusal.code, refusal.retry_after_ms, refusal.head_version) == (10, 5, 9)


@pytest.mark.parametrize("is_awaited", [False, True])
async def test_a_fault_tells_nothing_and_the_link_lives(is_awaited: bool) -> None:
    def fail(call: Call) -> Answer:
        if call.find_games.page_token:
            return echo(call)
        raise RuntimeError("the secret is 42")

    async def fail_later(call: Call) -> Answer:
        return fail(call)

    async with linked(fail_later if is_awaited else fail) as (client, server):
        refusal = await reason_of(client.call(say(""), 20))
        assert refusal.reason == errors_pb2.REASON_INTERNAL
        assert "secret" not in str(refusal)
        assert refusal.trace_id
        assert (await client.call(say("on"), 20)).find_games.next_page_token == "on"
        assert server.streams == 1


@both_ways
async def test_each_call_runs_in_the_trace_of_its_caller(handle: Handle) -> None:
    async def traced(call: Call) -> Answer:
        await asyncio.sleep(0)
        return said(trace.trace_id())

    def traced_at_once(_: Call) -> Answer:
        return said(trace.trace_id())

    async with linked(traced_at_once if handle is echo else traced) as (client, _):

        async def call() -> tuple[str, str]:
            trace.begin()
            answer = await client.call(say("x"), 20)
            return trace.trace_id(), answer.find_games.next_page_token

        pairs = await asyncio.gather(*(asyncio.create_task(call()) for _ in range(20)))
        assert all(mine == theirs for mine, theirs in pairs)
        assert len({mine for mine, _ in pairs}) == 20


async def test_a_refusal_of_the_server_names_the_callers_trace() -> None:
    def refuse(_: Call) -> Answer:
        raise malformed("x", "no")

    async with linked(refuse) as (client, _):
        trace.begin()
        assert (await reason_of(client.call(say("x"), 20))).trace_id == trace.trace_id()
