"""The reports of players on the talk of others."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table."""
    text_id = sa.String(40).with_variant(sa.String(40, collation="C"), "postgresql")
    op.create_table(
        "talk_reports",
        sa.Column("session_id", text_id, primary_key=True),
        sa.Column("line_id", sa.String(32), primary_key=True),
        sa.Column("reporter_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("reported_at_ms", sa.BigInteger, nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("said", sa.String(300), nullable=False),
        sa.Column("said_at_ms", sa.BigInteger, nullable=False),
        sa.Column("room", sa.String(16), nullable=False),
        sa.Column("comment", sa.String(300), nullable=False),
        sa.Column("before", sa.JSON, nullable=False),
    )
    op.create_index("talk_reports_age", "talk_reports", ["reported_at_ms"])
    op.create_index("talk_reports_reporter", "talk_reports", ["reporter_id", "reported_at_ms"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("talk_reports")
