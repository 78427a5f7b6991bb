"""Alembic runs this: migrations go over the connection, and in the transaction, that schema.py has opened."""

from alembic import context

from services.players.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=context.config.attributes["version_table"],
)
context.run_migrations()
