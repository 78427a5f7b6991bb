"""Restrictions of players by moderators: they may not talk, or not sign in and play. In a transaction.

A restriction whose time is over counts no more, even before it has been removed it.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, or_, select, tuple_

from services.archive.upsert import insert_into
from services.players.accounts.tables import RESTRICTIONS
from services.runtime.refusal import require_room
from services.runtime.restriction import ACCOUNT, restricted

MAX_RESTRICTIONS = 10_000
"""Restrictions at a time; the list of who may not talk is passed on as a whole."""


def find(connection: Connection, player_id: str, what: str, now_ms: int) -> Row[Any] | None:
    """Return what holds of a player, or None."""
    query = select(RESTRICTIONS).where(RESTRICTIONS.c.player_id == player_id, RESTRICTIONS.c.what == what, _holds(now_ms))
    return connection.execute(query).first()


def check(connection: Connection, player_id: str, what: str, now_ms: int, appeal: str) -> None:
    """Return for a player of whom nothing holds. Raises Refused (RESTRICTED). `appeal`: where to object."""
    row = find(connection, player_id, what, now_ms)
    if row is not None:
        raise restricted(what, row.until_ms, row.reason, appeal)


def suspended(connection: Connection, players: Collection[str], now_ms: int) -> set[str]:
    """Return those of some players whose accounts are suspended."""
    query = select(RESTRICTIONS.c.player_id).where(
        RESTRICTIONS.c.player_id.in_(players), RESTRICTIONS.c.what == ACCOUNT, _holds(now_ms)
    )
    return set(connection.execute(query).scalars())


def put(connection: Connection, player_id: str, what: str, until_ms: int, reason: str, now_ms: int) -> None:
    """Restrict a player, in the place of what held before. Raises Refused (FULL)."""
    held = {"until_ms": until_ms, "reason": reason, "since_ms": now_ms}
    adding = insert_into(connection, RESTRICTIONS).values(player_id=player_id, what=what, **held)
    connection.execute(adding.on_conflict_do_update(index_elements=["player_id", "what"], set_=held))
    count = connection.execute(select(func.count()).select_from(RESTRICTIONS)).scalar_one()
    require_room(count, MAX_RESTRICTIONS + 1, "restrictions")  # undone with the transaction


def lift(connection: Connection, player_id: str, what: str) -> bool:
    """Restrict a player no more. Returns whether that changed anything."""
    this = (RESTRICTIONS.c.player_id == player_id) & (RESTRICTIONS.c.what == what)
    return connection.execute(delete(RESTRICTIONS).where(this)).rowcount == 1


def take_ended(connection: Connection, now_ms: int) -> Sequence[Row[Any]]:
    """Remove those whose time is over, and return them: each is returned to one caller."""
    over = delete(RESTRICTIONS).where(RESTRICTIONS.c.until_ms > 0, RESTRICTIONS.c.until_ms <= now_ms)
    return connection.execute(over.returning(RESTRICTIONS)).all()


def next_end_ms(connection: Connection) -> int:
    """Return when the next one ends, in milliseconds since 1970; 0 for none."""
    return connection.execute(select(func.min(RESTRICTIONS.c.until_ms)).where(RESTRICTIONS.c.until_ms > 0)).scalar() or 0


def count(connection: Connection, what: str, now_ms: int) -> int:
    """Return how many players are restricted."""
    query = select(func.count()).select_from(RESTRICTIONS).where(RESTRICTIONS.c.what == what, _holds(now_ms))
    return int(connection.execute(query).scalar_one())


def all_of(connection: Connection, what: str, now_ms: int) -> Sequence[Row[Any]]:
    """Return all players who are restricted."""
    return connection.execute(select(RESTRICTIONS).where(RESTRICTIONS.c.what == what, _holds(now_ms))).all()


def listed(connection: Connection, before: tuple[int, str, str] | None, limit: int, now_ms: int) -> Sequence[Row[Any]]:
    """Return a page, newest first, after the one with this time, player and kind."""
    order = RESTRICTIONS.c.since_ms, RESTRICTIONS.c.player_id, RESTRICTIONS.c.what
    query = select(RESTRICTIONS).where(_holds(now_ms)).order_by(*(column.desc() for column in order)).limit(limit)
    if before is not None:
        query = query.where(tuple_(*order) < tuple_(*before))
    return connection.execute(query).all()


def _holds(now_ms: int) -> ColumnElement[bool]:
    return or_(RESTRICTIONS.c.until_ms == 0, RESTRICTIONS.c.until_ms > now_ms)
