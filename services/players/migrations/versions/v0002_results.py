"""Finished games, and who sat at them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players_games",
        sa.Column("session_id", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("finished_at_ms", sa.BigInteger, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("rule", sa.String(64), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("competitive", sa.Boolean, nullable=False),
        sa.Column("standing", sa.String(16), nullable=False),
    )
    op.create_index("players_games_age", "players_games", ["game", "finished_at_ms", "session_id"])
    op.create_table(
        "players_results",
        sa.Column("session_id", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("level", sa.String(32), nullable=False),
        sa.Column("result", sa.String(16), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("began", sa.Boolean, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("finished_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_results_list", "players_results", ["player_id", "finished_at_ms", "session_id"])
    op.create_index("players_results_game", "players_results", ["player_id", "game", "finished_at_ms", "session_id"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("players_results")
    op.drop_table("players_games")
