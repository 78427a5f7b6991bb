"""The memory of the container that a process runs in: its limit, and what is given back to it. Standard library only."""

import contextlib
import ctypes
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


def give_back() -> None:
    """Return memory that was freed to the system, in some milliseconds; where the C library cannot, it stays the process's.

    glibc gives back by itself only what is at the end of its heap (malloc_trim(3)), which after a crowd is nearly nothing.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
