"""The players whom a player has blocked. In a transaction."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, select, union

from brettwerk.v1 import errors_pb2
from services.archive.upsert import insert_into
from services.players.opponents.tables import BLOCKS
from services.runtime.refusal import Refused

MAX_BLOCKED = 200
"""Players whom one player may have blocked."""


def block(connection: Connection, player_id: str, blocked_id: str, now_ms: int) -> None:
    """Block a player. Raises Refused (FULL)."""
    count = connection.execute(select(func.count()).where(BLOCKS.c.player_id == player_id)).scalar_one()
    if count >= MAX_BLOCKED and blocked_id not in blocked_by(connection, player_id):
        raise Refused(errors_pb2.REASON_FULL, f"a player can block at most {MAX_BLOCKED} others", details={"bound": "blocked"})
    adding = insert_into(connection, BLOCKS).values(player_id=player_id, blocked_id=blocked_id, created_at_ms=now_ms)
    connection.execute(adding.on_conflict_do_nothing())


def unblock(connection: Connection, player_id: str, blocked_id: str) -> None:
    """Block a player no more."""
    connection.execute(delete(BLOCKS).where(BLOCKS.c.player_id == player_id, BLOCKS.c.blocked_id == blocked_id))


def blocked_by(connection: Connection, player_id: str) -> list[str]:
    """Return whom a player has blocked, those blocked last first."""
    query = select(BLOCKS.c.blocked_id).where(BLOCKS.c.player_id == player_id)
    return list(connection.execute(query.order_by(BLOCKS.c.created_at_ms.desc(), BLOCKS.c.blocked_id)).scalars())


class Extent(NamedTuple):
    """How many blocks there are, and when the newest was made."""

    blocks: int
    newest_ms: int


def extent(connection: Connection, limit: int) -> Extent:
    """Return how much there is, as far as there are at most `limit` blocks: what has changed then has another extent."""
    some = select(BLOCKS.c.created_at_ms).limit(limit + 1).subquery()
    row = connection.execute(select(func.count(), func.max(some.c.created_at_ms)).select_from(some)).one()
    return Extent(row[0], row[1] or 0)


def everybody(connection: Connection) -> list[str]:
    """Return all players who have blocked somebody or are blocked."""
    return list(connection.execute(union(select(BLOCKS.c.player_id), select(BLOCKS.c.blocked_id))).scalars())


def among(connection: Connection, players: Collection[str]) -> set[tuple[str, str]]:
    """Return who has blocked whom among some players."""
    query = select(BLOCKS.c.player_id, BLOCKS.c.blocked_id)
    found = connection.execute(query.where(BLOCKS.c.player_id.in_(players), BLOCKS.c.blocked_id.in_(players)))
    return {(row.player_id, row.blocked_id) for row in found}
