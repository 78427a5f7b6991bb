"""INSERT … ON CONFLICT, which SQLAlchemy has once for each database."""

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insert that can say what to do if a row already exists."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
