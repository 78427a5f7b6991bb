"""The rest before the clock jumps."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from loadtests.club import rest


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "players.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as players:
        players.execute("PRAGMA journal_mode = WAL")
        for table in rest._WAYS:
            players.execute(f"CREATE TABLE {table} (due_at_ms INTEGER, claimed_until_ms INTEGER NOT NULL DEFAULT 0)")
        yield path


def test_the_next_message_by_any_way_is_found_and_stays_due_while_it_is_sent(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as players:
        assert rest._next_due_ms(players) > 2**60
        players.execute("INSERT INTO players_devices (due_at_ms) VALUES (NULL)")
        assert rest._next_due_ms(players) > 2**60
        players.execute("INSERT INTO players_mailboxes VALUES (5000, 0)")
        players.execute("INSERT INTO players_webhooks VALUES (3000, 60000)")
        assert rest._next_due_ms(players) == 3000


def test_no_message_is_taken_while_the_clock_is_set(file: Path) -> None:
    with closing(sqlite3.connect(file, timeout=0.05, isolation_level=None)) as other:
        with rest._frozen(file) as players:
            assert rest._next_due_ms(players) > 2**60
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("INSERT INTO players_mailboxes VALUES (5000, 0)")
        other.execute("INSERT INTO players_mailboxes VALUES (5000, 0)")
