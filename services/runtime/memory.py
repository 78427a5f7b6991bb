"""The memory of a service's process: what its container may take, what is given back, and how often Python looks for cycles.

Memory that was freed is given back at once, or once the process rests. Standard library only.
"""

import contextlib
import ctypes
import gc
import sys
import time
from collections.abc import Mapping
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
"""Where a container sees its own limit, at the top of the hierarchy."""


def memory_limit(cgroups: Path = CGROUPS) -> int | None:
    """Return a container's limit in bytes; None where there is none.

    It is in `memory.max` of version 2 (Linux, Documentation/admin-guide/cgroup-v2.rst), or in version 1's file.
    """
    for file in (cgroups / "memory.max", cgroups / "memory" / "memory.limit_in_bytes"):
        try:
            limit = file.read_text(encoding="ascii").strip()
        except OSError:  # the other version, the host itself, or another platform
            continue
        return None if limit == "max" else int(limit)
    return None


def bounded(usual: int, share: int, cgroups: Path = CGROUPS) -> int:
    """Return the bound of a cache in bytes: the usual one, or 1/share of a container's limit where that is less."""
    limit = memory_limit(cgroups)
    return usual if limit is None else min(usual, limit // share)


LARGE_BYTES = 128 * 1024
"""Blocks of this size are given back to the kernel when they are freed: glibc's own first bound."""
BATCH_BYTES = 1024 * 1024
"""The same once a service runs: batches of actions are smaller.

Each that exceeds the bound is mapped, touched page by page and given back: a session process took 110 page faults for an action
of Weaponized Chess, a sixth of its time. What is loaded before would leave holes in the heap instead (30 MB in all services).
"""
KEPT_BYTES = 4 * 1024 * 1024
"""This much may then be free at the end of the heap before it shrinks, for the same reason; at rest that goes back, too."""
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
_COLLECT_EVERY = 20_000
"""New objects, less those that went, between two looks of the garbage collector."""


def return_large_blocks() -> None:
    """Let what a large request took be free for others as soon as it is answered, and all threads share one heap.

    By itself glibc takes each large block that is freed as a reason to take larger ones from the heap, up to 32 MB, and the heap
    shrinks only from its end (mallopt(3)): a gateway that had read a single record of 6 MB kept 30 MB for ever. With a heap for
    each thread, what one has freed is of no use to the next; threads of Python seldom wait for each other here. Elsewhere than
    on Linux with glibc this does nothing.
    """
    _mallopt({_M_MMAP_THRESHOLD: LARGE_BYTES, _M_ARENA_MAX: 1})


def keep_batches() -> None:
    """Let batches of actions use the same memory again, where glibc would map it anew for each; after `return_large_blocks`."""
    _mallopt({_M_MMAP_THRESHOLD: BATCH_BYTES, _M_TRIM_THRESHOLD: KEPT_BYTES})


def _mallopt(values: Mapping[int, int]) -> None:
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        for parameter, value in values.items():
            mallopt(parameter, value)


def give_back() -> None:
    """Return memory that was freed to the system, in some milliseconds; where the C library cannot, it stays the process's.

    glibc gives back by itself only what is at the end of its heap (malloc_trim(3)), which after a crowd is nearly nothing.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def calm_collector() -> None:
    """Let the garbage collector leave alone what is there for good, and look less often: hardly anything here is a cycle."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_EVERY)


LOOK_S = 15.0
"""How often a process looks whether it rests."""
REST_SHARE = 0.02
"""A process that used less of a core since its last look rests."""
GIVES = (1, 3)
"""At which looks in a row that find it at rest it gives back: at once, and when caches have forgotten what nobody asks for."""


class Rest:
    """For how long a process has rested."""

    def __init__(self) -> None:
        self._looked_s, self._used_s = time.monotonic(), time.process_time()
        self._looks = 0

    def look(self) -> int:
        """Return how many looks in a row, this one included, have found it at rest."""
        looked_s, used_s = time.monotonic(), time.process_time()
        is_busy = used_s - self._used_s >= REST_SHARE * (looked_s - self._looked_s)
        self._looked_s, self._used_s = looked_s, used_s
        self._looks = 0 if is_busy else self._looks + 1
        return self._looks


async def give_back_at_rest() -> None:
    """Collect and give memory back when the process has come to rest, each time that it does, until cancelled."""
    import asyncio  # here, since a launcher needs the rest of this module only, and would have 3 MB more

    rest = Rest()
    while True:
        await asyncio.sleep(LOOK_S)
        if rest.look() in GIVES:
            gc.collect()
            give_back()
