"""Databases with pages that are damaged, and what is left of them in a new one."""

import contextlib
import random
import sqlite3
from pathlib import Path

import pytest

from deploy.local import sqlite_file
from tests.night import examples

ROWS = 2000
PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a database of two tables, with large rows and small ones, in 1,000 pages and more."""
    file, dice = tmp_path_factory.mktemp("whole") / "database", random.Random(1)
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE games (id TEXT PRIMARY KEY, record BLOB NOT NULL)")
        database.execute("CREATE TABLE players (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL)")
        database.execute("CREATE INDEX names ON players (name)")
        for number in range(ROWS):
            database.execute("INSERT INTO games VALUES (?, ?)", (f"game {number}", dice.randbytes(dice.choice([50, 500, 9000]))))
            database.execute("INSERT INTO players (name) VALUES (?)", (f"player {number}",))
        database.execute("PRAGMA user_version = 7")
        database.commit()
    return file.read_bytes()


def rows(file: Path) -> tuple[dict[str, bytes], dict[int, str]]:
    with contextlib.closing(sqlite3.connect(file)) as database:
        games = dict(database.execute("SELECT id, record FROM games"))
        return games, dict(database.execute("SELECT number, name FROM players"))


def test_a_whole_database_is_not_damaged(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "database").write_bytes(whole)
    assert sqlite_file.damage_of(tmp_path / "database") == ""
    assert sqlite_file.damage_of(tmp_path / "database", quick=True) == ""


@pytest.mark.parametrize("pages", [1, 3, 0])
def test_readable_rows_of_a_damaged_file_are_kept_and_lost_ones_are_counted(whole: bytes, tmp_path: Path, pages: int) -> None:
    """Pages in the middle hold zeros, or (0) the file is cut off."""
    (tmp_path / "whole").write_bytes(whole)
    all_games, all_players = rows(tmp_path / "whole")
    dice, damaged = random.Random(pages), 0
    for number in range(examples(24)):
        file, fresh = tmp_path / f"damaged {number}", tmp_path / f"fresh {number}"
        at = dice.randrange(len(whole) // PAGE // 10, len(whole) // PAGE) * PAGE
        file.write_bytes(whole[:at] + bytes(PAGE * pages) + whole[at + PAGE * pages :] if pages else whole[:at])
        if not sqlite_file.damage_of(file):
            continue  # the end of a large value: nobody can tell it from another
        damaged += 1
        lost = sqlite_file.rescue(file, fresh)
        assert sqlite_file.damage_of(fresh) == ""
        games, players = rows(fresh)
        assert games.keys() <= all_games.keys()
        assert players.items() <= all_players.items()
        for table, kept in (("games", games), ("players", players)):
            assert lost.get(table, 0) in (None, ROWS - len(kept))
        if pages:
            assert len(games) > ROWS - 300
            assert len(players) > ROWS - 1300  # a page above others, of which each holds a few hundred
        with contextlib.closing(sqlite3.connect(fresh)) as database:
            assert database.execute("PRAGMA user_version").fetchone() == (7,)
            assert database.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND name = 'names'").fetchone()
    assert damaged


def test_a_damaged_index_loses_nothing(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "damaged"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'names'").fetchone()
    content = bytearray(whole)
    content[(root - 1) * PAGE : root * PAGE] = bytes(PAGE)
    file.write_bytes(content)
    assert sqlite_file.damage_of(file) != ""
    assert sqlite_file.rescue(file, tmp_path / "fresh") == {}
    assert rows(tmp_path / "fresh")[1].keys() == set(range(1, ROWS + 1))


@pytest.mark.parametrize("content", [bytes(8192), b"", b"no database\n" * 1000])
def test_one_that_cannot_be_read_at_all_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "damaged").write_bytes(content)
    if content:
        assert sqlite_file.damage_of(tmp_path / "damaged") != ""
    with pytest.raises(sqlite3.DatabaseError):
        sqlite_file.rescue(tmp_path / "damaged", tmp_path / "fresh")
