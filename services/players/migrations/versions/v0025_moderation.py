"""Moderation."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players_restrictions",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("what", sa.String(8), primary_key=True),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.String(80), nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("players_restrictions_end", "players_restrictions", ["until_ms"])
    op.create_index("players_restrictions_list", "players_restrictions", ["since_ms", "player_id"])
    op.create_table(
        "players_roles",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("source", sa.String(8), primary_key=True),
        sa.Column("role", sa.Integer, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "players_reports",
        sa.Column("report_id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.Integer, nullable=False),
        sa.Column("matter", sa.String(32), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("session_id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("club_id", sa.String(32), nullable=False),
        sa.Column("said", sa.String(400), nullable=False),
        sa.Column("said_at_ms", sa.BigInteger, nullable=False),
        sa.Column("room", sa.String(16), nullable=False),
        sa.Column("context", sa.JSON, nullable=False),
        sa.Column("comment", sa.String(300), nullable=False),
        sa.Column("reporter_id", sa.String(64), nullable=False),
        sa.Column("reported_at_ms", sa.BigInteger, nullable=False),
        sa.Column("act", sa.Integer, nullable=False, server_default="0"),
        sa.Column("decided_at_ms", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.create_index("players_reports_open", "players_reports", ["act", "reported_at_ms", "report_id"])
    op.create_index("players_reports_decided", "players_reports", ["decided_at_ms", "report_id"])
    op.create_index("players_reports_matter", "players_reports", ["matter", "reporter_id"])
    op.create_index("players_reports_player", "players_reports", ["player_id", "reported_at_ms"])
    op.create_index("players_reports_reporter", "players_reports", ["reporter_id", "reported_at_ms"])
    op.create_index("players_reports_age", "players_reports", ["reported_at_ms"])
    op.create_table(
        "players_acts",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("act_id", sa.String(32), nullable=False),
        sa.Column("act", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("actor_id", sa.String(64), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("reason", sa.String(80), nullable=False),
        sa.Column("note", sa.String(300), nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.Column("report_id", sa.String(32), nullable=False),
        sa.Column("subject", sa.String(80), nullable=False),
    )
    op.create_index("players_acts_id", "players_acts", ["act_id"], unique=True)
    op.create_index("players_acts_player", "players_acts", ["player_id", "number"])
    op.create_index("players_acts_actor", "players_acts", ["actor_id"])
    op.create_index("players_acts_age", "players_acts", ["at_ms"])
    op.create_table(
        "players_words",
        sa.Column("word", sa.String(80), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "players_moderation_marks",
        sa.Column("name", sa.String(8), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop them: all restrictions end with that."""
    for suffix in ("moderation_marks", "words", "acts", "reports", "roles", "restrictions"):
        op.drop_table(f"players_{suffix}")
