"""Accounts, and the ways in which their players come back."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players_accounts",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("login", sa.String(120), unique=True),
        sa.Column("login_shown", sa.String(40)),
        sa.Column("password", sa.String(200), comment="Argon2id"),
        sa.Column("phrase_finder", sa.LargeBinary, unique=True),
        sa.Column("phrase", sa.String(200), comment="Argon2id"),
    )
    op.create_table(
        "players_sign_outs",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_sign_outs_age", "players_sign_outs", ["at_ms"])
    op.create_table(
        "players_tickets",
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False),
        sa.Column("used_at_ms", sa.BigInteger),
    )
    op.create_index("players_tickets_age", "players_tickets", ["expires_at_ms"])
    op.create_index("players_tickets_player", "players_tickets", ["player_id", "kind"])
    op.create_table(
        "players_passkeys",
        sa.Column("credential_id", sa.LargeBinary, primary_key=True),
        sa.Column("player_id", sa.String(64), sa.ForeignKey("players_accounts.player_id", ondelete="CASCADE"), nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_passkeys_player", "players_passkeys", ["player_id"])
    op.create_table(
        "players_tries",
        sa.Column("subject", sa.String(100), primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_tries_age", "players_tries", ["until_ms"])


def downgrade() -> None:
    """Drop them."""
    for table in ("tries", "passkeys", "tickets", "sign_outs", "accounts"):
        op.drop_table(f"players_{table}")
