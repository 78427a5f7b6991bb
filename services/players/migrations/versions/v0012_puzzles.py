"""Puzzles: those that are kept, which day has which, what players have done with them, and which games were looked through."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players_puzzles",
        sa.Column("puzzle_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules_version", sa.String(16), nullable=False),
        sa.Column("made_at_ms", sa.BigInteger, nullable=False),
        sa.Column("last_day", sa.String(10), nullable=False, server_default=""),
        sa.Column("made", sa.LargeBinary, nullable=False, comment="zlib"),
    )
    op.create_index("players_puzzles_stock", "players_puzzles", ["game", "last_day", "made_at_ms"])
    op.create_table(
        "players_puzzle_days",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("puzzle_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
    )
    op.create_index("players_puzzle_days_puzzle", "players_puzzle_days", ["puzzle_id"])
    op.create_table(
        "players_puzzle_progress",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("players_puzzle_progress_age", "players_puzzle_progress", ["day"])
    op.create_table(
        "players_puzzle_games",
        sa.Column("session_id", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("asked_at_ms", sa.BigInteger, nullable=False),
        sa.Column("found", sa.Integer),
    )
    op.create_index("players_puzzle_games_age", "players_puzzle_games", ["game", "asked_at_ms"])


def downgrade() -> None:
    """Drop them."""
    for table in ("players_puzzle_games", "players_puzzle_progress", "players_puzzle_days", "players_puzzles"):
        op.drop_table(table)
