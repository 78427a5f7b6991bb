"""The arena."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players_arena_entries",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("at_once", sa.Integer, nullable=False),
        sa.Column("misses", sa.Integer, nullable=False, server_default="0"),
        sa.Column("rests_until_ms", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.create_table(
        "players_arena_games",
        sa.Column("arrangement_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("line_up", sa.String(400), nullable=False),
        sa.Column("session_id", sa.String(40), nullable=False, server_default=""),
        sa.Column("paired_at_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_at_ms", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("unplayed", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("players_arena_games_list", "players_arena_games", ["game", "paired_at_ms"])
    op.create_index("players_arena_games_session", "players_arena_games", ["session_id"])
    op.create_index("players_arena_games_live", "players_arena_games", ["ended_at_ms"])
    op.create_table(
        "players_arena_leases",
        sa.Column("name", sa.String(8), primary_key=True),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop them, with what only the arena has: its orders, and ratings of kinds that earlier releases do not know."""
    op.execute("DELETE FROM players_arrangements WHERE kind = 'arena'")
    for table in ("players_ratings", "players_rating_events", "players_rating_weeks", "players_rating_pools"):
        ratings = sa.table(table, sa.column("kind"))
        op.execute(sa.delete(ratings).where(ratings.c.kind.in_(("arena2", "arenan"))))
    op.execute("UPDATE players_games SET kind = '', rated = false WHERE kind IN ('arena2', 'arenan')")
    for table in ("players_arena_leases", "players_arena_games", "players_arena_entries"):
        op.drop_table(table)
