"""A loop that looks for work in a database learns of each write of anybody, and otherwise hardly ever has to ask."""

import time
from pathlib import Path

from sqlalchemy import Engine, create_engine

from services.archive.changes import AT_LEAST_S, UNSETTLED_S, Changes
from services.archive.database import open_engine


class Clock:
    """The time of files, as long ago as somebody says."""

    passed_s = UNSETTLED_S + 1

    def __call__(self) -> float:
        return time.time() + self.passed_s


def _write(engine: Engine, statement: str) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)


def test_a_write_of_another_process_is_noticed_however_it_is_logged(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'archive.sqlite3'}"
    clock = Clock()
    for mode in ("WAL", "DELETE"):
        other = open_engine(url)
        with other.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA journal_mode = {mode}")
        _write(other, f"CREATE TABLE of_{mode} (number INTEGER)")
        changes = Changes(open_engine(url), clock)
        assert changes.may_have_come()  # nothing has been seen yet
        assert not changes.may_have_come()
        _write(other, f"INSERT INTO of_{mode} VALUES (1)")
        assert changes.may_have_come()
        assert not changes.may_have_come()
        other.dispose()


def test_changes_of_a_moment_ago_may_still_be_on_their_way(tmp_path: Path) -> None:
    engine, clock = open_engine(f"sqlite:///{tmp_path / 'archive.sqlite3'}"), Clock()
    changes = Changes(engine, clock)
    clock.passed_s = 0
    _write(engine, "CREATE TABLE written (number INTEGER)")
    assert changes.may_have_come() and changes.may_have_come()
    clock.passed_s = -3600  # the machine's clock was set back: what files say of times means little
    assert changes.may_have_come() and changes.may_have_come()


def test_once_in_a_while_there_may_be_something_in_any_case_and_always_in_postgresql(tmp_path: Path) -> None:
    clock = Clock()
    changes = Changes(open_engine(f"sqlite:///{tmp_path / 'archive.sqlite3'}"), clock)
    assert changes.may_have_come() and not changes.may_have_come()
    clock.passed_s += AT_LEAST_S
    assert changes.may_have_come() and not changes.may_have_come()
    elsewhere = Changes(create_engine("postgresql+psycopg://localhost/nothing"), clock)
    assert elsewhere.may_have_come() and elsewhere.may_have_come()
