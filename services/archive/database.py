"""Opens the database of a URL: SQLite for one machine, PostgreSQL for many, with or without PgBouncer before it."""

from importlib.util import find_spec
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import sqlalchemy
from sqlalchemy import Dialect, Engine, NullPool, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

WAIT_S = 10
"""How long a statement waits for a lock, and PostgreSQL may take to answer."""
LOCK_S = 1
"""How long a migration waits for a lock that keeps others from writing: meanwhile they wait, too."""

# With each transaction, since PgBouncer gives every transaction another connection, and refuses settings at the start of one.
_BEGIN = f"BEGIN; SET LOCAL statement_timeout = {WAIT_S * 1000}; SET LOCAL lock_timeout = {WAIT_S * 1000}"
_MIGRATE = (
    f"SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = {LOCK_S * 1000}; "
    "SET LOCAL idle_in_transaction_session_timeout = 0"
)
_CONNECT: dict[str, Any] = {
    "connect_timeout": 5,
    "application_name": "brettwerk",
    # A connection that is cut off says nothing: without these, a thread waits for a quarter of an hour and more.
    "tcp_user_timeout": WAIT_S * 1000,
    "keepalives_idle": WAIT_S,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "prepare_threshold": None,  # behind PgBouncer, what one connection has prepared is not known to the next
}


def open_engine(url: str) -> Engine:
    """Return an engine for a SQLAlchemy URL, without connecting yet. An SQLite file gets its folder with the first connection.

    Raises ValueError for a URL of neither kind, for PostgreSQL where its driver is missing, and for an SQLite database that would
    not outlive the process.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise ValueError("the database URL cannot be read") from error
    match parsed.get_backend_name():
        case "sqlite":
            return _sqlite(parsed)
        case "postgresql" | "postgres":
            return _postgresql(parsed)
        case other:
            raise ValueError(f"the archive can be SQLite or PostgreSQL, not {other}")


def migrating_engine(engine: Engine) -> Engine:
    """Return an engine of the same database for migrations, which take as long as they need; to be disposed of.

    In PostgreSQL no statement is cut off, a lock is given up after LOCK_S, and connections are closed when they are given back.
    """
    if engine.dialect.name == "sqlite":
        return _sqlite(engine.url)
    own = create_engine(engine.url, poolclass=NullPool, connect_args=_CONNECT)
    event.listen(own, "begin", _for_migrations)
    return own


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise ValueError("the archive must be a file: sqlite:///folder/archive.sqlite3")
    engine = create_engine(url.set(drivername="sqlite+pysqlite"), connect_args={"timeout": WAIT_S})
    event.listen(engine, "do_connect", _make_folder)
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _make_folder(_dialect: Dialect, _entry: ConnectionPoolEntry, arguments: list[Any], _options: dict[str, Any]) -> None:
    """Make the folder of an SQLite file. Raises OSError if there can be none."""
    Path(arguments[0]).parent.mkdir(parents=True, exist_ok=True)


def _prepare_sqlite(connection: Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    # what was acknowledged survives a power cut; there is one write per game
    connection.execute("PRAGMA synchronous = FULL")


def _postgresql(url: URL) -> Engine:
    if find_spec("psycopg") is None:
        raise ValueError("the driver of PostgreSQL is not installed: pip install 'brettwerk[postgresql]'")
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=5,
        max_overflow=5,
        pool_timeout=WAIT_S,
        pool_pre_ping=True,
        pool_recycle=1800,
        # psycopg begins no transaction of its own: BEGIN and the settings go together, in one round trip
        connect_args={**_CONNECT, "autocommit": True},
    )
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: sqlalchemy.Connection) -> None:
    connection.exec_driver_sql(_BEGIN)


def _for_migrations(connection: sqlalchemy.Connection) -> None:
    connection.exec_driver_sql(_MIGRATE)
