"""Servers that say again what they are asked, and what a call of them costs at both ends."""

import asyncio
import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from loadtests.processes import cpu_s

_Request = TypeVar("_Request")


@contextlib.contextmanager
def serving(module: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """Run a module as a server until the end of the block."""
    with subprocess.Popen([sys.executable, "-m", module, *arguments], stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        try:
            yield server
        finally:
            server.kill()


async def calls(
    ask: Callable[[_Request], Awaitable[object]], request: _Request, in_flight: int, seconds: float, server: int
) -> tuple[float, float, float]:
    """Return calls a second, and microseconds of CPU for each at the server (a process id) and at the caller."""
    await ask(request)
    ends, done = time.monotonic() + seconds, 0

    async def caller() -> None:
        nonlocal done
        while time.monotonic() < ends:
            await ask(request)
            done += 1

    before = cpu_s(server), time.process_time(), time.monotonic()
    await asyncio.gather(*(caller() for _ in range(in_flight)))
    after = cpu_s(server), time.process_time(), time.monotonic()
    server_s, caller_s, wall_s = (late - early for late, early in zip(after, before, strict=True))
    return done / wall_s, 1e6 * server_s / done, 1e6 * caller_s / done


def medians(runs: Sequence[Sequence[float]]) -> list[float]:
    """Return the median of each figure over all runs."""
    return [statistics.median(run[place] for run in runs) for place in range(len(runs[0]))]
