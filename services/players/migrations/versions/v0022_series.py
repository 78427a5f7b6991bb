"""Series of tournaments with a common table."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column, create_index

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Make the tables, and let a tournament belong to a series."""
    add_column("players_tournaments", sa.Column("series_id", sa.String(32), nullable=False, server_default=""))
    add_column("players_tournaments", sa.Column("series_number", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "players_series",
        sa.Column("series_id", sa.String(32), primary_key=True),
        sa.Column("owner_id", sa.String(64), nullable=False),
        sa.Column("owner_name", sa.String(40), nullable=False),
        sa.Column("request_id", sa.String(64), nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("club_id", sa.String(32), nullable=False),
        sa.Column("state", sa.Integer, nullable=False),
        sa.Column("made", sa.Integer, nullable=False),
        sa.Column("make_at_ms", sa.BigInteger, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_series_request", "players_series", ["owner_id", "request_id"], unique=True)
    op.create_index("players_series_owner", "players_series", ["owner_id", "state"])
    op.create_index("players_series_club", "players_series", ["club_id", "state"])
    op.create_index("players_series_list", "players_series", ["state", "created_at_ms", "series_id"])
    op.create_table(
        "players_series_players",
        sa.Column("series_id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("joined_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_series_players_player", "players_series_players", ["player_id"])
    op.create_table(
        "players_series_results",
        sa.Column("series_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
    )
    op.create_index("players_series_results_player", "players_series_results", ["player_id"])
    create_index("players_tournaments_series", "players_tournaments", ["series_id", "series_number"])


def downgrade() -> None:
    """Drop them; the tournaments stay, each by itself."""
    op.drop_index("players_tournaments_series", "players_tournaments")
    for column in ("series_number", "series_id"):
        op.drop_column("players_tournaments", column)
    for suffix in ("series_results", "series_players", "series"):
        op.drop_table(f"players_{suffix}")
