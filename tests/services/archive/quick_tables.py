"""Tables of a new SQLite database without carrying out every migration: what these make is made once in each process of tests."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from services.archive import schema
from services.archive.migrations import Migrations

_carry_out = schema._upgrade


@cache
def _made(migrations: Migrations) -> tuple[str, ...]:
    """Return the statements that make of an empty database what the migrations make of it."""
    raw = sqlite3.connect(":memory:", check_same_thread=False)
    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
    with engine.begin() as connection:
        _carry_out(connection, migrations)
    made = tuple(line for line in raw.iterdump() if line not in ("BEGIN TRANSACTION;", "COMMIT;"))
    raw.close()
    engine.dispose()
    return made


def _upgrade(connection: Connection, migrations: Migrations) -> None:
    if connection.dialect.name != "sqlite" or schema._found(connection, migrations):
        _carry_out(connection, migrations)
        return
    for statement in _made(migrations):
        connection.exec_driver_sql(statement)


@contextmanager
def quick_tables() -> Iterator[None]:
    """Let new SQLite databases be filled from what was made once; what is there already is migrated as ever."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(schema, "_upgrade", _upgrade)
        yield
