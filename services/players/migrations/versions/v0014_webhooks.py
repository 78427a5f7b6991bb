"""Players' webhooks, and how far their news were sent to them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "players_webhooks",
        sa.Column("webhook_id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("host", sa.String(253), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("form", sa.Integer, nullable=False),
        sa.Column("unsent", sa.BigInteger, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("off_at_ms", sa.BigInteger),
        sa.Column("why", sa.String(40), nullable=False),
        sa.Column("sent_version", sa.BigInteger, nullable=False),
        sa.Column("due_at_ms", sa.BigInteger),
        sa.Column("claimed_until_ms", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("failing_since_ms", sa.BigInteger),
        if_not_exists=True,
    )
    op.create_index("players_webhooks_player", "players_webhooks", ["player_id"], if_not_exists=True)
    op.create_index("players_webhooks_due", "players_webhooks", ["due_at_ms"], if_not_exists=True)


def downgrade() -> None:
    """Drop it."""
    op.drop_table("players_webhooks")
