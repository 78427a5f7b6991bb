"""Bots and API tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players_bots",
        sa.Column("player_id", sa.String(64), sa.ForeignKey("players_accounts.player_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("owner_id", sa.String(64), nullable=False),
        sa.Column("suspended", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("players_bots_owner", "players_bots", ["owner_id"])
    op.create_table(
        "players_api_tokens",
        sa.Column("token_id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("owner_id", sa.String(64), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("scopes", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False),
        sa.Column("last_used_at_ms", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("revoked_at_ms", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.create_index("players_api_tokens_owner", "players_api_tokens", ["owner_id", "created_at_ms"])
    op.create_index("players_api_tokens_player", "players_api_tokens", ["player_id"])
    op.create_index("players_api_tokens_age", "players_api_tokens", ["expires_at_ms"])
    op.create_table(
        "players_token_changes",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("token_id", sa.String(32), nullable=False),
        sa.Column("void", sa.Boolean, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_token_changes_token", "players_token_changes", ["token_id"])
    op.create_index("players_token_changes_recent", "players_token_changes", ["at_ms"])
    op.create_index("players_token_changes_age", "players_token_changes", ["expires_at_ms"])


def downgrade() -> None:
    """Drop them. Bots stay as players whom nobody can be any more."""
    for table in ("players_token_changes", "players_api_tokens", "players_bots"):
        op.drop_table(table)
