"""Matches of clubs."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column, create_index

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Make the table, and let a tournament be a match of two clubs."""
    add_column("players_tournaments", sa.Column("other_club_id", sa.String(32), nullable=False, server_default=""))
    add_column("players_tournament_players", sa.Column("club", sa.Integer))
    add_column("players_tournament_players", sa.Column("line", sa.Integer))
    op.create_table(
        "players_club_matches",
        sa.Column("tournament_id", sa.String(32), primary_key=True),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("club_name", sa.String(60), nullable=False),
        sa.Column("other_name", sa.String(60), nullable=False),
        sa.Column("answer", sa.Integer, nullable=False),
        sa.Column("answered_at_ms", sa.BigInteger, nullable=False),
        sa.Column("min_boards", sa.Integer, nullable=False),
        if_not_exists=True,
    )
    create_index("players_tournaments_other_club", "players_tournaments", ["other_club_id", "state"])


def downgrade() -> None:
    """Drop them; matches stay, each a tournament of the club that has challenged the other."""
    op.drop_index("players_tournaments_other_club", "players_tournaments")
    op.drop_table("players_club_matches")
    for column in ("line", "club"):
        op.drop_column("players_tournament_players", column)
    op.drop_column("players_tournaments", "other_club_id")
