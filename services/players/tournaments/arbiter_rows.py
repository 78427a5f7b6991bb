"""The arbiters of tournaments in SQL: their owners, the players whom they have named, and the organisers of their clubs.

In a transaction. They correct results, and are arbiters of the tables that are set up from then on, but not of their own.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from brettwerk.v1 import record_pb2
from services.archive.upsert import insert_into
from services.players.accounts.deleted_players import PREFIX
from services.players.clubs import club_rows
from services.players.clubs.roles import ORGANISERS
from services.players.clubs.tables import CLUB_MEMBERS
from services.players.tournaments.refusals import refused
from services.players.tournaments.tables import TOURNAMENT_ARBITERS
from services.runtime.bots import is_bot

MAX_ARBITERS = 5
"""Players whom an owner can name."""
MAX_AT_TABLE = 8
"""Arbiters of a table; organisers of shorter standing are left out."""


def named(connection: Connection, tournaments: Collection[str]) -> Sequence[Row[Any]]:
    """Return who is named an arbiter of some tournaments, those first who have been so for longest."""
    query = select(TOURNAMENT_ARBITERS).where(TOURNAMENT_ARBITERS.c.tournament_id.in_(tournaments))
    return connection.execute(query.order_by(TOURNAMENT_ARBITERS.c.named_at_ms, TOURNAMENT_ARBITERS.c.player_id)).all()


def add(connection: Connection, tournament_id: str, player_id: str, name: str, now_ms: int) -> None:
    """Name an arbiter; nothing happens where they are one."""
    row = {"tournament_id": tournament_id, "player_id": player_id, "name": name, "named_at_ms": now_ms}
    connection.execute(insert_into(connection, TOURNAMENT_ARBITERS).values(**row).on_conflict_do_nothing())


def drop(connection: Connection, tournament_id: str, player_id: str) -> None:
    """Let a player be no arbiter any more."""
    mine = (TOURNAMENT_ARBITERS.c.tournament_id == tournament_id) & (TOURNAMENT_ARBITERS.c.player_id == player_id)
    connection.execute(delete(TOURNAMENT_ARBITERS).where(mine))


def organised_by(connection: Connection, player_id: str, clubs: Collection[str]) -> set[str]:
    """Return those of some clubs that a player organises."""
    if not player_id or not {*clubs} - {""}:
        return set()
    mine = (CLUB_MEMBERS.c.player_id == player_id) & CLUB_MEMBERS.c.role.in_(ORGANISERS)
    query = select(CLUB_MEMBERS.c.club_id).where(mine, CLUB_MEMBERS.c.club_id.in_(clubs))
    return set(connection.execute(query).scalars())


def of_tables(connection: Connection, tournament: Row[Any]) -> list[record_pb2.Person]:
    """Return the arbiters of the tables of a tournament; at a table, those who play there are none.

    A match of clubs has none: its owner and the organisers are of one side.
    """
    if tournament.other_club_id:
        return []
    people = [(tournament.owner_id, tournament.owner_name)]
    people += [(one.player_id, one.name) for one in named(connection, [tournament.tournament_id])]
    if tournament.club_id:
        people += [(one.player_id, one.name) for one in club_rows.members(connection, tournament.club_id, ORGANISERS)]
    found = {player_id: name for player_id, name in reversed(people) if not player_id.startswith(PREFIX)}
    return [
        record_pb2.Person(player_id=player_id, name=found.pop(player_id), bot=is_bot(player_id))
        for player_id, _ in people
        if player_id in found
    ]


def require(connection: Connection, tournament: Row[Any], player_id: str, playing: Collection[str]) -> None:
    """Return for one who may correct the result of a game that some play. Raises Refused (TOURNAMENT).

    Its owner may correct all, and other arbiters those of others.
    """
    if tournament.owner_id == player_id:
        return
    arbiters = {one.player_id for one in named(connection, [tournament.tournament_id])}
    if player_id not in arbiters and not organised_by(connection, player_id, [tournament.club_id]):
        raise refused("not_arbiter", "only its owner and arbiters can do that")
    if player_id in playing:
        raise refused("own_game", "an arbiter does not correct their own game")
