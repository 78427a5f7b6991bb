"""The winners, and the place of every seat."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add both columns; what is there already, and what the release before still adds, has neither."""
    op.add_column("archived_sessions", sa.Column("winners", sa.JSON))
    op.add_column("archived_sessions", sa.Column("places", sa.JSON))


def downgrade() -> None:
    """Drop both."""
    op.drop_column("archived_sessions", "places")
    op.drop_column("archived_sessions", "winners")
