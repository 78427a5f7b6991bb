"""Migrations that tests make up, and what shuts others out while migrations are carried out."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from alembic import command
from sqlalchemy import Connection, Engine, event, inspect

from services.archive.migrations import Migrations
from tests.services.archive.migrating import Migrated, migrate

_ENV = "import sqlalchemy\nfrom services.archive.migration_steps import run_migrations\nrun_migrations(sqlalchemy.MetaData())\n"
_HEAD = "import sqlalchemy as sa\nfrom alembic import op\nfrom services.archive import migration_steps\n"
_SHORT = re.compile(
    r"ALTER TABLE \S+ (ADD COLUMN|ALTER COLUMN \S+ (DROP|SET) DEFAULT)|CREATE TABLE|COMMENT ON|BEGIN|SET|RESET|SELECT"
)
"""These change the catalogue only, however many rows there are."""


def made_of(folder: Path, *upgrades: str) -> Migrations:
    """Return migrations with these lines, one after the other."""
    versions = folder / "versions"
    versions.mkdir(parents=True)
    (folder / "env.py").write_text(_ENV)
    for number, lines in enumerate(upgrades, 1):
        before = f"'{number - 1:04}'" if number > 1 else None
        body = "".join(f"    {line}\n" for line in lines.splitlines())
        text = f"{_HEAD}revision = '{number:04}'\ndown_revision = {before}\ndef upgrade():\n{body}"
        (versions / f"v{number:04}.py").write_text(text)
    return Migrations(folder, "made_version")


def shutting_out(engine: Engine, migrations: Migrations) -> Sequence[str]:
    """Carry migrations out, and return the statements that go through a table's rows while nobody can write to it."""
    database, found = Migrated(engine, migrations), []
    for revision in database.revisions():
        tables = [name for name in inspect(engine).get_table_names() if name != migrations.version_table]
        with _asked(engine, tables) as said:
            migrate(engine, command.upgrade, revision, migrations)
        found += [f"{revision}: {statement}" for statement in said]
        database.fill()
    return found


@contextmanager
def _asked(engine: Engine, tables: Sequence[str]) -> Iterator[list[str]]:
    """After each statement of another engine, try whether a row can be written of each of these tables that it names."""
    url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    found: list[str] = []
    with psycopg.connect(url, autocommit=True) as writer:

        def look(_connection: Connection, _cursor: Any, statement: str, *_more: Any) -> None:
            named = [name for name in tables if re.search(rf"\b{name}\b", statement)]
            if not _SHORT.match(statement.strip()) and not all(_can_write(writer, name) for name in named):
                found.append(" ".join(statement.split()))

        event.listen(Engine, "after_cursor_execute", look)
        try:
            yield found
        finally:
            event.remove(Engine, "after_cursor_execute", look)


def _can_write(writer: "psycopg.Connection[Any]", table: str) -> bool:
    try:
        with writer.transaction():
            writer.execute(f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE NOWAIT")
            writer.execute(f"SELECT 1 FROM {table} LIMIT 1 FOR UPDATE NOWAIT")
    except psycopg.errors.LockNotAvailable:
        return False
    return True


def rows(engine: Engine, table: str, number: int) -> None:
    """Put so many rows with numbers as ids into a table that has an `id` and a `name`."""
    with engine.begin() as connection:
        connection.execute(sa.text(f"INSERT INTO {table} SELECT n, 'name' || n FROM generate_series(1, {number}) n"))
