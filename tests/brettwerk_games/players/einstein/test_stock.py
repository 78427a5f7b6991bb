"""The tables of a worker's machine: built in the background, and changed when an operator asks for that."""

import os
from pathlib import Path

import pytest

from brettwerk_games.players.einstein import engine
from brettwerk_games.players.einstein.engine import Opened
from brettwerk_games.players.einstein.stock import Stock
from brettwerk_games.players.einstein.tables.build import build
from brettwerk_games.players.einstein.tables.files import path_of
from brettwerk_games.players.einstein.tables.lock import locked
from brettwerk_games.players.endgame_tables import Fault
from brettwerk_games.players.registry import endgame_tables
from tests.brettwerk_games.players.einstein.conftest import needs_compiler
from tests.e2e.stranger import eventually

SMALL = [f"einstein-{stones}.table" for stones in (2, 3, 4)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BRETTWERK_TABLES_FOLDER", str(tmp_path))
    monkeypatch.setenv("BRETTWERK_TABLES_STONES", "0")
    return tmp_path


def large(folder: Path, name: str) -> None:
    """Put a file of 100 MB into a folder, which takes no room."""
    (folder / name).touch()
    os.truncate(folder / name, 100_000_000)


def names(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name != "lock")


def test_the_player_has_such_tables():
    assert isinstance(endgame_tables(), Stock)


def test_a_worker_removes_what_a_killed_build_has_left_and_no_table(folder):
    large(folder, "einstein-5.table")
    large(folder, "einstein-6.part")
    Stock().provide()
    assert names(folder) == ["einstein-5.table"]


@needs_compiler
def test_a_worker_builds_the_small_tables_and_offers_the_large_ones(folder, monkeypatch):
    monkeypatch.setenv("BRETTWERK_TABLES_STONES", "4")
    tables = Stock()
    tables.provide()
    eventually(lambda: not tables.is_building(), within_s=100)
    state = tables.state()
    assert names(folder) == SMALL
    assert (state.stones, state.large_bytes, state.building, state.fault) == (4, 0, 0, Fault.NONE)
    five, six = state.offers
    assert (five.stones, six.stones) == (5, 6)
    assert 1.1e9 < five.size < 1.2e9
    assert 33e9 < six.size < 34e9
    assert 30 < five.seconds < six.seconds


@needs_compiler
def test_a_build_that_an_operator_asks_for_is_told_of_and_ends_with_the_next_wish(folder):
    tables = Stock()
    tables.change(5)
    assert tables.is_building()
    tables.change(5)  # once more: it goes on
    eventually(lambda: tables.state().building == 5, within_s=100)
    state = tables.state()
    assert (state.stones, state.fault) == (4, Fault.NONE)
    assert 0 <= state.share < 1
    tables.change(4)
    assert not tables.is_building()
    assert names(folder) == SMALL
    assert tables.state().fault is Fault.NONE


@needs_compiler
def test_large_tables_are_deleted_and_the_small_ones_stay(folder):
    build(folder, 4, lambda stones, done, total: None)
    large(folder, "einstein-5.table")
    large(folder, "einstein-6.table")
    tables = Stock()
    assert tables.state().large_bytes == 200_000_000
    tables.change(0)
    assert names(folder) == SMALL
    assert tables.state().large_bytes == 0


def test_a_table_without_room_is_not_begun(folder, monkeypatch):
    monkeypatch.setenv("BRETTWERK_TABLES_ROOM_MIB", "64")
    tables = Stock()
    tables.change(5)
    state = tables.state()
    assert (state.fault, state.room <= 64 << 20) == (Fault.NO_ROOM, True)
    assert names(folder) == []


def test_a_table_that_another_process_builds_is_left_alone(folder):
    large(folder, "einstein-5.part")
    tables = Stock()
    with locked(folder) as hold:
        hold.note(5, 1, 2)
        tables.change(4)
        state = tables.state()
    assert (state.fault, state.building, state.share) == (Fault.BUSY, 5, 0.5)
    assert names(folder) == ["einstein-5.part"]


def test_a_folder_that_is_none_is_a_fault(folder, monkeypatch):
    (folder / "file").touch()
    monkeypatch.setenv("BRETTWERK_TABLES_FOLDER", str(folder / "file"))
    tables = Stock()
    tables.change(5)
    eventually(lambda: tables.state().fault is Fault.FAILED, within_s=100)


@needs_compiler
def test_a_process_lets_go_of_tables_that_are_deleted(folder, monkeypatch):
    monkeypatch.setattr(engine, "_LOOK_S", 0.0)
    build(folder, 3, lambda stones, done, total: None)
    opened = Opened(folder)
    path_of(folder, 3).unlink()
    opened.refresh()
    assert opened.reach == 2
    assert str(path_of(folder, 3)) not in Path("/proc/self/maps").read_text()
    build(folder, 3, lambda stones, done, total: None)
    opened.refresh()
    assert opened.reach == 3
