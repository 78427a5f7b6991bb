"""News: what concerns a player at any table."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players_feeds",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("head", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "players_news",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("session_id", sa.String(40), nullable=False),
        sa.Column("session_version", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Integer, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_news_age", "players_news", ["at_ms"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("players_news")
    op.drop_table("players_feeds")
