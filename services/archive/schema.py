"""Brings the tables up to date, even if several processes do so at once.

Migrations only add (expand, later contract), so that a process of the previous version can go on with a newer schema: a rolling
update and a rollback need no downtime. How long they take is nobody's business: those who wait ask again and again (upkeep.py).
"""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import ColumnClause, Connection, Engine, column, inspect, select, table
from sqlalchemy.exc import OperationalError

from services.archive.database import LOCK_S, WAIT_S, migrating_engine
from services.archive.migrations import ARCHIVE, Migrations
from services.runtime.logs import logger

_LOCK_KEY = 0x62726574_74776572  # any number that nobody else uses in this database
_LOOK_S = 0.25
_SAY_EVERY_S = 30.0
_IN_THE_WAY = {"55P03", "40P01"}
"""PostgreSQL's codes of a lock that was not to be had in time, and of a deadlock."""
log = logger(__name__)


def bring_up_to_date(engine: Engine, migrations: Migrations = ARCHIVE) -> None:
    """Bring the schema up to date; do nothing if it already is, or is newer than this program knows.

    The first process does it, the others wait until it is done or dead. Raises OperationalError if the database cannot be
    reached, or SQLite's lock is not to be had.
    """
    own = migrating_engine(engine)
    try:
        if own.dialect.name == "sqlite":
            with own.connect() as connection:
                _begin_sqlite(connection)
                if not _is_up_to_date(connection, migrations):
                    _upgrade(connection, migrations)
                connection.commit()
        else:
            _bring_up_online(own, migrations)
    finally:
        own.dispose()


def _is_up_to_date(connection: Connection, migrations: Migrations) -> bool:
    """Return whether there is nothing to do, because all is done, or because a newer program did more."""
    known, found = migrations.revisions(), _found(connection, migrations)
    if not found <= set(known):
        log.warning("the schema is newer than this program", tables=migrations.version_table, revision=", ".join(sorted(found)))
        return True
    return found == set(known[-1:])


def _found(connection: Connection, migrations: Migrations) -> set[str]:
    """Return the revision that the tables have, or nothing where there are none."""
    if not inspect(connection).has_table(migrations.version_table):
        return set()
    revision: ColumnClause[str] = column("version_num")
    return set(connection.scalars(select(revision).select_from(table(migrations.version_table, revision))))


def _upgrade(connection: Connection, migrations: Migrations) -> None:
    # Only now: Alembic is 120 modules and takes a fifth of what a service imports, which mostly finds everything done.
    from services.archive.upgrade import upgrade

    upgrade(connection, migrations)


def _bring_up_online(engine: Engine, migrations: Migrations) -> None:
    said_at = -_SAY_EVERY_S
    while True:
        with engine.begin() as connection:
            if _is_up_to_date(connection, migrations):
                return
        with _alone(engine) as lock:
            if lock is not None:
                _upgrade_online(engine, migrations, lock)
                return
        if time.monotonic() - said_at >= _SAY_EVERY_S:
            said_at = time.monotonic()
            log.info("another process brings the tables up to date", tables=migrations.version_table)
        time.sleep(_LOOK_S)


@contextmanager
def _alone(engine: Engine) -> Iterator[Connection | None]:
    """Give the connection that makes this process the only one that migrates; None if there is one already.

    The lock is its transaction's, which sees nothing of the tables: an index that is made meanwhile would wait for it. So nobody
    may wait for the lock in PostgreSQL, and the statement has no parameters: with some, its snapshot would outlive it.
    """
    with engine.begin() as connection:
        is_ours = connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_LOCK_KEY})").scalar_one()
        yield connection if is_ours else None


def _upgrade_online(engine: Engine, migrations: Migrations, lock: Connection) -> None:
    """Carry migrations out, each in a transaction; whatever is in the way of one is waited for, while others write."""
    while True:
        try:
            with engine.connect() as connection:
                _upgrade(connection, migrations)
                connection.commit()
            return
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) not in _IN_THE_WAY:
                raise
            log.warning("a migration waits until others have finished", tables=migrations.version_table, cause=str(error.orig))
        lock.exec_driver_sql("SELECT 1")  # raises OperationalError when it is lost
        time.sleep(LOCK_S * random.uniform(1, 3))  # noqa: S311 - meanwhile those go on who had to wait, too


def _begin_sqlite(connection: Connection) -> None:
    # switching to WAL does not wait for locks as everything else does
    until = time.monotonic() + WAIT_S
    while True:
        try:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
            break
        except OperationalError:
            connection.rollback()
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
    connection.exec_driver_sql("BEGIN IMMEDIATE")
