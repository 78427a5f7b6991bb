"""What players are called."""

import unicodedata
from collections.abc import Collection

from sqlalchemy import Connection, select

from services.players.gone import PREFIX
from services.players.tables import ACCOUNTS, RESULTS


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


def is_nobody(player_id: str) -> bool:
    """Return whether an id is a computer's, or stands for a player who is gone."""
    return not player_id or player_id.startswith(PREFIX)
