"""Processes that are killed, and processes that hang."""

import asyncio
import contextlib
import random
import time

import psutil

from loadtests.chaos.system import System
from loadtests.processes import family


class Kill:
    """kill -9 of a process, now and then of one of its children."""

    name = "kill"

    def __init__(self, system: System, dice: random.Random) -> None:
        self._system, self._dice = system, dice

    async def strike(self) -> str:
        """Kill one."""
        name, pid = self._dice.choice(sorted(self._system.pids().items()))
        children = family(pid)[1:]
        if children and self._dice.random() < 0.5:
            child = self._dice.choice(children)
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
            return f"kill a child of {name}"
        self._system.kill(name)
        return f"kill {name}"

    async def heal(self) -> None:
        """Return when everything runs."""
        await asyncio.to_thread(self._system.wait_for_all)


class Hang:
    """SIGSTOP for a while, of a process with its children or without. Whoever looks after it may kill it meanwhile."""

    name = "hang"

    def __init__(self, system: System, dice: random.Random, min_s: float = 3.0, max_s: float = 20.0) -> None:
        self._system, self._dice = system, dice
        self._min_s, self._max_s = min_s, max_s
        self._hanging: set[asyncio.Task[None]] = set()

    async def strike(self) -> str:
        """Let one hang."""
        name, pid = self._dice.choice(sorted(self._system.pids().items()))
        processes = family(pid)
        if self._dice.random() < 0.5:
            processes = processes[:1]
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.suspend()
        seconds = self._dice.uniform(self._min_s, self._max_s)
        task = asyncio.create_task(_go_on(processes, time.monotonic() + seconds))
        self._hanging.add(task)
        task.add_done_callback(self._hanging.discard)
        return f"hang {name} for {seconds:.0f} s ({len(processes)} processes)"

    async def heal(self) -> None:
        """Return when nothing hangs any more and everything runs."""
        await asyncio.gather(*self._hanging)
        await asyncio.to_thread(self._system.wait_for_all)


async def _go_on(processes: list[psutil.Process], at_s: float) -> None:
    """Let processes go on at a time. psutil knows a process by its start, too: no other one with the same id is meant."""
    try:
        await asyncio.sleep(max(0.0, at_s - time.monotonic()))
    finally:
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.resume()
