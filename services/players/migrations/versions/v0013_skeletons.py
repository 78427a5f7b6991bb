"""Skeletons of accounts' names, by which names are found that look alike."""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Connection

from services.archive import migration_steps
from services.runtime.player_names import skeleton

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column, fill it and make its index."""
    migration_steps.add_column("players_accounts", sa.Column("skeleton", sa.String(160), nullable=False, server_default=""))
    migration_steps.in_batches(_skeletons())
    migration_steps.create_index("players_accounts_skeleton", "players_accounts", ["skeleton"])


def _skeletons() -> Callable[[Connection], bool]:
    """Return what fills in the skeletons that are missing, a thousand with each call; it returns whether there may be more."""
    accounts = sa.table("players_accounts", sa.column("player_id"), sa.column("name"), sa.column("skeleton"))
    last = ""

    def fill(connection: Connection) -> bool:
        nonlocal last
        following = sa.select(accounts.c.player_id, accounts.c.name).where(accounts.c.player_id > last, accounts.c.skeleton == "")
        rows = connection.execute(following.order_by(accounts.c.player_id).limit(1000)).all()
        if rows:
            last = rows[-1].player_id
            filled = [{"id": row.player_id, "made": skeleton(row.name)} for row in rows]
            by_id = sa.update(accounts).where(accounts.c.player_id == sa.bindparam("id"))
            connection.execute(by_id.values(skeleton=sa.bindparam("made")), filled)
        return bool(rows)

    return fill


def downgrade() -> None:
    """Drop it."""
    op.drop_index("players_accounts_skeleton", "players_accounts")
    # In place: a batch makes the table anew, and SQLite then removes passkeys and sign-outs with the accounts of the old one.
    op.drop_column("players_accounts", "skeleton")
