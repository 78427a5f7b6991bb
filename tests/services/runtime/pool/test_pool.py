"""Heavy requests run beside the service: bounded, in turn, and whatever becomes of a process, who waits gets an answer."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import DecodeError

from brettwerk.v1 import errors_pb2
from services.runtime.call_scope import Spent
from services.runtime.pool import frames
from services.runtime.pool import pool as pools
from services.runtime.pool.pool import FairQueue, Pool, Processes
from services.runtime.pool.process import Process
from services.runtime.refusal import Refused
from tests.night import at_night
from tests.services.runtime.pool.work import TARGET

OpenPool = Callable[..., Pool]


@pytest.fixture
async def open_pool() -> AsyncIterator[OpenPool]:
    opened: list[Pool] = []

    def open_one(**changes: Any) -> Pool:
        pool = Pool("test", TARGET, **changes)
        opened.append(pool)
        return pool

    yield open_one
    for pool in opened:
        await pool.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - processes set no event
            await asyncio.sleep(0.01)


def runs(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_a_request_is_answered_by_another_process_which_is_kept(open_pool: OpenPool) -> None:
    pool = open_pool()
    large = bytes(range(1, 32)) * 100_000
    assert await pool.run(b"echo " + large.replace(b" ", b"")) == large.replace(b" ", b"")
    pid = int(await pool.run(b"pid"))
    assert pid != os.getpid()
    assert int(await pool.run(b"pid")) == pid
    assert pool.pids == {pid}
    await pool.close()
    assert not runs(pid)


async def test_refusals_come_through_and_faults_are_reported_as_such(open_pool: OpenPool) -> None:
    pool = open_pool()
    with pytest.raises(Refused) as refused:
        await pool.run(b"refuse")
    assert refused.value.reason == errors_pb2.REASON_MALFORMED
    assert refused.value.refusal.field == "moves.x"
    with pytest.raises(Refused) as failed:
        await pool.run(b"fail")
    assert failed.value.reason == errors_pb2.REASON_INTERNAL
    assert await pool.run(b"print") == b"quiet"


async def test_a_request_ends_when_its_cpu_time_is_over_and_that_is_counted(open_pool: OpenPool) -> None:
    pool, spent = open_pool(cpu_s=0.2), Spent()
    with spent.here():
        assert await pool.run(b"burn") == b"burnt"
    assert 0.19 <= spent.seconds < 5, "the kernel's clock of a process may lag a little behind its timer"


@pytest.mark.nightly
@pytest.mark.parametrize("request_", [b"sleep", b"deaf"])
async def test_a_process_that_does_not_hear_is_killed_and_replaced(open_pool: OpenPool, request_: bytes) -> None:
    pool = open_pool(cpu_s=0.5, wall_s=5 if request_ == b"sleep" else 150)
    pid = int(await pool.run(b"pid"))
    with pytest.raises(Refused) as refused:
        await pool.run(request_)
    assert refused.value.reason == errors_pb2.REASON_DEADLINE
    assert int(await pool.run(b"pid")) != pid
    assert not runs(pid)


async def test_a_killed_process_is_replaced_and_its_caller_is_told(open_pool: OpenPool, tmp_path: Path) -> None:
    pool = open_pool()
    pid = int(await pool.run(b"pid"))
    waiting = asyncio.create_task(pool.run(b"wait " + os.fsencode(tmp_path / "never")))
    await asyncio.sleep(0)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(Refused) as refused:
        await waiting
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE
    assert refused.value.refusal.retry_after_ms
    assert int(await pool.run(b"pid")) != pid


@pytest.mark.parametrize("fault", [OSError("no memory"), at_night(RuntimeError("a fault")), at_night(TimeoutError())])
async def test_a_process_that_does_not_start_is_tried_again(
    open_pool: OpenPool, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    monkeypatch.setattr(pools, "PAUSE_S", 0.01)
    start, faults = Process.start, [fault] * (pools.MAX_START_ATTEMPTS - 1)

    async def may_fail(*arguments: Any) -> Process:
        if faults:
            raise faults.pop()
        return await start(*arguments)

    monkeypatch.setattr(Process, "start", may_fail)
    pool = open_pool()
    assert await pool.run(b"echo on") == b"on"
    pid = int(await pool.run(b"pid"))
    faults[:] = [fault] * pools.MAX_START_ATTEMPTS
    os.kill(pid, signal.SIGKILL)
    await until(lambda: not pool.pids)
    with pytest.raises(Refused) as refused:
        await pool.run(b"echo on")
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE
    assert refused.value.refusal.retry_after_ms
    assert await pool.run(b"echo on") == b"on"


async def test_a_process_that_hangs_while_it_starts_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "START_S", 0.2)
    monkeypatch.setattr(pools, "PAUSE_S", 0.01)
    pool = Pool("test", "tests.services.runtime.pool.hanging:work")
    with pytest.raises(Refused) as refused:
        await pool.run(b"")
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE
    await pool.close()


async def test_a_caller_waiting_for_a_starting_process_is_told_when_the_pool_ends() -> None:
    pool = Pool("test", "tests.services.runtime.pool.hanging:work")
    waiting = asyncio.create_task(pool.run(b""))
    await until(lambda: bool(pool._runners) and not len(pool._queue))
    await pool.close()
    with pytest.raises(Refused) as refused:
        await waiting
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE


@pytest.mark.nightly
async def test_an_invalid_response_costs_the_process_and_its_caller_is_told(
    open_pool: OpenPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = open_pool()
    pid = int(await pool.run(b"pid"))

    async def garbage(*_: Any) -> Any:
        raise DecodeError

    with monkeypatch.context() as patch:
        patch.setattr(frames, "read_response", garbage)
        with pytest.raises(Refused) as refused:
            await pool.run(b"echo x")
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE
    assert int(await pool.run(b"pid")) != pid
    assert not runs(pid)


async def test_a_job_that_needs_too_much_memory_is_refused(open_pool: OpenPool) -> None:
    pool = open_pool(processes=Processes(memory_bytes=256 * 2**20))
    with pytest.raises(Refused) as refused:
        await pool.run(b"hoard %d" % 2**30)
    assert refused.value.reason == errors_pb2.REASON_FULL
    assert await pool.run(b"echo on") == b"on"


@pytest.mark.nightly
async def test_a_process_that_has_grown_is_replaced(open_pool: OpenPool) -> None:
    pool = open_pool(processes=Processes(memory_bytes=512 * 2**20))
    pid = int(await pool.run(b"pid"))
    assert await pool.run(b"hoard %d" % (300 * 2**20))
    assert int(await pool.run(b"pid")) != pid


@pytest.mark.nightly
async def test_a_process_is_kept_whatever_its_parent_has_taken(open_pool: OpenPool) -> None:
    taken = bytearray(300 * 2**20)
    taken[::4096] = bytes(len(taken[::4096]))
    pool = open_pool()
    assert await pool.run(b"pid") == await pool.run(b"pid")
    assert len(taken)


async def test_few_wait_and_more_are_refused_with_a_time_to_come_again(open_pool: OpenPool, tmp_path: Path) -> None:
    pool = open_pool(waiting=2)
    gate = tmp_path / "gate"
    first = asyncio.create_task(pool.run(b"wait " + os.fsencode(gate)))
    await until(lambda: bool(pool.pids) and not len(pool._queue))
    others = [asyncio.create_task(pool.run(b"echo x", str(n))) for n in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await pool.run(b"echo y", "third")
    assert refused.value.reason == errors_pb2.REASON_FULL
    assert refused.value.refusal.retry_after_ms
    gate.touch()
    assert await first == b"waited"
    assert await asyncio.gather(*others) == [b"x", b"x"]


async def test_a_request_whose_caller_has_gone_ends_and_the_process_goes_on(open_pool: OpenPool, tmp_path: Path) -> None:
    pool = open_pool()
    pid = int(await pool.run(b"pid"))
    waiting = asyncio.create_task(pool.run(b"wait " + os.fsencode(tmp_path / "never")))
    await until(lambda: not len(pool._queue))
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert int(await pool.run(b"pid")) == pid


async def test_an_idle_process_is_ended_and_another_started_when_needed(open_pool: OpenPool) -> None:
    pool = open_pool(processes=Processes(idle_s=0.05))
    pid = int(await pool.run(b"pid"))
    await until(lambda: not runs(pid))
    assert int(await pool.run(b"pid")) != pid


@pytest.mark.nightly
async def test_a_job_that_comes_while_an_idle_process_is_ended_is_answered(
    open_pool: OpenPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = open_pool(processes=Processes(idle_s=0.05))
    ends, goes_on = asyncio.Event(), asyncio.Event()
    end = Process.end

    async def slowly(process: Process, **options: bool) -> None:
        ends.set()
        await goes_on.wait()
        await end(process, **options)

    monkeypatch.setattr(Process, "end", slowly)
    assert await pool.run(b"echo one") == b"one"
    await ends.wait()
    waiting = asyncio.create_task(pool.run(b"echo two"))
    await asyncio.sleep(0)
    goes_on.set()
    assert await asyncio.wait_for(waiting, 60) == b"two"


@pytest.mark.nightly
async def test_two_processes_work_at_the_same_time(open_pool: OpenPool, tmp_path: Path) -> None:
    pool = open_pool(processes=Processes(2))
    gate = tmp_path / "gate"
    first = asyncio.create_task(pool.run(b"wait " + os.fsencode(gate)))
    assert await pool.run(b"echo x") == b"x"
    gate.touch()
    assert await first == b"waited"


def test_callers_are_served_in_turn_and_each_waits_for_few_of_another() -> None:
    queue: FairQueue[str] = FairQueue(100, 3)
    for item in ("a1", "a2", "a3"):
        queue.push("a", item)
    with pytest.raises(Refused):
        queue.push("a", "a4")
    queue.push("b", "b1")
    queue.push("c", "c1")
    assert [queue.pop() for _ in range(len(queue))] == ["a1", "b1", "c1", "a2", "a3"]
    with pytest.raises(LookupError):
        queue.pop()
