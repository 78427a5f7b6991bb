"""Tournaments at tables of more than two seats."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add who else sits at a table, what they get, and how many of all are seated."""
    add_column("players_pairings", sa.Column("others", sa.JSON))
    add_column("players_pairings", sa.Column("other_points", sa.JSON))
    add_column("players_pairings", sa.Column("seated", sa.Integer))


def downgrade() -> None:
    """Drop them."""
    for column in ("seated", "other_points", "others"):
        op.drop_column("players_pairings", column)
