"""Bounds of caches follow the container's memory, and what is freed goes back to the system."""

import re
from pathlib import Path

from services.runtime.container import bounded, give_back, memory_limit


def test_a_bound_is_a_share_of_the_containers_limit_where_that_is_less(tmp_path: Path) -> None:
    assert bounded(1000, 4, tmp_path) == 1000
    (tmp_path / "memory.max").write_text("800\n")
    assert (memory_limit(tmp_path), bounded(1000, 4, tmp_path), bounded(100, 4, tmp_path)) == (800, 200, 100)
    (tmp_path / "memory.max").write_text("max\n")
    assert bounded(1000, 4, tmp_path) == 1000


def anonymous_mb() -> int:
    found = re.search(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) // 1024


def test_memory_that_was_freed_below_what_is_still_used_goes_back() -> None:
    blocks = [bytearray(3000) for _ in range(40_000)]
    top = bytearray(3000)  # without it the C library would give back what is at the end of its heap
    full = anonymous_mb()
    del blocks
    give_back()
    assert anonymous_mb() < full - 60
    assert len(top) == 3000
