"""What stays of a player who has deleted the account: results without a name, under a mark that stands for nobody.

The games of the others count as before: a rating would else change because an opponent has left. The mark is made of the player's
id, so that a rebuild from the archive makes the same one; whoever does not have the id learns nothing from it.
"""

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, delete, select, update

from services.players.tables import (
    ACCOUNTS,
    BLOCKS,
    CHALLENGES,
    RATING_EVENTS,
    RATING_POOLS,
    RATING_WEEKS,
    RATINGS,
    RESULTS,
    SIGN_OUTS,
)

PREFIX = "gone:"
"""Begins every mark; no player's id has a colon."""
KEPT = (RESULTS, RATINGS, RATING_EVENTS, RATING_WEEKS)
"""Tables in which the mark takes the player's place."""


def mark_of(player_id: str) -> str:
    """Return what stands for a player who is gone."""
    return PREFIX + hashlib.sha256(b"gone\0" + player_id.encode()).hexdigest()[:40]


def forget(connection: Connection, player_id: str) -> None:
    """Put the mark in the place of a player, and take the name away."""
    mark = mark_of(player_id)
    connection.execute(select(RATING_POOLS.c.game).with_for_update())  # nobody counts meanwhile
    for table in KEPT:
        connection.execute(update(table).where(table.c.player_id == player_id).values(player_id=mark))
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.challenged_id == player_id))
    connection.execute(delete(BLOCKS).where(BLOCKS.c.blocked_id == player_id))
    connection.execute(update(RESULTS).where(RESULTS.c.player_id == mark).values(name="", sought="", feats=""))


def gone(connection: Connection, players: Sequence[str]) -> set[str]:
    """Return those of some players who have deleted their accounts: their tokens are void, and there is no account."""
    query = (
        select(SIGN_OUTS.c.player_id)
        .outerjoin(ACCOUNTS, ACCOUNTS.c.player_id == SIGN_OUTS.c.player_id)
        .where(SIGN_OUTS.c.player_id.in_(players), ACCOUNTS.c.player_id.is_(None))
    )
    return set(connection.execute(query).scalars())
