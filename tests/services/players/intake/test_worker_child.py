"""The worker of finished games beside the players service: it is there, comes again, and ends with the service."""

import asyncio
import time

import psutil
import pytest

from services.players.intake.worker import WorkerChild
from tests.process_tree import running


def workers() -> list[psutil.Process]:
    """Return the workers that this process has started and that live."""
    return running("services.players.intake.worker", psutil.Process().children())


async def first_worker(*, other_than: int = 0) -> psutil.Process:
    """Wait for a worker."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if found := [each for each in workers() if each.pid != other_than]:
            return found[0]
        await asyncio.sleep(0.02)
    raise AssertionError("there is no worker")


@pytest.mark.parametrize("end_s", [0.0, 20.0], ids=["that may take no time", "that may take its time"])
async def test_a_worker_ends_with_its_service(end_s: float) -> None:
    child = WorkerChild(end_s)
    child.start()
    await first_worker()
    began = time.monotonic()
    await child.stop()
    assert not workers()
    assert time.monotonic() - began < end_s + 5


async def test_a_worker_that_died_is_started_again() -> None:
    child = WorkerChild(0)
    child.start()
    try:
        died = await first_worker()
        died.kill()
        assert await first_worker(other_than=died.pid)
    finally:
        await child.stop()
