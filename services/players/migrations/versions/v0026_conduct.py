"""How players behaved in their last games with people, and how reliable opponents are to be."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Make the table, and add the columns."""
    op.create_table(
        "players_conduct",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("live", sa.String(600), nullable=False),
        sa.Column("slow", sa.String(600), nullable=False),
        if_not_exists=True,
    )
    add_column("players_seeks", sa.Column("least_reliability", sa.Integer, nullable=False, server_default="0"))
    add_column("players_seeks", sa.Column("reliability", sa.Integer))


def downgrade() -> None:
    """Drop them."""
    for column in ("reliability", "least_reliability"):
        op.drop_column("players_seeks", column)
    op.drop_table("players_conduct")
