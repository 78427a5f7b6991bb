"""Opens the tables of players: in a database of their own, or beside the archive's in one."""

from pathlib import Path

from sqlalchemy import MetaData

from services.archive.access import Access
from services.archive.database import open_engine
from services.archive.migrations import Migrations

METADATA = MetaData()
"""Of all tables as the queries use them: each room has its own. migrations/ makes them, and a test compares the two."""
MIGRATIONS = Migrations(Path(__file__).parent / "migrations", "players_version")


def open_store(url: str) -> Access:
    """Return the tables at a SQLAlchemy URL. Raises ValueError for a URL that cannot be one.

    The database need not be there yet; its tables are brought up to date when it is first reached.
    """
    return Access(open_engine(url), MIGRATIONS, "players' database")
