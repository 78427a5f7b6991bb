"""The traces of a player who has deleted the account: results without a name, under a mark that stands for nobody.

The games of the others count as before: a rating would else change because an opponent has left. The mark is made of the player's
id, so that a rebuild from the archive makes the same one; whoever does not have the id learns nothing from it.
"""

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select

from services.players.accounts.tables import ACCOUNTS, SIGN_OUTS

PREFIX = "gone:"
"""Begins every mark; no player's id has a colon."""

# A statement that is made once: news come many times a second.
_GONE = (
    select(SIGN_OUTS.c.player_id)
    .outerjoin(ACCOUNTS, ACCOUNTS.c.player_id == SIGN_OUTS.c.player_id)
    .where(SIGN_OUTS.c.player_id.in_(bindparam("players", expanding=True)), ACCOUNTS.c.player_id.is_(None))
)


def mark_of(player_id: str) -> str:
    """Return what stands for a player who is gone."""
    return PREFIX + hashlib.sha256(b"gone\0" + player_id.encode()).hexdigest()[:40]


def gone(connection: Connection, players: Sequence[str]) -> set[str]:
    """Return those of some players who have deleted their accounts: their tokens are void, and there is no account."""
    return set(connection.execute(_GONE, {"players": list(players)}).scalars())
