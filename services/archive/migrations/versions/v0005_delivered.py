"""Which finished sessions the players service has."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the mark; no session is delivered yet."""
    op.add_column("archived_sessions", sa.Column("delivered", sa.Boolean, nullable=True))
    op.create_index(
        "archived_sessions_undelivered",
        "archived_sessions",
        ["finished_at_ms", "session_id"],
        sqlite_where=sa.text("delivered IS NULL"),
        postgresql_where=sa.text("delivered IS NULL"),
    )
    op.create_index("archived_sessions_age", "archived_sessions", ["finished_at_ms", "session_id"])


def downgrade() -> None:
    """Drop both."""
    op.drop_index("archived_sessions_age", "archived_sessions")
    op.drop_index("archived_sessions_undelivered", "archived_sessions")
    op.drop_column("archived_sessions", "delivered")
