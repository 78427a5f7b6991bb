"""Saved games, and in whose lists they are."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make both tables."""
    text_id = sa.String(40).with_variant(sa.String(40, collation="C"), "postgresql")
    op.create_table(
        "saved_games",
        sa.Column("save_id", text_id, primary_key=True),
        sa.Column("session_id", text_id, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("saved_by", sa.String(64), nullable=False),
        sa.Column("saved_at_ms", sa.BigInteger, nullable=False),
        sa.Column("summary", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False, comment="zlib"),
    )
    op.create_index("saved_games_session", "saved_games", ["session_id", "saved_by"])
    op.create_table(
        "saved_players",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("save_id", text_id, sa.ForeignKey("saved_games.save_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("saved_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("saved_players_list", "saved_players", ["player_id", "saved_at_ms", "save_id"])
    op.create_index("saved_players_save", "saved_players", ["save_id"])


def downgrade() -> None:
    """Drop both."""
    op.drop_table("saved_players")
    op.drop_table("saved_games")
