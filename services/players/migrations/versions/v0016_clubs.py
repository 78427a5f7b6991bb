"""Clubs: who is in them, by which links one joins, what is said, and which tables and tournaments belong to them."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column, create_index

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Make the tables, and let a tournament belong to a club."""
    add_column("players_tournaments", sa.Column("club_id", sa.String(32), nullable=False, server_default=""))
    create_index("players_tournaments_club", "players_tournaments", ["club_id", "state"])
    op.create_table(
        "players_clubs",
        sa.Column("club_id", sa.String(32), primary_key=True),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("sought", sa.String(160), nullable=False),
        sa.Column("description", sa.String(300), nullable=False),
        sa.Column("entry", sa.Integer, nullable=False),
        sa.Column("talk_version", sa.BigInteger, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_clubs_list", "players_clubs", ["sought", "club_id"])
    op.create_table(
        "players_club_members",
        sa.Column("club_id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("role", sa.Integer, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_club_members_player", "players_club_members", ["player_id", "role"])
    op.create_index("players_club_members_age", "players_club_members", ["role", "since_ms"])
    op.create_table(
        "players_club_links",
        sa.Column("code", sa.String(32), primary_key=True),
        sa.Column("club_id", sa.String(32), nullable=False),
        sa.Column("link_id", sa.String(32), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_club_links_club", "players_club_links", ["club_id"])
    op.create_index("players_club_links_request", "players_club_links", ["link_id"], unique=True)
    op.create_table(
        "players_club_talk",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("line_id", sa.String(32), nullable=False),
        sa.Column("club_id", sa.String(32), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_club_talk_request", "players_club_talk", ["line_id"], unique=True)
    op.create_index("players_club_talk_club", "players_club_talk", ["club_id", "number"])
    op.create_index("players_club_talk_player", "players_club_talk", ["player_id"])
    op.create_index("players_club_talk_age", "players_club_talk", ["at_ms"])
    op.create_table(
        "players_club_tables",
        sa.Column("club_id", sa.String(32), primary_key=True),
        sa.Column("session_id", sa.String(40), primary_key=True),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_club_tables_player", "players_club_tables", ["player_id"])
    op.create_index("players_club_tables_age", "players_club_tables", ["at_ms"])


def downgrade() -> None:
    """Drop them, with the tournaments of clubs, which would be open to everybody."""
    tournaments = sa.table("players_tournaments", sa.column("tournament_id"), sa.column("club_id"))
    own = sa.select(tournaments.c.tournament_id).where(tournaments.c.club_id != "")
    for name in ("players_pairings", "players_tournament_players"):
        table = sa.table(name, sa.column("tournament_id"))
        op.execute(sa.delete(table).where(table.c.tournament_id.in_(own)))
    op.execute(sa.delete(tournaments).where(tournaments.c.club_id != ""))
    for suffix in ("club_tables", "club_talk", "club_links", "club_members", "clubs"):
        op.drop_table(f"players_{suffix}")
    op.drop_index("players_tournaments_club", "players_tournaments")
    op.drop_column("players_tournaments", "club_id")
