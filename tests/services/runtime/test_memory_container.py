"""Bounds of caches follow the container's memory."""

from pathlib import Path

from services.runtime.memory import bounded, memory_limit


def test_a_bound_is_a_share_of_the_containers_limit_where_that_is_less(tmp_path: Path) -> None:
    assert bounded(1000, 4, tmp_path) == 1000
    (tmp_path / "memory.max").write_text("800\n")
    assert (memory_limit(tmp_path), bounded(1000, 4, tmp_path), bounded(100, 4, tmp_path)) == (800, 200, 100)
    (tmp_path / "memory.max").write_text("max\n")
    assert bounded(1000, 4, tmp_path) == 1000
