"""The memory that the container of a process may take. Standard library only."""

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
