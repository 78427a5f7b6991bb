"""A club's evening says what it has written, and what a month of that takes of a disk."""

import re
import sqlite3
from pathlib import Path

import pytest

from loadtests.cost.club import Written, main

SMALL_DISK_MB = 1000


def test_writes_of_each_kind_are_counted_apart(tmp_path: Path) -> None:
    for name, size in {
        "redis/appendonlydir/appendonly.aof.1.incr.aof": 700,
        "logs/session.log": 50,
        "logs/session.log.1": 30,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size))
    with sqlite3.connect(tmp_path / "archive.sqlite3") as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE games (record)")
        connection.execute("INSERT INTO games VALUES (zeroblob(100000))")
        connection.commit()
        written = Written.of(tmp_path)  # while it is open, so that its log of writes is still there
    assert (written.store, written.logs) == (700, 80)
    assert written.databases >= 100_000


@pytest.mark.nightly
@pytest.mark.e2e
def test_a_month_of_a_club_fits_on_a_small_disk(capsys: pytest.CaptureFixture[str]) -> None:
    evening = ["--people", "4", "--solos", "2", "--think", "0.05", "--most", "12", "--seconds", "20"]
    assert main([*evening, "--", "--no-web"]) == 0
    said = capsys.readouterr().out
    month = re.search(r"a month of a club of 50: append-only file (\d+) MB, databases (\d+) MB, logs (\d+) MB", said)
    rewritten = re.search(r"rewritten, the append-only file has (\d+) KiB instead of (\d+)", said)
    assert month, said
    assert rewritten, said
    assert 0 < sum(map(int, month.groups())) < SMALL_DISK_MB
    after, before = map(int, rewritten.groups())
    assert after < before
