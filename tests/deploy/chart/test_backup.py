"""The part of the chart's backup that copies databases: what it copies is read back, and old backups go."""

import importlib.util
import sqlite3
from pathlib import Path
from types import ModuleType

import pytest

from tests.deploy.chart.rendering import CHART


@pytest.fixture(scope="module")
def databases() -> ModuleType:
    """The script as the chart has it."""
    specification = importlib.util.spec_from_file_location("databases", CHART / "files" / "backup" / "databases.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def archive(file: Path, games: int) -> sqlite3.Connection:
    """Return an open archive in which so many games are."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE games (id INTEGER PRIMARY KEY, record TEXT)")
    connection.executemany("INSERT INTO games (record) VALUES (?)", [("x" * 2000,)] * games)
    connection.commit()
    return connection


def begin(backups: Path) -> None:
    (backups / "unfinished").mkdir(parents=True)


def test_a_database_is_copied_while_it_is_in_use_and_one_that_is_not_there_is_none(
    databases: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(tmp_path / "backups")
    with archive(tmp_path / "archive.sqlite3", 30) as used:
        databases.main(tmp_path / "backups", 7, [tmp_path / "archive.sqlite3", tmp_path / "players.sqlite3"])
    used.close()
    (finished,) = (tmp_path / "backups").iterdir()
    with sqlite3.connect(finished / "archive.sqlite3") as copy:
        assert copy.execute("SELECT count(*) FROM games").fetchone() == (30,)
    copy.close()
    said = capsys.readouterr().out
    assert "archive.sqlite3: 30 rows were read back" in said
    assert "players.sqlite3: not there yet" in said


def test_a_copy_that_is_not_whole_is_no_backup(databases: ModuleType, tmp_path: Path) -> None:
    begin(tmp_path / "backups")
    archive(tmp_path / "archive.sqlite3", 300).close()
    content = bytearray((tmp_path / "archive.sqlite3").read_bytes())
    content[4096 * 3 : 4096 * 9] = b"\xff" * 4096 * 6
    (tmp_path / "archive.sqlite3").write_bytes(content)
    with pytest.raises(sqlite3.DatabaseError):
        databases.main(tmp_path / "backups", 7, [tmp_path / "archive.sqlite3"])
    assert [path.name for path in (tmp_path / "backups").iterdir()] == ["unfinished"]


def test_the_newest_backups_stay_and_nothing_else_goes(databases: ModuleType, tmp_path: Path) -> None:
    for name in ("20260101T031700Z", "20260102T031700Z", "20260103T031700Z", "lost+found"):
        (tmp_path / name).mkdir()
    begin(tmp_path)
    finished = databases.finish(tmp_path, 2)
    assert {path.name for path in tmp_path.iterdir()} == {"20260103T031700Z", "lost+found", finished.name}
