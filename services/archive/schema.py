"""Brings the tables up to date, even if several processes do so at once.

Migrations only add (expand, later contract), so that a process of the previous version can go on with a newer schema: a rolling
update and a rollback need no downtime.
"""

import threading
import time
from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from services.archive.database import WAIT_S
from services.runtime.logs import logger

VERSION_TABLE = "archive_version"
_LOCK_KEY = 0x62726574_74776572  # any number that nobody else uses in this database
_ALEMBIC = threading.Lock()  # alembic keeps its context in module variables
log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Migrations:
    """The migrations of some tables: several sets of tables may be in one database."""

    folder: Path
    version_table: str
    """Where it stands which of them were carried out."""


ARCHIVE = Migrations(Path(__file__).parent / "migrations", VERSION_TABLE)


def configuration(connection: Connection | None = None, migrations: Migrations = ARCHIVE) -> Config:
    """Return alembic's configuration; migrations run on `connection`, in its transaction."""
    config = Config()
    config.set_main_option("script_location", str(migrations.folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["version_table"] = migrations.version_table
    return config


def bring_up_to_date(engine: Engine, migrations: Migrations = ARCHIVE) -> None:
    """Bring the schema up to date; do nothing if it already is, or is newer than this program knows.

    The first process does it, the others wait. Raises OperationalError if the database cannot be reached.
    """
    with _ALEMBIC, engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            _begin_sqlite(connection)
        else:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
        config = configuration(connection, migrations)
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        context = MigrationContext.configure(connection, opts={"version_table": migrations.version_table})
        found = set(context.get_current_heads())
        if found <= known:
            command.upgrade(config, "head")
        else:
            log.warning(
                "the schema is newer than this program", tables=migrations.version_table, revision=", ".join(sorted(found))
            )
        connection.commit()


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
