"""The names of players, and which names look alike."""

import unicodedata
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row, or_, select

from services.players.accounts.deleted_players import PREFIX
from services.players.accounts.tables import ACCOUNTS
from services.players.results.tables import RESULTS
from services.runtime.player_names import skeleton


def names_of(connection: Connection, players: Collection[str]) -> dict[str, str]:
    """Return the names of players: of their accounts, or under which they sat down last; nobody whose account is deleted."""
    query = select(ACCOUNTS.c.player_id, ACCOUNTS.c.name).where(ACCOUNTS.c.player_id.in_(players))
    names = {row.player_id: row.name for row in connection.execute(query)}
    return names | last_names(connection, [player_id for player_id in players if player_id not in names])


def last_names(connection: Connection, players: Collection[str]) -> dict[str, str]:
    """Return under which names players sat down last. They are few."""
    found: dict[str, str] = {}
    for player_id in players:
        query = (
            select(RESULTS.c.name)
            .where(RESULTS.c.player_id == player_id)
            .order_by(RESULTS.c.finished_at_ms.desc(), RESULTS.c.session_id.desc())
            .limit(1)
        )
        if not is_nobody(player_id) and (name := connection.execute(query).scalar_one_or_none()):
            found[player_id] = name
    return found


def sought(name: str) -> str:
    """Return a name as a search compares it: in one case and one form."""
    return unicodedata.normalize("NFKC", name).casefold()[:160]


def as_compared(name: str) -> dict[str, str]:
    """Return the columns of an account that hold its name, and what it is compared by."""
    return {"name": name, "sought": sought(name), "skeleton": skeleton(name)}


def lookalike(connection: Connection, player_id: str, name: str) -> Row[Any] | None:
    """Return the oldest account of another player that a name looks like, None if there is none older than the player's own."""
    looks = skeleton(name)
    if not looks:
        return None  # an empty name has no lookalikes, and accounts of a release before 1.1 have no skeleton yet
    other = ACCOUNTS.alias("other")
    since = select(ACCOUNTS.c.created_at_ms).where(ACCOUNTS.c.player_id == player_id).scalar_subquery()
    alike = or_(other.c.skeleton == looks, other.c.sought == sought(name))
    query = (
        select(other)
        .where(alike, other.c.player_id != player_id, or_(since.is_(None), other.c.created_at_ms < since))
        .order_by(other.c.created_at_ms, other.c.player_id)
        .limit(1)
    )
    return connection.execute(query).first()


def is_nobody(player_id: str) -> bool:
    """Return whether an id is a computer's, or stands for a player who is gone."""
    return not player_id or player_id.startswith(PREFIX)
