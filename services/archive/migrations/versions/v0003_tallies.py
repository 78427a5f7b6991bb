"""The tallies of finished games in statistics, and the marks of those that have been counted."""

import sqlalchemy as sa
from alembic import op

from services.archive import migration_steps

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table of tallies; sessions are not counted yet, and what an older release archives will not be either."""
    migration_steps.add_column("archived_sessions", sa.Column("counted", sa.Boolean, nullable=True))
    op.create_table(
        "archived_tallies",
        sa.Column("scope", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("seats", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("item", sa.String(64), primary_key=True),
        sa.Column("games", sa.BigInteger, nullable=False),
        sa.Column("wins", sa.BigInteger, nullable=False),
        if_not_exists=True,
    )
    migration_steps.create_index("archived_sessions_uncounted", "archived_sessions", ["session_id"], "counted IS NULL")


def downgrade() -> None:
    """Drop both."""
    op.drop_table("archived_tallies")
    op.drop_index("archived_sessions_uncounted", "archived_sessions")
    op.drop_column("archived_sessions", "counted")
