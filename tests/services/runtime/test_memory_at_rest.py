"""A process that rests gives back what it took while it was busy. Tried in a process of its own: one of tests may never rest."""

import asyncio
import multiprocessing
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from services.runtime import memory
from services.runtime.memory import Rest, give_back_at_rest
from services.runtime.tasks import ended


def anonymous_mb() -> int:
    found = re.search(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) // 1024


def compute(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        sum(range(1000))


def alone(run: Callable[[], None]) -> None:
    """Run something in a process that does nothing else; raises what it raises."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        process.submit(run).result()


@pytest.mark.skipif(sys.platform != "linux", reason="other C libraries return memory in their own ways")
def test_memory_taken_for_a_crowd_goes_back_when_the_process_rests() -> None:
    alone(take_and_rest)


def take_and_rest() -> None:
    memory.LOOK_S = 0.2
    asyncio.run(give_back_after_a_crowd())


async def give_back_after_a_crowd() -> None:
    blocks = [bytearray(3000) for _ in range(40_000)]
    top = blocks[-1]  # without it the C library would give back what is at the end of its heap
    del blocks
    full = anonymous_mb()
    giving = asyncio.create_task(give_back_at_rest())
    async with asyncio.timeout(60):
        while anonymous_mb() > full - 60:  # noqa: ASYNC110 - nobody tells when the kernel has it
            await asyncio.sleep(0.05)
    await ended(giving)
    assert len(top) == 3000


def test_a_process_rests_from_when_it_takes_hardly_anything_until_it_is_busy_again() -> None:
    alone(be_busy_and_rest)


def be_busy_and_rest() -> None:
    rest = Rest()
    compute(0.1)
    assert rest.look() == 0
    until = time.monotonic() + 60
    while not rest.look():
        assert time.monotonic() < until
        time.sleep(0.1)
    compute(0.5)
    assert rest.look() == 0
