"""What is chosen for whoever chooses nothing."""

from pathlib import Path

import pytest

from deploy.local.options import MEMORY_MB, usual_memory_mb

LIMITS = {"memory.max": "cgroups 2", "memory/memory.limit_in_bytes": "cgroups 1"}


@pytest.mark.parametrize("name", LIMITS, ids=LIMITS.values())
@pytest.mark.parametrize(("limit_mb", "usual_mb"), [(100, 64), (512, 128), (1000, 250), (8192, MEMORY_MB)])
def test_games_get_a_quarter_of_a_containers_memory(tmp_path: Path, name: str, limit_mb: int, usual_mb: int) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / name).write_text(f"{limit_mb * 2**20}\n")
    assert usual_memory_mb(tmp_path) == usual_mb


def test_games_get_the_usual_memory_where_nothing_limits_it(tmp_path: Path) -> None:
    assert usual_memory_mb(tmp_path) == MEMORY_MB
    (tmp_path / "memory.max").write_text("max\n")
    assert usual_memory_mb(tmp_path) == MEMORY_MB
