"""API tokens in SQL, within a transaction, and what gateways are told about them.

A gateway can tell by itself what a token says; it learns here which tokens are void and what their players are called now.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, or_, select, update

from services.players.accounts.tables import ACCOUNTS, API_TOKENS, BOTS, TOKEN_CHANGES
from services.runtime.wall_clock import wall_ms

PAGE, AGAIN = 1000, 200
"""Changes in a page, and how many of them may be there again."""
AGAIN_MS = 60_000
"""Changes this recent are listed again: transactions may become visible in another order than they took their numbers in."""


def find(connection: Connection, token_id: str) -> Row[Any] | None:
    """Return a token that has not expired, even a revoked one; None if there is none."""
    return connection.execute(select(API_TOKENS).where(API_TOKENS.c.token_id == token_id)).first()


def add(connection: Connection, token: Mapping[str, object], now_ms: int) -> None:
    """Store a new token, and forget those that have expired."""
    for table in (API_TOKENS, TOKEN_CHANGES):
        connection.execute(delete(table).where(table.c.expires_at_ms <= now_ms))
    connection.execute(API_TOKENS.insert().values(**token))


def listed(connection: Connection, owner_id: str, now_ms: int) -> Sequence[Row[Any]]:
    """Return the valid tokens of an owner with their players' names (as `called`), newest first."""
    mine = (API_TOKENS.c.owner_id == owner_id) & (API_TOKENS.c.revoked_at_ms == 0) & (API_TOKENS.c.expires_at_ms > now_ms)
    query = (
        select(API_TOKENS, ACCOUNTS.c.name.label("called"))
        .join(ACCOUNTS, ACCOUNTS.c.player_id == API_TOKENS.c.player_id)
        .where(mine)
        .order_by(API_TOKENS.c.created_at_ms.desc(), API_TOKENS.c.token_id)
    )
    return connection.execute(query).all()


def count_made(connection: Connection, owner_id: str, now_ms: int) -> int:
    """Return how many tokens of an owner have not expired, revoked ones included: gateways must know those."""
    mine = (API_TOKENS.c.owner_id == owner_id) & (API_TOKENS.c.expires_at_ms > now_ms)
    return int(connection.execute(select(func.count()).select_from(API_TOKENS).where(mine)).scalar_one())


def revoke(connection: Connection, owner_id: str, token_id: str, now_ms: int) -> str | None:
    """Revoke one of an owner's tokens; return whom it acts for, None if there is no such token, revoked or not."""
    mine = (API_TOKENS.c.owner_id == owner_id) & (API_TOKENS.c.token_id == token_id)
    player_id: str | None = connection.execute(select(API_TOKENS.c.player_id).where(mine)).scalar_one_or_none()
    if player_id is not None:
        _revoke(connection, mine, now_ms)
    return player_id


def revoke_all(connection: Connection, owner_id: str, now_ms: int) -> None:
    """Revoke all tokens that a player has created."""
    _revoke(connection, API_TOKENS.c.owner_id == owner_id, now_ms)


def revoke_those_of(connection: Connection, player_id: str, now_ms: int) -> None:
    """Revoke all tokens that act for a player."""
    _revoke(connection, API_TOKENS.c.player_id == player_id, now_ms)


def remove_all(connection: Connection, player_id: str) -> None:
    """Void and remove all tokens that a player has created, or that act for them."""
    theirs = or_(API_TOKENS.c.owner_id == player_id, API_TOKENS.c.player_id == player_id)
    _tell(connection, theirs, void=True)
    connection.execute(delete(API_TOKENS).where(theirs))


def refresh(connection: Connection, player_id: str, *, void: bool) -> None:
    """Tell gateways how the valid tokens of a player are now."""
    _tell(connection, (API_TOKENS.c.player_id == player_id) & (API_TOKENS.c.revoked_at_ms == 0), void=void)


def rename(connection: Connection, player_id: str, name: str) -> None:
    """Tell gateways what the player of some tokens is called now."""
    suspended = connection.execute(select(BOTS.c.suspended).where(BOTS.c.player_id == player_id)).scalar_one_or_none()
    theirs = (API_TOKENS.c.player_id == player_id) & (API_TOKENS.c.revoked_at_ms == 0)
    _tell(connection, theirs, void=bool(suspended), name=name)


def changes(connection: Connection, after: int) -> Sequence[Row[Any]]:
    """Return a page of changes after a number, in order, behind recent ones from before it."""
    numbers = TOKEN_CHANGES.c.number
    recent = (numbers <= after) & (TOKEN_CHANGES.c.at_ms >= wall_ms() - AGAIN_MS)
    again = connection.execute(select(TOKEN_CHANGES).where(recent).order_by(numbers.desc()).limit(AGAIN)).all()
    fresh = select(TOKEN_CHANGES).where(numbers > after).order_by(numbers).limit(PAGE - AGAIN)
    return [*reversed(again), *connection.execute(fresh).all()]


def note_use(connection: Connection, uses: Mapping[str, int]) -> None:
    """Store when tokens were last used."""
    for token_id, at_ms in sorted(uses.items()):
        earlier = (API_TOKENS.c.token_id == token_id) & (API_TOKENS.c.last_used_at_ms < at_ms)
        connection.execute(update(API_TOKENS).where(earlier).values(last_used_at_ms=at_ms))


def _revoke(connection: Connection, which: ColumnElement[bool], now_ms: int) -> None:
    valid = which & (API_TOKENS.c.revoked_at_ms == 0)
    _tell(connection, valid, void=True)
    connection.execute(update(API_TOKENS).where(valid).values(revoked_at_ms=now_ms))


def _tell(connection: Connection, which: ColumnElement[bool], *, void: bool, name: str | None = None) -> None:
    """Note how tokens are now; what was noted of them before is forgotten, except a name."""
    found = connection.execute(select(API_TOKENS.c.token_id, API_TOKENS.c.expires_at_ms).where(which)).all()
    ids = [row.token_id for row in found]
    before = connection.execute(select(TOKEN_CHANGES).where(TOKEN_CHANGES.c.token_id.in_(ids))).all()
    names = {row.token_id: row.name for row in before}
    connection.execute(delete(TOKEN_CHANGES).where(TOKEN_CHANGES.c.token_id.in_(ids)))
    at_ms = wall_ms()
    changed = [
        {
            "token_id": row.token_id,
            "void": void,
            "name": names.get(row.token_id, "") if name is None else name,
            "at_ms": at_ms,
            "expires_at_ms": row.expires_at_ms,
        }
        for row in found
    ]
    if changed:
        connection.execute(TOKEN_CHANGES.insert(), changed)
