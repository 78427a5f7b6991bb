"""Which finished sessions the players service has."""

import sqlalchemy as sa
from alembic import op

from services.archive import migration_steps

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the mark; no session is delivered yet."""
    migration_steps.add_column("archived_sessions", sa.Column("delivered", sa.Boolean, nullable=True))
    ordered = ["finished_at_ms", "session_id"]
    migration_steps.create_index("archived_sessions_undelivered", "archived_sessions", ordered, "delivered IS NULL")
    migration_steps.create_index("archived_sessions_age", "archived_sessions", ordered)


def downgrade() -> None:
    """Drop both."""
    op.drop_index("archived_sessions_age", "archived_sessions")
    op.drop_index("archived_sessions_undelivered", "archived_sessions")
    op.drop_column("archived_sessions", "delivered")
