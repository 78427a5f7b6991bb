"""The players whom a player has muted."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "players_mutes",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("muted_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_mutes_muted", "players_mutes", ["muted_id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("players_mutes")
