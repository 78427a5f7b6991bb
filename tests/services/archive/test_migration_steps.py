"""Migrations while others write, in a real PostgreSQL: nobody is shut out, whatever is in the way, and whoever is killed."""

import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from alembic import command
from sqlalchemy import Engine

from services.archive.database import LOCK_S, open_engine
from services.archive.migrations import ARCHIVE, Migrations
from services.archive.schema import bring_up_to_date
from services.players.store import MIGRATIONS as PLAYERS
from tests.deploy.tools import ROOT
from tests.night import at_night
from tests.services.archive.cluster import Cluster
from tests.services.archive.made import made_of, rows, shutting_out
from tests.services.archive.migrating import migrate

TABLE = "op.create_table('things', sa.Column('id', sa.Integer, primary_key=True), sa.Column('name', sa.String(40)))"
COLUMN = "migration_steps.add_column('things', sa.Column('done', sa.Boolean))"
_numbers = itertools.count()
ONLINE = f"{COLUMN}\nmigration_steps.create_index('things_name', 'things', ['name'], 'done IS NULL')"


@pytest.fixture
def engine(cluster: Cluster) -> Iterator[Engine]:
    engine = open_engine(cluster.create(f"online{next(_numbers)}"))
    yield engine
    engine.dispose()


@pytest.mark.parametrize("migrations", [at_night(ARCHIVE, id="archive"), pytest.param(PLAYERS, id="players")])
def test_migrations_do_not_go_through_a_table_while_it_is_locked_for_writers(engine: Engine, migrations: Migrations) -> None:
    assert shutting_out(engine, migrations) == []


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("op.create_index('things_name', 'things', ['name'])", "CREATE INDEX things_name ON things (name)"),
        (f"{COLUMN}\nop.create_index('things_done', 'things', ['done'])", "CREATE INDEX things_done ON things (done)"),
        ("op.execute('UPDATE things SET name = id')", "UPDATE things SET name = id"),
        ("op.alter_column('things', 'name', nullable=False)", "ALTER TABLE things ALTER COLUMN name SET NOT NULL"),
    ],
)
def test_one_that_does_is_found(engine: Engine, tmp_path: Path, step: str, said: str) -> None:
    assert shutting_out(engine, made_of(tmp_path, TABLE, step)) == [f"0002: {said}"]


@pytest.mark.nightly
def test_an_index_is_made_while_others_write_and_those_who_wait_are_not_ready(engine: Engine, tmp_path: Path) -> None:
    migrations = begun(engine, tmp_path, ONLINE)
    with (
        an_old_transaction(engine) as end,
        another_process(engine, migrations) as first,
        another_process(engine, migrations) as second,
    ):
        until(lambda: making(engine))
        with writer(engine) as connection:
            connection.execute("INSERT INTO things VALUES (1000, 'meanwhile')")
        assert first.poll() is None and second.poll() is None
        end()
    assert (first.returncode, second.returncode) == (0, 0)
    assert is_valid(engine)


@pytest.mark.nightly
@pytest.mark.parametrize("is_given_up", [False, True], ids=["and-postgresql-goes-on", "and-postgresql-gives-up"])
def test_a_migration_that_is_killed_halfway_is_carried_out_by_the_next_process(
    engine: Engine, tmp_path: Path, is_given_up: bool
) -> None:
    migrations = begun(engine, tmp_path, ONLINE)
    with an_old_transaction(engine) as end:
        with another_process(engine, migrations) as killed:
            until(lambda: making(engine))
            killed.kill()
        assert not is_valid(engine)
        if is_given_up:  # an index remains that is not valid, and that nobody finishes
            with writer(engine) as connection:
                connection.execute("SELECT pg_terminate_backend(%s)", [making(engine)])
        with another_process(engine, migrations) as process:
            end()
    assert process.returncode == 0
    assert is_valid(engine)


@pytest.mark.nightly
def test_a_column_is_filled_in_batches_and_goes_on_where_it_was_killed(engine: Engine, tmp_path: Path) -> None:
    step = """
def fill(connection):
    connection.exec_driver_sql("SELECT pg_sleep(0.1)")
    lot = "SELECT id FROM things WHERE done IS NULL ORDER BY id LIMIT 100"
    return connection.exec_driver_sql(f"UPDATE things SET done = TRUE, name = name || '!' WHERE id IN ({lot})").rowcount > 0
migration_steps.add_column("things", sa.Column("done", sa.Boolean))
migration_steps.in_batches(fill)
""".strip()
    migrations = begun(engine, tmp_path, step, 1000)
    with another_process(engine, migrations) as killed:
        until(lambda: is_there(engine, "done") and number(engine, "SELECT count(*) FROM things WHERE done"))
        killed.kill()
    filled = number(engine, "SELECT count(*) FROM things WHERE done")
    bring_up_to_date(engine, migrations)
    assert 0 < filled < 1000
    assert number(engine, "SELECT count(*) FROM things WHERE done AND name ~ '^name[0-9]+!$'") == 1000


@pytest.mark.nightly
def test_a_column_that_is_added_filled_holds_the_value_in_old_rows_only(engine: Engine, tmp_path: Path) -> None:
    migrations = begun(engine, tmp_path, "migration_steps.add_column_filled('things', 'done', sa.Boolean(), 'FALSE')", 3)
    bring_up_to_date(engine, migrations)
    with writer(engine) as connection:
        connection.execute("INSERT INTO things VALUES (1000, 'new')")
        found = connection.execute("SELECT done, count(*) FROM things GROUP BY done ORDER BY done").fetchall()
    assert found == [(False, 3), (None, 1)]


@pytest.mark.nightly
def test_a_lock_that_is_not_to_be_had_keeps_writers_waiting_no_longer_than_it_is_tried_for(
    engine: Engine, tmp_path: Path
) -> None:
    migrations = begun(engine, tmp_path, ONLINE)
    waited: list[float] = []
    over = threading.Event()

    def write() -> None:
        with writer(engine, 2 * LOCK_S + 1) as connection:
            while not over.is_set():
                began = time.monotonic()
                connection.execute("UPDATE things SET name = 'again' WHERE id = 1")
                waited.append(time.monotonic() - began)
                time.sleep(0.01)

    writing = threading.Thread(target=write)
    with writer(engine) as dump:
        dump.execute("BEGIN")
        dump.execute("SELECT * FROM things LIMIT 1")  # as a backup does, for hours
        with another_process(engine, migrations) as process:
            writing.start()
            until(lambda: sum(one > LOCK_S / 2 for one in waited) >= 2)  # it was tried twice, and writers went on in between
            assert process.poll() is None
            dump.execute("COMMIT")
    over.set()
    writing.join()
    assert process.returncode == 0
    assert is_valid(engine)


def begun(engine: Engine, folder: Path, step: str, count: int = 10) -> Migrations:
    """Return migrations of which the first is carried out, which makes a table, and one that is not."""
    migrations = made_of(folder / "made", TABLE, step)
    migrate(engine, command.upgrade, "0001", migrations)
    rows(engine, "things", count)
    return migrations


@contextmanager
def another_process(engine: Engine, migrations: Migrations) -> Iterator["subprocess.Popen[str]"]:
    """Yield a process that brings the tables up to date; it has ended afterwards."""
    url = engine.url.render_as_string(hide_password=False)
    program = f"""
from pathlib import Path
from services.archive.database import open_engine
from services.archive.migrations import Migrations
from services.archive.schema import bring_up_to_date
bring_up_to_date(open_engine({url!r}), Migrations(Path({str(migrations.folder)!r}), {migrations.version_table!r}))
"""
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, text=True)
    try:
        yield process
        process.wait(60)
    finally:
        process.kill()
        process.wait()


@contextmanager
def writer(engine: Engine, lock_s: float = LOCK_S) -> Iterator["psycopg.Connection[Any]"]:
    """Yield a connection that waits for locks for so long."""
    url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True, options=f"-c lock_timeout={int(lock_s * 1000)}") as connection:
        yield connection


@contextmanager
def an_old_transaction(engine: Engine) -> Iterator[Callable[[], object]]:
    """Keep a transaction open that an index which is made waits for, until what is yielded is called; it locks nothing."""
    with writer(engine) as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        connection.execute("SELECT 1")
        yield lambda: connection.execute("COMMIT")


def number(engine: Engine, query: str) -> int:
    with engine.begin() as connection:
        return int(connection.exec_driver_sql(query).scalar() or 0)


def making(engine: Engine) -> int:
    """Return the process id of PostgreSQL's that makes an index and waits; 0 if there is none."""
    query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'virtualxid'"
    return number(engine, f"{query} AND query LIKE 'CREATE INDEX CONCURRENTLY%%'")


def is_valid(engine: Engine) -> bool:
    return bool(number(engine, "SELECT indisvalid::int FROM pg_index WHERE indexrelid = to_regclass('things_name')"))


def is_there(engine: Engine, column: str) -> bool:
    return column in {one["name"] for one in sa.inspect(engine).get_columns("things")}


def until(is_so: Callable[[], object], within_s: float = 60) -> None:
    end = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)
