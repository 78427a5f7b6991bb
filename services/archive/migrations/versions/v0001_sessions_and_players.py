"""Finished sessions and who played in them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make both tables."""
    session_id = sa.String(40).with_variant(sa.String(40, collation="C"), "postgresql")
    op.create_table(
        "archived_sessions",
        sa.Column("session_id", session_id, primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules_version", sa.String(16), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("scores", sa.JSON, nullable=False),
        sa.Column("finished_at_ms", sa.BigInteger, nullable=False),
        sa.Column("session", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False, comment="zlib"),
    )
    op.create_index("archived_sessions_public", "archived_sessions", ["public", "finished_at_ms", "session_id"])
    op.create_index("archived_sessions_public_game", "archived_sessions", ["public", "game", "finished_at_ms", "session_id"])
    op.create_table(
        "archived_players",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column(
            "session_id", sa.String(40), sa.ForeignKey("archived_sessions.session_id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("finished_at_ms", sa.BigInteger, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
    )
    op.create_index("archived_players_list", "archived_players", ["player_id", "finished_at_ms", "session_id"])


def downgrade() -> None:
    """Drop both."""
    op.drop_table("archived_players")
    op.drop_table("archived_sessions")
