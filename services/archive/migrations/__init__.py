"""The schema's history, one file a step, oldest first by number. New steps only add; see schema.py."""

from dataclasses import dataclass
from pathlib import Path

VERSION_TABLE = "archive_version"


@dataclass(frozen=True, slots=True)
class Migrations:
    """The migrations of some tables: several sets of tables may be in one database."""

    folder: Path
    version_table: str
    """Where it stands which of them were carried out."""

    def revisions(self) -> list[str]:
        """Return the revisions, each of which follows the one before. They stand in the names of the files: v0001_accounts.py."""
        return sorted(file.name[1:5] for file in self.folder.glob("versions/v[0-9]*.py"))


ARCHIVE = Migrations(Path(__file__).parent, VERSION_TABLE)
