"""What stays of a player who has deleted the account: results without a name, under a mark that stands for nobody.

The games of the others count as before: a rating would else change because an opponent has left. The mark is made of the player's
id, so that a rebuild from the archive makes the same one; whoever does not have the id learns nothing from it.
"""

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, delete, select, update

from services.players.accounts.tables import ACCOUNTS, SIGN_OUTS
from services.players.arena import arena_rows
from services.players.opponents.tables import BLOCKS, CHALLENGES
from services.players.ratings.tables import RATING_EVENTS, RATING_POOLS, RATING_WEEKS, RATINGS
from services.players.results.tables import RESULTS
from services.players.tournaments.tables import TOURNAMENT_PLAYERS, TOURNAMENTS

PREFIX = "gone:"
"""Begins every mark; no player's id has a colon."""
KEPT = (RESULTS, RATINGS, RATING_EVENTS, RATING_WEEKS, TOURNAMENT_PLAYERS)
"""Tables in which the mark takes the player's place."""


def mark_of(player_id: str) -> str:
    """Return what stands for a player who is gone."""
    return PREFIX + hashlib.sha256(b"gone\0" + player_id.encode()).hexdigest()[:40]


def forget(connection: Connection, player_id: str) -> None:
    """Put the mark in the place of a player, and take the name away."""
    mark = mark_of(player_id)
    connection.execute(select(RATING_POOLS.c.game).with_for_update())  # nobody counts meanwhile
    _leave_tournaments(connection, player_id, mark)
    for table in KEPT:
        connection.execute(update(table).where(table.c.player_id == player_id).values(player_id=mark))
    arena_rows.forget(connection, player_id, mark)
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.challenged_id == player_id))
    connection.execute(delete(BLOCKS).where(BLOCKS.c.blocked_id == player_id))
    connection.execute(update(RESULTS).where(RESULTS.c.player_id == mark).values(name="", sought="", feats=""))
    connection.execute(update(TOURNAMENT_PLAYERS).where(TOURNAMENT_PLAYERS.c.player_id == mark).values(name=""))


def _leave_tournaments(connection: Connection, player_id: str, mark: str) -> None:
    """Take a player out of tournaments; those of their own that have not started are given up when nobody starts them."""
    playing = TOURNAMENT_PLAYERS.c.player_id == player_id
    unstarted = TOURNAMENT_PLAYERS.c.number.is_(None)
    connection.execute(delete(TOURNAMENT_PLAYERS).where(playing, unstarted))
    played = select(TOURNAMENTS.c.round).where(TOURNAMENTS.c.tournament_id == TOURNAMENT_PLAYERS.c.tournament_id)
    leaving = update(TOURNAMENT_PLAYERS).where(playing, TOURNAMENT_PLAYERS.c.left_after.is_(None))
    connection.execute(leaving.values(left_after=played.scalar_subquery()))
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.owner_id == player_id).values(owner_id=mark, owner_name=""))


def gone(connection: Connection, players: Sequence[str]) -> set[str]:
    """Return those of some players who have deleted their accounts: their tokens are void, and there is no account."""
    query = (
        select(SIGN_OUTS.c.player_id)
        .outerjoin(ACCOUNTS, ACCOUNTS.c.player_id == SIGN_OUTS.c.player_id)
        .where(SIGN_OUTS.c.player_id.in_(players), ACCOUNTS.c.player_id.is_(None))
    )
    return set(connection.execute(query).scalars())
