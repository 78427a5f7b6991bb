"""Steps of migrations that PostgreSQL carries out while others write, and that may be broken off anywhere and come again.

A migration first changes tables, in one transaction that is short, and then makes indexes and fills columns with these functions,
which are outside of any. A migration that is killed in between is carried out again as a whole: so each step has to do without
what it finds. SQLite has one writer, and everything in one transaction.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy import Connection, MetaData


def run_migrations(metadata: MetaData) -> None:
    """Do what alembic's env.py has to: in PostgreSQL each migration is a transaction of its own."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=metadata,
        version_table=context.config.attributes["version_table"],
        transaction_per_migration=connection.dialect.name == "postgresql",
    )
    with context.begin_transaction():
        context.run_migrations()


def add_column(table: str, column: "sa.Column[Any]") -> None:
    """Add a column that is not there yet. PostgreSQL does not go through the rows, not even for a default."""
    op.add_column(table, column, if_not_exists=True if _is_postgresql() else None)


def add_column_filled(table: str, name: str, kind: "sa.types.TypeEngine[Any]", value: str) -> None:
    """Add a column that holds a value (SQL) in all rows that are there, and NULL in those that come."""
    if not _is_postgresql():
        op.add_column(table, sa.Column(name, kind))
        op.execute(sa.text(f"UPDATE {table} SET {name} = {value}"))  # noqa: S608 - both are written in a migration
        return
    # PostgreSQL keeps the default of old rows with the column, and touches none of them.
    add_column(table, sa.Column(name, kind, server_default=sa.text(value)))
    op.alter_column(table, name, server_default=None)


def create_index(name: str, table: str, columns: Sequence[str], where: str = "") -> None:
    """Make an index of a table that has rows, or of those of them that a condition (SQL) holds for."""
    condition = sa.text(where) if where else None
    if not _is_postgresql():
        op.create_index(name, table, list(columns), sqlite_where=condition)
        return
    with _in_no_transaction() as connection:
        _wait_for_others(connection, table)
        match connection.scalar(_IS_VALID, {"name": name}):
            case True:
                return
            case False:  # whoever made it was killed, or broken off
                op.drop_index(name, table, postgresql_concurrently=True)
        op.create_index(name, table, list(columns), postgresql_where=condition, postgresql_concurrently=True)


def in_batches(step: Callable[[Connection], bool]) -> None:
    """Call `step` until it returns False. In PostgreSQL what it has done stays done, each time: it must not begin from the start.

    A step takes a thousand rows or so, which others cannot change before it is over.
    """
    if not _is_postgresql():
        while step(op.get_bind()):
            pass
        return
    with _in_no_transaction() as connection:
        while step(connection):
            pass


_IS_VALID = sa.text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")


def _is_postgresql() -> bool:
    return bool(op.get_context().dialect.name == "postgresql")


@contextmanager
def _in_no_transaction() -> Iterator[Connection]:
    with op.get_context().autocommit_block():
        connection = op.get_bind()
        # Waiting here keeps nobody from writing. Behind PgBouncer the next statement may be another connection's; transactions of
        # ours do not mind, as each sets its own.
        for name in ("statement_timeout", "lock_timeout"):
            connection.exec_driver_sql(f"SET {name} = 0")
        yield connection
        for name in ("statement_timeout", "lock_timeout"):
            connection.exec_driver_sql(f"RESET {name}")


def _wait_for_others(connection: Connection, table: str) -> None:
    """Wait until PostgreSQL makes no index of a table any more: it goes on when the process that wanted it was killed."""
    connection.exec_driver_sql(f"BEGIN; LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE; COMMIT")
