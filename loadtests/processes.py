"""The usage of processes: memory, and CPU time to the nanosecond where the system has it (a lone action takes 2 ms)."""

import contextlib
import platform
import socket
import time
from collections.abc import Mapping

import psutil

LINUX = platform.system() == "Linux"


def family(pid: int) -> list[psutil.Process]:
    """Return a process and all that it has started; nothing of what has ended."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []


def cpu_s(pid: int) -> float:
    """Return the CPU seconds (user and system) of a process and its children, ended ones included; 0 once it is gone."""
    total = 0.0
    for one in family(pid):
        with contextlib.suppress(psutil.NoSuchProcess, OSError):
            total += _own(one)
    return total


def cpu_seconds(pids: Mapping[str, int]) -> dict[str, float]:
    """Return what `cpu_s` says of each process."""
    return {name: cpu_s(pid) for name, pid in pids.items()}


def resident(pids: Mapping[str, int]) -> dict[str, int]:
    """Return the resident memory of each process with its children, in bytes."""
    found = dict.fromkeys(pids, 0)
    for name, pid in pids.items():
        for one in family(pid):
            with contextlib.suppress(psutil.NoSuchProcess):
                found[name] += one.memory_info().rss
    return found


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _own(process: psutil.Process) -> float:
    """Return what a process and its children that have ended have taken."""
    times = process.cpu_times()
    ended = float(times.children_user) + float(times.children_system)
    if LINUX:
        return time.clock_gettime((~process.pid << 3) | 2) + ended  # clock_getcpuclockid(3): all threads, as the scheduler counts
    return float(times.user) + float(times.system) + ended
