"""The clubs of a match as clients are told them. In a transaction.

Each of them learns of the other what it is called, who enters, and nothing else that its organisers do not show to everybody.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from brettwerk.v1 import clubs_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players.clubs import club_rows
from services.players.clubs.roles import INSIDE, NONE
from services.players.clubs.tables import CLUB_MEMBERS, CLUBS
from services.players.tournaments import club_match_rows
from services.players.tournaments.boards import CHALLENGED, CHALLENGER, club_of
from services.players.tournaments.club_match_rows import LAPSED, WAITS
from services.players.tournaments.results import WIN
from services.players.tournaments.tables import CLUB_MATCHES, PAIRINGS, TOURNAMENT_PLAYERS, TOURNAMENTS
from services.players.tournaments.tournament_rows import OPEN

_SIDE = {CHALLENGER: TOURNAMENTS.c.club_id, CHALLENGED: TOURNAMENTS.c.other_club_id}


class _Read:
    """The rows about some matches, read at once: by match, or by match and club."""

    def __init__(self, connection: Connection, found: Sequence[Row[Any]], player_id: str) -> None:
        ids = [row.tournament_id for row in found]
        clubs = {club_id for row in found for club_id in (row.club_id, row.other_club_id)}
        about = connection.execute(select(CLUB_MATCHES).where(CLUB_MATCHES.c.tournament_id.in_(ids)))
        self.about = {row.tournament_id: row for row in about}
        self.clubs = {row.club_id: row for row in connection.execute(select(CLUBS).where(CLUBS.c.club_id.in_(clubs)))}
        mine = (CLUB_MEMBERS.c.player_id == player_id) & CLUB_MEMBERS.c.club_id.in_(clubs)
        roles = connection.execute(select(CLUB_MEMBERS.c.club_id, CLUB_MEMBERS.c.role).where(mine))
        self.roles = {row.club_id: row.role for row in roles}
        self.entered: dict[tuple[str, int], int] = {}
        self.joined: set[tuple[str, int]] = set()
        for club, club_id in _SIDE.items():
            self._count_entered(connection, ids, club, club_id, player_id)
        self.points: dict[tuple[str, int], int] = {}
        self.boards: dict[str, int] = {}
        self._count_points(connection, ids)

    def _count_entered(self, connection: Connection, ids: Sequence[str], club: int, club_id: Any, player_id: str) -> None:
        """Before the start, count members only: those who have left their club do not play."""
        plays = (TOURNAMENTS.c.state != OPEN) | club_match_rows.is_member(club_id)
        query = (
            select(TOURNAMENT_PLAYERS.c.tournament_id, TOURNAMENT_PLAYERS.c.player_id)
            .join(TOURNAMENTS, TOURNAMENTS.c.tournament_id == TOURNAMENT_PLAYERS.c.tournament_id)
            .where(TOURNAMENT_PLAYERS.c.tournament_id.in_(ids), TOURNAMENT_PLAYERS.c.club == club, plays)
        )
        for row in connection.execute(query):
            key = (row.tournament_id, club)
            self.entered[key] = self.entered.get(key, 0) + 1
            if row.player_id == player_id:
                self.joined.add(key)

    def _count_points(self, connection: Connection, ids: Sequence[str]) -> None:
        query = select(PAIRINGS).where(PAIRINGS.c.tournament_id.in_(ids))
        for row in connection.execute(query):
            numbers = [row.first, row.second, *(row.others or ())]
            points = [row.first_points or 0, row.second_points or 0, *(row.other_points or ())]
            for number, own in zip(numbers, points, strict=False):  # nobody has points before it is decided
                key = (row.tournament_id, club_of(number))
                self.points[key] = self.points.get(key, 0) + own
            self.boards[row.tournament_id] = max(self.boards.get(row.tournament_id, 0), max(numbers) // len(numbers) + 1)

    def club(self, row: Row[Any], club: int) -> pb.MatchClub:
        """Return one of the clubs of a match."""
        about, club_id, key = self.about[row.tournament_id], club_match_rows.club_id_of(row, club), (row.tournament_id, club)
        role = clubs_pb2.Club.Role.ValueType(self.roles.get(club_id, NONE))
        there = self.clubs.get(club_id)
        return pb.MatchClub(
            club_id=club_id if there is not None and club_rows.is_known_to(there, role) else "",
            name=about.club_name if club == CHALLENGER else about.other_name,
            entered=self.entered.get(key, 0),
            points=self.points.get(key, 0) / WIN,
            role=role if role in INSIDE else NONE,
            joined=key in self.joined,
        )


def matches(connection: Connection, found: Sequence[Row[Any]], player_id: str) -> Mapping[str, pb.ClubMatch]:
    """Return the matches among tournaments by their ids, as a player sees them, but for what their clubs have agreed."""
    if not found:
        return {}
    read = _Read(connection, found, player_id)
    return {
        row.tournament_id: pb.ClubMatch(
            challenger=read.club(row, CHALLENGER),
            challenged=read.club(row, CHALLENGED),
            answer=_answer(row, read.about[row.tournament_id]),
            min_boards=read.about[row.tournament_id].min_boards,
            boards=read.boards.get(row.tournament_id, 0),
        )
        for row in found
    }


def _answer(row: Row[Any], about: Row[Any]) -> pb.ClubMatch.Answer.ValueType:
    has_lapsed = about.answer == WAITS and row.state != OPEN
    return LAPSED if has_lapsed else pb.ClubMatch.Answer.ValueType(about.answer)
