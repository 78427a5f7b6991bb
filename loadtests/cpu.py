"""CPU time of processes, to the nanosecond where the system has it: a tick of /proc is 10 ms, and a lone action takes 2."""

import contextlib
import platform
import time
from collections.abc import Mapping

import psutil

LINUX = platform.system() == "Linux"


def cpu_seconds(pids: Mapping[str, int]) -> dict[str, float]:
    """Return the CPU time (user and system) of each process with its children, those that have ended included, in seconds."""
    spent: dict[str, float] = {}
    for name, pid in pids.items():
        total = 0.0
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            for one in (process, *process.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess, OSError):
                    total += _own(one)
        spent[name] = total
    return spent


def _own(process: psutil.Process) -> float:
    """Return what a process and its children that have ended have taken."""
    times = process.cpu_times()
    ended = float(times.children_user) + float(times.children_system)
    if LINUX:
        return time.clock_gettime((~process.pid << 3) | 2) + ended  # clock_getcpuclockid(3): all threads, as the scheduler counts
    return float(times.user) + float(times.system) + ended
