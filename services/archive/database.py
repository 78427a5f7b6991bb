"""Opens the database of a URL: SQLite for one machine, PostgreSQL for many."""

from pathlib import Path
from sqlite3 import Connection

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

WAIT_S = 10
"""How long a statement waits for a lock, and PostgreSQL may take to answer."""


def open_engine(url: str) -> Engine:
    """Return an engine for a SQLAlchemy URL, without connecting yet. The folder of an SQLite file is created.

    Raises ValueError for a URL of neither kind, and for an SQLite database that would not outlive the process.
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


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise ValueError("the archive must be a file: sqlite:///folder/archive.sqlite3")
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url.set(drivername="sqlite+pysqlite"), connect_args={"timeout": WAIT_S})
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    # what was acknowledged survives a power cut; there is one write per game
    connection.execute("PRAGMA synchronous = FULL")


def _postgresql(url: URL) -> Engine:
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=5,
        max_overflow=5,
        pool_timeout=WAIT_S,
        pool_pre_ping=True,
        pool_recycle=1800,
        connect_args={
            "connect_timeout": 5,
            "application_name": "brettwerk",
            # What is cut off says nothing: without these, a thread waits for a quarter of an hour and more.
            "tcp_user_timeout": WAIT_S * 1000,
            "keepalives_idle": WAIT_S,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            "options": f"-c statement_timeout={WAIT_S * 1000} -c lock_timeout={WAIT_S * 1000}",
        },
    )
