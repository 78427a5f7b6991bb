"""Ratings, what changed them, and what counts for achievements."""

import sqlalchemy as sa
from alembic import op

from services.archive import migration_steps

revision = "0003"
down_revision = "0002"

_RATING = ("rating", "deviation", "volatility")


def upgrade() -> None:
    """Add the columns and make the tables. A game that is stored already has no names and counts for nothing until a rebuild."""
    migration_steps.add_column("players_games", sa.Column("reason", sa.String(100), nullable=False, server_default=""))
    migration_steps.add_column("players_games", sa.Column("kind", sa.String(8), nullable=False, server_default=""))
    migration_steps.add_column_filled("players_games", "rated", sa.Boolean(), "FALSE")
    migration_steps.add_column("players_results", sa.Column("name", sa.String(40), nullable=False, server_default=""))
    migration_steps.add_column("players_results", sa.Column("sought", sa.String(160), nullable=False, server_default=""))
    migration_steps.add_column("players_results", sa.Column("depth", sa.Integer, nullable=False, server_default="0"))
    migration_steps.add_column("players_results", sa.Column("feats", sa.String(1000), nullable=False, server_default=""))
    op.create_table(
        "players_ratings",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        *(sa.Column(name, sa.Double, nullable=False) for name in _RATING),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("week", sa.Integer, nullable=False),
        sa.Column("week_gain", sa.Double, nullable=False),
        sa.Column("week_games", sa.Integer, nullable=False),
        sa.Column("established_until_ms", sa.BigInteger, nullable=False),
        if_not_exists=True,
    )
    op.create_index("players_ratings_board", "players_ratings", ["game", "kind", "rating"], if_not_exists=True)
    op.create_table(
        "players_rating_events",
        sa.Column("session_id", sa.String(40), primary_key=True),
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("finished_at_ms", sa.BigInteger, nullable=False),
        sa.Column("rating_before", sa.Double, nullable=False),
        sa.Column("deviation_before", sa.Double, nullable=False),
        *(sa.Column(name, sa.Double, nullable=False) for name in _RATING),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("week_gain", sa.Double, nullable=False),
        sa.Column("week_games", sa.Integer, nullable=False),
        if_not_exists=True,
    )
    ordered = ["game", "kind", "finished_at_ms", "session_id"]
    op.create_index("players_rating_events_order", "players_rating_events", ordered, if_not_exists=True)
    op.create_index("players_rating_events_player", "players_rating_events", ["player_id", *ordered], if_not_exists=True)
    op.create_table(
        "players_rating_weeks",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("week", sa.Integer, primary_key=True),
        sa.Column("gain", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        if_not_exists=True,
    )
    op.create_index("players_rating_weeks_board", "players_rating_weeks", ["game", "kind", "week", "gain"], if_not_exists=True)
    op.create_table(
        "players_rating_pools",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("session_id", sa.String(40), nullable=False),
        if_not_exists=True,
    )
    migration_steps.create_index("players_games_kind", "players_games", ordered)
    migration_steps.create_index("players_games_unrated", "players_games", ordered, "rated IS NULL")


def downgrade() -> None:
    """Drop them."""
    for table in ("rating_pools", "rating_weeks", "rating_events", "ratings"):
        op.drop_table(f"players_{table}")
    for column in ("feats", "depth", "sought", "name"):
        op.drop_column("players_results", column)
    op.drop_index("players_games_unrated", "players_games")
    op.drop_index("players_games_kind", "players_games")
    for column in ("rated", "kind", "reason"):
        op.drop_column("players_games", column)
