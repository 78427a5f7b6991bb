"""Alembic runs this: migrations go over the connection that schema.py has opened."""

from services.archive.migration_steps import run_migrations
from services.players.schema import METADATA

run_migrations(METADATA)
