"""Tournaments: who plays in them, who meets whom, and the results."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the tables, and let news and arrangements be about a tournament."""
    op.add_column("players_news", sa.Column("tournament_id", sa.String(32), nullable=False, server_default=""))
    op.add_column("players_arrangements", sa.Column("join_timeout_ms", sa.BigInteger, nullable=False, server_default="0"))
    op.create_table(
        "players_tournaments",
        sa.Column("tournament_id", sa.String(32), primary_key=True),
        sa.Column("owner_id", sa.String(64), nullable=False),
        sa.Column("owner_name", sa.String(40), nullable=False),
        sa.Column("request_id", sa.String(64), nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("state", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("starts_at_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_tournaments_request", "players_tournaments", ["owner_id", "request_id"], unique=True)
    op.create_index("players_tournaments_owner", "players_tournaments", ["owner_id", "state"])
    op.create_index("players_tournaments_list", "players_tournaments", ["state", "created_at_ms", "tournament_id"])
    op.create_table(
        "players_tournament_players",
        sa.Column("tournament_id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("joined_at_ms", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("provisional", sa.Boolean, nullable=False),
        sa.Column("left_after", sa.Integer),
    )
    op.create_index("players_tournament_players_player", "players_tournament_players", ["player_id"])
    op.create_table(
        "players_pairings",
        sa.Column("tournament_id", sa.String(32), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("second", sa.Integer),
        sa.Column("arrangement_id", sa.String(32), nullable=False),
        sa.Column("session_id", sa.String(40), nullable=False, server_default=""),
        sa.Column("first_points", sa.Integer),
        sa.Column("second_points", sa.Integer),
        sa.Column("played", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("players_pairings_arrangement", "players_pairings", ["arrangement_id"])
    op.create_index("players_pairings_undecided", "players_pairings", ["first_points", "session_id"])


def downgrade() -> None:
    """Drop them, with the orders that only tournaments have."""
    op.execute("DELETE FROM players_arrangements WHERE kind = 'tournament'")
    for table in ("players_pairings", "players_tournament_players", "players_tournaments"):
        op.drop_table(table)
    op.drop_column("players_arrangements", "join_timeout_ms")
    op.drop_column("players_news", "tournament_id")
