"""How players are notified: devices that get push messages, mail addresses, and what is sent when."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the tables."""
    op.add_column("players_news", sa.Column("handled", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "players_preferences",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("unpushed", sa.BigInteger, nullable=False),
        sa.Column("unmailed", sa.BigInteger, nullable=False),
        sa.Column("quiet_from", sa.Integer, nullable=False),
        sa.Column("quiet_until", sa.Integer, nullable=False),
        sa.Column("time_zone", sa.String(64), nullable=False),
        sa.Column("mail_wait", sa.Integer, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
    )
    op.create_table(
        "players_devices",
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("subscription", sa.LargeBinary, nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        *_delivery(),
    )
    op.create_index("players_devices_player", "players_devices", ["player_id"])
    op.create_index("players_devices_due", "players_devices", ["due_at_ms"])
    op.create_table(
        "players_mailboxes",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("asked_at_ms", sa.BigInteger, nullable=False),
        sa.Column("confirmed_at_ms", sa.BigInteger),
        sa.Column("stop_code", sa.String(64), nullable=False, unique=True),
        sa.Column("refusals", sa.Integer, nullable=False),
        *_delivery(),
    )
    op.create_index("players_mailboxes_due", "players_mailboxes", ["due_at_ms"])
    op.create_table(
        "players_mail_counts",
        sa.Column("subject", sa.String(100), primary_key=True),
        sa.Column("mails", sa.Integer, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_mail_counts_age", "players_mail_counts", ["until_ms"])


def downgrade() -> None:
    """Drop them."""
    for table in ("players_mail_counts", "players_mailboxes", "players_devices", "players_preferences"):
        op.drop_table(table)
    op.drop_column("players_news", "handled")


def _delivery() -> list[sa.Column[int]]:
    return [
        sa.Column("sent_version", sa.BigInteger, nullable=False),
        sa.Column("due_at_ms", sa.BigInteger),
        sa.Column("claimed_until_ms", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("failing_since_ms", sa.BigInteger),
    ]
