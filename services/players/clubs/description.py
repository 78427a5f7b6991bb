"""Clubs as clients are told them. In a transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, exists, func, select

from brettwerk.v1 import clubs_pb2 as pb
from brettwerk.v1 import opponents_pb2
from services.players.clubs import club_rows
from services.players.clubs.roles import ASKING, INSIDE, MEMBER, NONE, ORGANISER, ORGANISERS, OWNER, REMOVED
from services.players.clubs.tables import CLUB_MEMBERS, CLUB_TABLES
from services.players.results.tables import GAMES
from services.runtime.bots import is_bot

_ORDER = {role: place for place, role in enumerate((OWNER, ORGANISER, MEMBER, ASKING, REMOVED))}


def clubs(connection: Connection, found: Sequence[Row[Any]], player_id: str) -> list[pb.Club]:
    """Return clubs as a player sees them; `player_id` is empty for nobody."""
    ids = [row.club_id for row in found]
    among = CLUB_MEMBERS.c.club_id.in_(ids)
    each = (CLUB_MEMBERS.c.club_id, CLUB_MEMBERS.c.role)
    counting = select(*each, func.count()).where(among).group_by(*each)
    counts = {(row[0], row[1]): row[2] for row in connection.execute(counting)}
    own = select(*each).where(among, CLUB_MEMBERS.c.player_id == player_id)
    roles = {row.club_id: row.role for row in connection.execute(own)}
    return [_club(row, roles.get(row.club_id, NONE), counts) for row in found]


def whole(connection: Connection, row: Row[Any], player_id: str) -> pb.GetClubResponse:
    """Return a club with what its members see of it, and what else its organisers do; of this nothing for others."""
    club = clubs(connection, [row], player_id)[0]
    if club.role not in INSIDE:
        return pb.GetClubResponse(club=club)
    organises = club.role in ORGANISERS
    found = club_rows.members(connection, row.club_id, (*INSIDE, ASKING, REMOVED) if organises else INSIDE)
    listed = [pb.ClubMember(player=_player(one), role=one.role, since_ms=one.since_ms) for one in found]
    listed.sort(key=lambda one: _ORDER[one.role])
    codes = club_rows.links(connection, row.club_id) if organises else ()
    return pb.GetClubResponse(
        club=club,
        members=listed,
        links=[pb.ClubLink(code=one.code, created_at_ms=one.created_at_ms) for one in codes],
        tables=_tables(connection, row.club_id),
    )


def _club(row: Row[Any], role: int, counts: Mapping[tuple[str, int], int]) -> pb.Club:
    return pb.Club(
        club_id=row.club_id,
        name=row.name,
        description=row.description,
        entry=row.entry,
        members=sum(counts.get((row.club_id, one), 0) for one in INSIDE),
        role=pb.Club.Role.ValueType(role),
        asking=counts.get((row.club_id, ASKING), 0) if role in ORGANISERS else 0,
        created_at_ms=row.created_at_ms,
    )


def _tables(connection: Connection, club_id: str) -> list[pb.ClubTable]:
    is_over = exists().where(GAMES.c.session_id == CLUB_TABLES.c.session_id)
    query = select(CLUB_TABLES).where(CLUB_TABLES.c.club_id == club_id, ~is_over)
    found = connection.execute(query.order_by(CLUB_TABLES.c.at_ms.desc(), CLUB_TABLES.c.session_id))
    return [pb.ClubTable(session_id=row.session_id, player=_player(row), at_ms=row.at_ms) for row in found]


def _player(row: Row[Any]) -> opponents_pb2.RatedPlayer:
    return opponents_pb2.RatedPlayer(player_id=row.player_id, name=row.name, bot=is_bot(row.player_id))
