"""The way of a whole database down and up again, with rows in all of its tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, MetaData, Table, insert, select

from services.archive.database import migrating_engine, open_engine
from services.archive.migrations import ARCHIVE, Migrations
from services.archive.upgrade import configuration

Rows: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The row of each table by the table's name."""


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    """Open a database, and leave no connection to it, whatever fails: a test that runs then would be blamed for it."""
    engine = open_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def migrate(engine: Engine, step: Callable[[Config, str], object], revision: str, migrations: Migrations = ARCHIVE) -> None:
    """Go up or down to a revision (`command.upgrade`, `command.downgrade`)."""
    own = migrating_engine(engine)
    try:
        with own.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.begin()
            step(configuration(connection, migrations), revision)
            connection.commit()
    finally:
        own.dispose()


class Migrated:
    """A database on its way through migrations, in which each table has a row."""

    def __init__(self, engine: Engine, migrations: Migrations = ARCHIVE) -> None:
        self._engine = engine
        self._migrations = migrations

    def revisions(self) -> Sequence[str]:
        """Return all revisions, the oldest first."""
        with self._engine.begin() as connection:
            scripts = ScriptDirectory.from_config(self._configuration(connection))
            return [script.revision for script in reversed(list(scripts.walk_revisions()))]

    def upgrade(self, revision: str) -> None:
        migrate(self._engine, command.upgrade, revision, self._migrations)

    def downgrade(self, revision: str) -> None:
        migrate(self._engine, command.downgrade, revision, self._migrations)

    def fill(self) -> None:
        """Put a row into each table that has none; rows of several tables belong together."""
        with self._engine.begin() as connection:
            for table in self._tables(connection):
                if connection.execute(select(table)).first() is None:
                    connection.execute(insert(table).values({column.name: _value(column) for column in table.columns}))

    def rows(self) -> Rows:
        """Return what is there; nothing for a table that is empty."""
        with self._engine.begin() as connection:
            return {
                table.name: dict(connection.execute(select(table)).mappings().first() or {}) for table in self._tables(connection)
            }

    def _tables(self, connection: Connection) -> Sequence[Table]:
        """Return the tables that there are, those that others refer to first."""
        metadata = MetaData()
        metadata.reflect(connection)
        return [table for table in metadata.sorted_tables if table.name != self._migrations.version_table]

    def _configuration(self, connection: Connection) -> Config:
        return configuration(connection, self._migrations)


def walk_down_and_up(engine: Engine, migrations: Migrations = ARCHIVE) -> None:
    """Take each migration back and apply it again: whatever the tables and columns hold that the one before knows, stays.

    The database has to be empty: where all migrations are carried out already, going up to the first ones would do nothing.
    """
    database = Migrated(engine, migrations)
    assert database.rows() == {}
    before = ""
    for revision in database.revisions():
        database.upgrade(revision)
        database.fill()
        full = database.rows()
        if before:
            database.downgrade(before)
            old = database.rows()
            assert changed(full, old) == set(), f"going back from {revision}"
            database.upgrade(revision)
            again = database.rows()
            assert changed(old, again) == set(), f"coming to {revision} again"
            database.fill()
            assert database.rows().keys() == full.keys()
        before = revision
    database.downgrade("base")
    assert database.rows() == {}


def changed(before: Rows, after: Rows) -> set[str]:
    """Return the tables of which something is lost or changed, in the columns that they have before and after."""
    return {
        name
        for name in before.keys() & after.keys()
        if bool(before[name]) != bool(after[name])
        or any(before[name][column] != after[name][column] for column in before[name].keys() & after[name].keys())
    }


def _value(column: sa.Column[Any]) -> Any:
    """Return a value that only this column has, or all of the same name, whatever table they are of."""
    kind = column.type
    number = sum(column.name.encode()) % 97 + 2
    match kind:
        case sa.Boolean():
            return True
        case sa.Integer():  # BigInteger, too
            return number
        case sa.Float():
            return number + 0.5
        case sa.String():
            return f"{column.name} ü"[: kind.length]
        case sa.LargeBinary():
            return b"\0" + column.name.encode()
        case sa.JSON():
            return [number]
    raise AssertionError(f"no value is known for {kind!r}")
