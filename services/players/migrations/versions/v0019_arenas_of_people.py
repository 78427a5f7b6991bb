"""Arenas of people: tournaments that last a set time."""

import sqlalchemy as sa
from alembic import op

from services.archive.migration_steps import add_column, create_index

revision = "0019"
down_revision = "0018"

_PLAYERS, _PAIRINGS = "players_tournament_players", "players_pairings"
_COUNTS = ("points", "games", "wins", "streak", "seat_balance")
_INDEXES = {
    "players_tournament_players_number": (_PLAYERS, ["tournament_id", "number"]),
    "players_tournament_players_free": (_PLAYERS, ["tournament_id", "board", "left_after"]),
    "players_pairings_first": (_PAIRINGS, ["tournament_id", "first"]),
    "players_pairings_second": (_PAIRINGS, ["tournament_id", "second"]),
}


def upgrade() -> None:
    """Add how long a tournament lasts, how players stand, where they play, and what does not count."""
    add_column("players_tournaments", sa.Column("lasts_ms", sa.BigInteger, nullable=False, server_default="0"))
    for count in _COUNTS:
        add_column(_PLAYERS, sa.Column(count, sa.Integer, nullable=False, server_default="0"))
    for number in ("last_opponent", "board"):
        add_column(_PLAYERS, sa.Column(number, sa.Integer))
    add_column(_PLAYERS, sa.Column("free_since_ms", sa.BigInteger, nullable=False, server_default="0"))
    add_column(_PAIRINGS, sa.Column("uncounted", sa.Boolean, nullable=False, server_default=sa.false()))
    for name, (table, columns) in _INDEXES.items():
        create_index(name, table, columns)


def downgrade() -> None:
    """Drop them, with the arenas, which earlier releases do not know."""
    tournaments = sa.table("players_tournaments", sa.column("tournament_id"), sa.column("lasts_ms"))
    arenas = sa.select(tournaments.c.tournament_id).where(tournaments.c.lasts_ms > 0)
    for name in (_PAIRINGS, _PLAYERS):
        table = sa.table(name, sa.column("tournament_id"))
        op.execute(sa.delete(table).where(table.c.tournament_id.in_(arenas)))
    op.execute(sa.delete(tournaments).where(tournaments.c.lasts_ms > 0))
    for name, (of, _) in _INDEXES.items():
        op.drop_index(name, of)
    op.drop_column(_PAIRINGS, "uncounted")
    for column in ("free_since_ms", "board", "last_opponent", *reversed(_COUNTS)):
        op.drop_column(_PLAYERS, column)
    op.drop_column("players_tournaments", "lasts_ms")
