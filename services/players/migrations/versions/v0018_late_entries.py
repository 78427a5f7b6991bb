"""Late entries, byes on request, and corrections of results in tournaments."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the columns."""
    add_column("players_tournament_players", sa.Column("first_round", sa.Integer))
    add_column("players_tournament_players", sa.Column("bye_round", sa.Integer))
    add_column("players_pairings", sa.Column("correction", sa.String(60)))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("players_pairings", "correction")
    op.drop_column("players_tournament_players", "bye_round")
    op.drop_column("players_tournament_players", "first_round")
