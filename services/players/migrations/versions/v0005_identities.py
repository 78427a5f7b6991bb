"""Players, as an OpenID provider identifies them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "players_identities",
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("player_id", sa.String(64), sa.ForeignKey("players_accounts.player_id", ondelete="CASCADE"), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_identities_player", "players_identities", ["player_id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("players_identities")
