"""Webhooks for the turns of a table."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("players_webhooks", sa.Column("session_id", sa.String(40), nullable=False, server_default=""))
    op.add_column("players_webhooks", sa.Column("sent_seats", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("players_webhooks", "sent_seats")
    op.drop_column("players_webhooks", "session_id")
