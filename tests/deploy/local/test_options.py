"""The options of those who choose nothing."""

from pathlib import Path

import pytest

from deploy.local.options import MEMORY_MB, is_small, parse, usual_memory_mb

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


@pytest.mark.parametrize(("limit_mb", "small"), [(512, True), (1023, True), (1024, False)])
def test_all_services_are_one_process_where_there_is_less_than_a_gigabyte(tmp_path: Path, limit_mb: int, small: bool) -> None:
    (tmp_path / "memory.max").write_text(f"{limit_mb * 2**20}\n")
    assert is_small(tmp_path) is small


def test_all_services_are_not_one_process_for_those_who_debug_or_reload() -> None:
    assert parse(["--small"]).small
    assert not parse(["--small", "--one-process"]).small
    assert not parse(["--small", "--reload"]).small
