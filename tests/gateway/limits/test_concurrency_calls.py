"""Few costly calls of an address are worked on at a time; the others wait in order, and too many are refused."""

import asyncio

import pytest

from brettwerk.v1 import errors_pb2
from gateway.limits.concurrency import AddressQueue
from services.runtime.refusal import Refused


class Work:
    """Calls that stay until they are let go."""

    def __init__(self, turns: AddressQueue) -> None:
        self.turns = turns
        self.began: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}

    def begin(self, name: str, key: str = "a") -> "asyncio.Task[None]":
        self.gates[name] = asyncio.Event()

        async def work() -> None:
            async with self.turns.one(key):
                self.began.append(name)
                await self.gates[name].wait()

        return asyncio.create_task(work())


async def let_loop_run() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_calls_wait_for_their_turn_and_those_of_other_addresses_do_not() -> None:
    work = Work(AddressQueue(at_once=2, waiting=9))
    tasks = {name: work.begin(name) for name in ("a1", "a2", "a3", "a4")}
    tasks["b1"] = work.begin("b1", "b")
    await let_loop_run()
    assert work.began == ["a1", "a2", "b1"]
    work.gates["a2"].set()
    await let_loop_run()
    assert work.began[3:] == ["a3"]
    for gate in work.gates.values():
        gate.set()
    await asyncio.gather(*tasks.values())
    assert work.began[4:] == ["a4"]
    assert not work.turns._running
    assert not work.turns._queues


async def test_too_many_are_refused_with_a_time_to_come_again() -> None:
    work = Work(AddressQueue(at_once=1, waiting=1))
    tasks = [work.begin("first"), work.begin("second")]
    await let_loop_run()
    with pytest.raises(Refused) as refused:
        await work.begin("third")
    assert refused.value.reason == errors_pb2.REASON_FULL
    assert refused.value.refusal.retry_after_ms
    for gate in work.gates.values():
        gate.set()
    await asyncio.gather(*tasks)


async def test_a_client_that_leaves_while_waiting_or_just_let_in_keeps_nobody_back() -> None:
    work = Work(AddressQueue(at_once=1, waiting=9))
    first, second, third, fourth = (work.begin(name) for name in ("1", "2", "3", "4"))
    await let_loop_run()
    second.cancel()
    work.gates["1"].set()
    await first
    third.cancel()  # it has been let in, and does not know yet
    work.gates["4"].set()
    await asyncio.wait_for(fourth, 20)
    await asyncio.gather(second, third, return_exceptions=True)
    assert not work.turns._running
