"""The memory of a service's process: what the C library gives back, and how often Python looks for cycles."""

import contextlib
import ctypes
import gc
import sys

LARGE_BYTES = 128 * 1024
"""Blocks of this size are given back to the kernel when they are freed: glibc's own first bound."""
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
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)
            mallopt(_M_ARENA_MAX, 1)


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
