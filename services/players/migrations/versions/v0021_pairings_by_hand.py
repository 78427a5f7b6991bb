"""Pairings of tournaments that their owners set by hand, and pairs that they forbid."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the columns and the table."""
    add_column("players_tournaments", sa.Column("round_due_ms", sa.BigInteger, nullable=False, server_default="0"))
    add_column("players_tournaments", sa.Column("set_pairings", sa.JSON))
    add_column("players_pairings", sa.Column("by_hand", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "players_forbidden_pairs",
        sa.Column("tournament_id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("other_id", sa.String(64), primary_key=True),
    )
    op.create_index("players_forbidden_pairs_player", "players_forbidden_pairs", ["player_id"])
    op.create_index("players_forbidden_pairs_other", "players_forbidden_pairs", ["other_id"])


def downgrade() -> None:
    """Drop them; a round that waits begins at once then."""
    op.drop_table("players_forbidden_pairs")
    op.drop_column("players_pairings", "by_hand")
    for column in ("set_pairings", "round_due_ms"):
        op.drop_column("players_tournaments", column)
