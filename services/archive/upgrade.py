"""Carries migrations out with Alembic."""

import threading

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from services.archive.migrations import ARCHIVE, Migrations

_ALEMBIC = threading.Lock()  # alembic keeps its context in module variables


def configuration(connection: Connection | None = None, migrations: Migrations = ARCHIVE) -> Config:
    """Return alembic's configuration; migrations run on `connection`, of an engine for migrations (`migrating_engine`).

    In SQLite they run in its transaction; in PostgreSQL it must be in none.
    """
    config = Config()
    config.set_main_option("script_location", str(migrations.folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["version_table"] = migrations.version_table
    return config


def upgrade(connection: Connection, migrations: Migrations) -> None:
    """Carry out what was not carried out yet."""
    with _ALEMBIC:
        command.upgrade(configuration(connection, migrations), "head")
