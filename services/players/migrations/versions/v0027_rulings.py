"""News of what arbiters rule."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Add the column."""
    add_column("players_news", sa.Column("ruling", sa.LargeBinary))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("players_news", "ruling")
