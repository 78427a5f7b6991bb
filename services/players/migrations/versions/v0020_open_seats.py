"""The games of whose open seats players want to hear, and how much of a game a substitute played."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Make the table, and add the column."""
    op.create_table(
        "players_seat_wishes",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("informed_at_ms", sa.BigInteger, nullable=False),
        if_not_exists=True,
    )
    op.create_index("players_seat_wishes_game", "players_seat_wishes", ["game", "informed_at_ms"], if_not_exists=True)
    add_column("players_results", sa.Column("share", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("players_results", "share")
    op.drop_table("players_seat_wishes")
