"""Finding opponents: searches, challenges, blocks, and the resulting sessions."""

import unicodedata
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Connection

from services.archive import migration_steps

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables, and let accounts be found by name."""
    op.create_table(
        "players_seeks",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("seek_id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("pool", sa.String(80), nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("lease_ms", sa.BigInteger, nullable=False),
        sa.Column("arrangement_id", sa.String(32), nullable=False, server_default=""),
        if_not_exists=True,
    )
    op.create_index("players_seeks_pool", "players_seeks", ["pool", "arrangement_id"], if_not_exists=True)
    op.create_table(
        "players_challenges",
        sa.Column("challenge_id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("challenged_id", sa.String(64), nullable=False),
        sa.Column("challenged_name", sa.String(40), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.Integer, nullable=False),
        sa.Column("decline_reason", sa.Integer, nullable=False, server_default="0"),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_at_ms", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("arrangement_id", sa.String(32), nullable=False, server_default=""),
        if_not_exists=True,
    )
    op.create_index("players_challenges_sent", "players_challenges", ["player_id", "state"], if_not_exists=True)
    op.create_index("players_challenges_received", "players_challenges", ["challenged_id", "state"], if_not_exists=True)
    op.create_index("players_challenges_age", "players_challenges", ["state", "expires_at_ms"], if_not_exists=True)
    op.create_table(
        "players_blocks",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("blocked_id", sa.String(64), primary_key=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        if_not_exists=True,
    )
    op.create_index("players_blocks_blocked", "players_blocks", ["blocked_id"], if_not_exists=True)
    op.create_table(
        "players_arrangements",
        sa.Column("arrangement_id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("session_id", sa.String(40), nullable=False, server_default=""),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        if_not_exists=True,
    )
    op.create_index("players_arrangements_due", "players_arrangements", ["state", "due_ms"], if_not_exists=True)
    migration_steps.add_column("players_news", sa.Column("challenge_id", sa.String(32), nullable=False, server_default=""))
    migration_steps.add_column("players_news", sa.Column("name", sa.String(40), nullable=False, server_default=""))
    migration_steps.add_column("players_accounts", sa.Column("sought", sa.String(160), nullable=False, server_default=""))
    migration_steps.in_batches(_fold_names())
    migration_steps.create_index("players_accounts_sought", "players_accounts", ["sought"])


def _fold_names() -> Callable[[Connection], bool]:
    """Return what folds names that are not folded yet, a thousand with each call; it returns whether there may be more."""
    accounts = sa.table("players_accounts", sa.column("player_id"), sa.column("name"), sa.column("sought"))
    last = ""

    def fold(connection: Connection) -> bool:
        nonlocal last
        following = sa.select(accounts.c.player_id, accounts.c.name).where(accounts.c.player_id > last, accounts.c.sought == "")
        rows = connection.execute(following.order_by(accounts.c.player_id).limit(1000)).all()
        if rows:
            last = rows[-1].player_id
            folded = [{"id": row.player_id, "folded": unicodedata.normalize("NFKC", row.name).casefold()[:160]} for row in rows]
            by_id = sa.update(accounts).where(accounts.c.player_id == sa.bindparam("id"))
            connection.execute(by_id.values(sought=sa.bindparam("folded")), folded)
        return bool(rows)

    return fold


def downgrade() -> None:
    """Drop them."""
    op.drop_index("players_accounts_sought", "players_accounts")
    # In place: a batch makes the table anew, and SQLite then removes passkeys and sign-outs with the accounts of the old one.
    op.drop_column("players_accounts", "sought")
    op.drop_column("players_news", "name")
    op.drop_column("players_news", "challenge_id")
    for table in ("players_arrangements", "players_blocks", "players_challenges", "players_seeks"):
        op.drop_table(table)
