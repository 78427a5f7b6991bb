"""Searches for an opponent in SQL. In a transaction; every change says what it was made for, so that none is made twice.

A player has one search. While it waits it has no arrangement; two searches get theirs together or not at all.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from services.archive.upsert import insert_into
from services.players.opponents.pool_pairing import Seeker
from services.players.opponents.session_orders import FAILED, OVER, WANTED
from services.players.opponents.tables import ARRANGEMENTS, SEEKS

MAX_PAIRED_AT_ONCE = 500
"""Seekers of a pool who are looked at in one go, those who have waited longest."""


FORGOTTEN_MS = 120_000
"""How long after a player has left their search can be taken up again."""


class Taken(Exception):
    """One of two who were to be paired does not wait any more: whatever was written is to be taken back."""


def find(connection: Connection, player_id: str) -> Row[Any] | None:
    """Return a player's search, with the state of its arrangement, or None."""
    query = (
        select(SEEKS, ARRANGEMENTS.c.state, ARRANGEMENTS.c.session_id, ARRANGEMENTS.c.due_ms, ARRANGEMENTS.c.request)
        .outerjoin(ARRANGEMENTS, ARRANGEMENTS.c.arrangement_id == SEEKS.c.arrangement_id)
        .where(SEEKS.c.player_id == player_id)
    )
    return connection.execute(query).first()


def is_live(row: Row[Any], now_ms: int) -> bool:
    """Return whether a search waits, or has led to a session that still waits for its players."""
    if not row.arrangement_id:
        return bool(row.lease_ms > now_ms)
    if row.state is None or row.state in (FAILED, OVER):
        return False
    return bool(row.state == WANTED or row.due_ms > now_ms)


def begin(connection: Connection, seek: dict[str, object], now_ms: int) -> bool:
    """Store a search in the place of the player's earlier one, unless that has led to a session which waits for them.

    Returns whether it was stored; False, too, where another request was faster.
    """
    player_id = seek["player_id"]
    before = find(connection, str(player_id))
    if before is None:
        added = insert_into(connection, SEEKS).values(**seek).on_conflict_do_nothing().returning(SEEKS.c.player_id)
        return connection.execute(added).first() is not None
    if before.arrangement_id and is_live(before, now_ms):
        return False
    mine = (SEEKS.c.player_id == player_id) & (SEEKS.c.seek_id == before.seek_id)
    changed = update(SEEKS).where(mine & (SEEKS.c.arrangement_id == before.arrangement_id))
    return connection.execute(changed.values(**seek, arrangement_id="")).rowcount == 1


def renew(connection: Connection, player_id: str, seek_id: str, lease_ms: int) -> None:
    """Note that a player still waits, or is back: after an outage of the service's, too, a search goes on as it was."""
    mine = (SEEKS.c.player_id == player_id) & (SEEKS.c.seek_id == seek_id)
    connection.execute(update(SEEKS).where(mine & (SEEKS.c.arrangement_id == "")).values(lease_ms=lease_ms))


def stop(connection: Connection, player_id: str, seek_id: str) -> bool:
    """Remove a search that waits, or whose session is known; return whether it waited.

    One that was paired a moment ago stays: its player is awaited.
    """
    mine = (SEEKS.c.player_id == player_id) & (SEEKS.c.seek_id == seek_id)
    if connection.execute(delete(SEEKS).where(mine & (SEEKS.c.arrangement_id == ""))).rowcount:
        return True
    wanted = select(ARRANGEMENTS.c.arrangement_id).where(ARRANGEMENTS.c.state == WANTED)
    connection.execute(delete(SEEKS).where(mine & SEEKS.c.arrangement_id.not_in(wanted)))
    return False


def waiting(connection: Connection, pool: str, now_ms: int) -> Sequence[Row[Any]]:
    """Return the searches of a pool that wait, those who have waited longest first, as many as are looked at in one go."""
    mine = (SEEKS.c.pool == pool) & (SEEKS.c.arrangement_id == "") & (SEEKS.c.lease_ms > now_ms)
    return connection.execute(select(SEEKS).where(mine).order_by(SEEKS.c.since_ms).limit(MAX_PAIRED_AT_ONCE)).all()


def counts(connection: Connection, now_ms: int) -> dict[str, int]:
    """Return how many wait in each pool in which anybody does."""
    mine = (SEEKS.c.arrangement_id == "") & (SEEKS.c.lease_ms > now_ms)
    query = select(SEEKS.c.pool, func.count()).where(mine).group_by(SEEKS.c.pool)
    return {row[0]: row[1] for row in connection.execute(query)}


def take(connection: Connection, pair: tuple[Row[Any], Row[Any]], arrangement_id: str, now_ms: int) -> None:
    """Give two searches their arrangement. Raises Taken when one of them does not wait any more."""
    for row in sorted(pair, key=lambda one: str(one.player_id)):  # two transactions never wait for each other
        mine = (SEEKS.c.player_id == row.player_id) & (SEEKS.c.seek_id == row.seek_id)
        still = mine & (SEEKS.c.arrangement_id == "") & (SEEKS.c.lease_ms > now_ms)
        if connection.execute(update(SEEKS).where(still).values(arrangement_id=arrangement_id)).rowcount != 1:
            raise Taken


def paired(connection: Connection, arrangement_id: str) -> Sequence[Row[Any]]:
    """Return the two searches of an arrangement, as far as they are there still."""
    return connection.execute(select(SEEKS).where(SEEKS.c.arrangement_id == arrangement_id)).all()


def forget_left(connection: Connection, now_ms: int) -> int:
    """Remove the searches of those who have left a while ago; return how many."""
    left = (SEEKS.c.lease_ms < now_ms - FORGOTTEN_MS) & (SEEKS.c.arrangement_id == "")
    done = select(ARRANGEMENTS.c.arrangement_id).where(ARRANGEMENTS.c.state.in_([FAILED, OVER]))
    count = connection.execute(delete(SEEKS).where(left)).rowcount
    connection.execute(delete(SEEKS).where(SEEKS.c.arrangement_id.in_(done)))
    return count


def seeker(row: Row[Any], now_ms: int, last_opponent: str = "") -> Seeker:
    """Return a search as it is matched."""
    waited_s = max(0, now_ms - row.since_ms) / 1000
    return Seeker(row.player_id, row.rating, waited_s, last_opponent, row.reliability, row.least_reliability)
