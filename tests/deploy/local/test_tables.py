import os
from pathlib import Path

import psutil
import pytest

from deploy.local.options import program_name
from deploy.local.tables import FOLDER, asked_for, folder_of
from tests.brettwerk_games.players.einstein.conftest import needs_compiler
from tests.e2e.stranger import eventually
from tests.process_tree import running


@needs_compiler
def test_building_tables_on_demand_says_its_cost_first_and_ends_with_the_deployment(tmp_path: Path):
    said: list[str] = []
    unfinished = tmp_path / "einstein-5.part"
    with asked_for(tmp_path, 5, said.append):
        eventually(unfinished.exists, within_s=100)
        (builder,) = running(str(tmp_path), psutil.Process().children())
    assert said[0] == f"tables: building tables of 2, 3, 4, 5 stones: 1,145 MB in {tmp_path}, about 72 seconds of a core"
    assert not builder.is_running()
    assert not unfinished.exists()


@pytest.mark.parametrize("stones", [0, 4])
def test_tables_are_built_only_when_somebody_asks_for_them(stones: int, tmp_path: Path):
    said: list[str] = []
    with asked_for(tmp_path, stones, said.append):
        pass
    assert (said, os.listdir(tmp_path)) == ([], [])


def test_large_tables_of_another_time_are_mentioned_with_the_command_that_deletes_them(tmp_path: Path):
    (tmp_path / "einstein-5.table").touch()
    os.truncate(tmp_path / "einstein-5.table", 1_125_000_000)
    said: list[str] = []
    with asked_for(tmp_path, 4, said.append):
        pass
    assert said == [f"{tmp_path} has 1,100 MB of large endgame tables: `{program_name('tables')} --delete` removes them"]


def test_another_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(FOLDER, raising=False)
    assert folder_of(tmp_path).name == "tables"
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert folder_of(Path("data")) == tmp_path
