"""Arbiters of tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "players_tournament_arbiters",
        sa.Column("tournament_id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("named_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_tournament_arbiters_player", "players_tournament_arbiters", ["player_id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("players_tournament_arbiters")
