"""Bots in SQL, within a transaction."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select, update

from services.players.accounts.tables import ACCOUNTS, BOTS


class Owner(NamedTuple):
    """The owner of a bot."""

    player_id: str
    name: str


def of(connection: Connection, owner_id: str) -> Sequence[str]:
    """Return the ids of a player's bots."""
    return connection.execute(select(BOTS.c.player_id).where(BOTS.c.owner_id == owner_id)).scalars().all()


def listed(connection: Connection, owner_id: str) -> Sequence[Row[Any]]:
    """Return a player's bots with their accounts, oldest first."""
    query = (
        select(BOTS, ACCOUNTS.c.name, ACCOUNTS.c.created_at_ms, ACCOUNTS.c.generation)
        .join(ACCOUNTS, ACCOUNTS.c.player_id == BOTS.c.player_id)
        .where(BOTS.c.owner_id == owner_id)
        .order_by(ACCOUNTS.c.created_at_ms, BOTS.c.player_id)
    )
    return connection.execute(query).all()


def find(connection: Connection, owner_id: str, bot_id: str) -> Row[Any] | None:
    """Return one of a player's bots with its account, None for another's and for none."""
    return next((row for row in listed(connection, owner_id) if row.player_id == bot_id), None)


def suspend(connection: Connection, bot_id: str, *, suspended: bool) -> bool:
    """Suspend a bot or end that; return whether that changed anything."""
    mine = (BOTS.c.player_id == bot_id) & (BOTS.c.suspended.is_not(suspended))
    return connection.execute(update(BOTS).where(mine).values(suspended=suspended)).rowcount == 1


def owners(connection: Connection, bots: Collection[str]) -> dict[str, Owner]:
    """Return whose some bots are, by their ids."""
    query = (
        select(BOTS.c.player_id, BOTS.c.owner_id, ACCOUNTS.c.name)
        .join(ACCOUNTS, ACCOUNTS.c.player_id == BOTS.c.owner_id)
        .where(BOTS.c.player_id.in_(bots))
    )
    return {row.player_id: Owner(row.owner_id, row.name) for row in connection.execute(query)}
