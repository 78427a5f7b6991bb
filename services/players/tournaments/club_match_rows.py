"""Matches of clubs in SQL: what has become of the challenge, and who has entered. In a transaction that holds the tournament."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, func, or_, select, update

from brettwerk.v1 import tournaments_pb2 as pb
from services.players.clubs.roles import INSIDE
from services.players.clubs.tables import CLUB_MEMBERS
from services.players.tournaments.tables import CLUB_MATCHES, TOURNAMENT_PLAYERS, TOURNAMENTS
from services.players.tournaments.tournament_rows import LIVE, OPEN

WAITS, ACCEPTED = pb.ClubMatch.ANSWER_OPEN, pb.ClubMatch.ANSWER_ACCEPTED
DECLINED, WITHDRAWN, LAPSED = pb.ClubMatch.ANSWER_DECLINED, pb.ClubMatch.ANSWER_WITHDRAWN, pb.ClubMatch.ANSWER_LAPSED
_OF_BOTH = CLUB_MATCHES.c.tournament_id == TOURNAMENTS.c.tournament_id


def find(connection: Connection, tournament_id: str) -> Row[Any] | None:
    """Return what there is of a match beside its tournament, or None for what is none."""
    return connection.execute(select(CLUB_MATCHES).where(CLUB_MATCHES.c.tournament_id == tournament_id)).first()


def add(connection: Connection, match: dict[str, object]) -> None:
    """Store a match whose tournament is stored."""
    connection.execute(CLUB_MATCHES.insert().values(**match))


def answer(connection: Connection, tournament_id: str, answered: int, now_ms: int) -> None:
    """Note what has become of a challenge."""
    mine = CLUB_MATCHES.c.tournament_id == tournament_id
    connection.execute(update(CLUB_MATCHES).where(mine).values(answer=answered, answered_at_ms=now_ms))


def count_live(connection: Connection, club_id: str) -> int:
    """Return how many matches of a club are not over, with challenges that wait."""
    query = select(func.count()).where(TOURNAMENTS.c.state.in_(LIVE), of_club(club_id))
    count: int = connection.execute(query).scalar_one()
    return count


def count_waiting(connection: Connection, club_id: str) -> int:
    """Return how many challenges to a club wait for an answer."""
    waits = (TOURNAMENTS.c.other_club_id == club_id) & (TOURNAMENTS.c.state == OPEN) & (CLUB_MATCHES.c.answer == WAITS)
    count: int = connection.execute(
        select(func.count()).select_from(TOURNAMENTS).join(CLUB_MATCHES, _OF_BOTH).where(waits)
    ).scalar_one()
    return count


def is_waiting(connection: Connection, one: str, other: str) -> bool:
    """Return whether one of two clubs has challenged the other, which has not answered."""
    between = or_(_between(one, other), _between(other, one))
    waits = exists().where(_OF_BOTH, between, TOURNAMENTS.c.state == OPEN, CLUB_MATCHES.c.answer == WAITS)
    return bool(connection.execute(select(waits)).scalar_one())


def was_refused(connection: Connection, one: str, other: str, since_ms: int) -> bool:
    """Return whether a challenge of one club to another came to nothing since some time: declined, taken back or lapsed."""
    came_to_nothing = (CLUB_MATCHES.c.answer != ACCEPTED) & (TOURNAMENTS.c.ended_at_ms > since_ms)
    return bool(connection.execute(select(exists().where(_OF_BOTH, _between(one, other), came_to_nothing))).scalar_one())


def of_club(club_id: str) -> Any:
    """Return the condition that a tournament is a match of a club."""
    mine = or_(TOURNAMENTS.c.club_id == club_id, TOURNAMENTS.c.other_club_id == club_id)
    return mine & (TOURNAMENTS.c.other_club_id != "")


def entered(connection: Connection, tournament: Row[Any], club: int) -> Sequence[Row[Any]]:
    """Return who has entered for a club and is still its member, in the order in which they have."""
    query = select(TOURNAMENT_PLAYERS).where(
        TOURNAMENT_PLAYERS.c.tournament_id == tournament.tournament_id,
        TOURNAMENT_PLAYERS.c.club == club,
        is_member(club_id_of(tournament, club)),
    )
    return connection.execute(query.order_by(TOURNAMENT_PLAYERS.c.joined_at_ms, TOURNAMENT_PLAYERS.c.player_id)).all()


def is_member(club_id: Any) -> Any:
    """Return the condition that one who takes part is a member of a club."""
    mine = (CLUB_MEMBERS.c.club_id == club_id) & CLUB_MEMBERS.c.role.in_(INSIDE)
    return exists().where(mine, CLUB_MEMBERS.c.player_id == TOURNAMENT_PLAYERS.c.player_id)


def keep(connection: Connection, tournament_id: str, players: Collection[str]) -> None:
    """Remove all who have entered but some."""
    mine = TOURNAMENT_PLAYERS.c.tournament_id == tournament_id
    connection.execute(delete(TOURNAMENT_PLAYERS).where(mine, TOURNAMENT_PLAYERS.c.player_id.not_in(players)))


def set_line_up(connection: Connection, tournament_id: str, club: int, players: Sequence[str]) -> None:
    """Store the order of a club's players; of those who are not named there is none."""
    mine = (TOURNAMENT_PLAYERS.c.tournament_id == tournament_id) & (TOURNAMENT_PLAYERS.c.club == club)
    connection.execute(update(TOURNAMENT_PLAYERS).where(mine).values(line=None))
    for line, player_id in enumerate(players):
        connection.execute(update(TOURNAMENT_PLAYERS).where(mine, TOURNAMENT_PLAYERS.c.player_id == player_id).values(line=line))


def club_id_of(tournament: Row[Any], club: int) -> str:
    """Return the id of one of the clubs of a match."""
    club_id: str = tournament.club_id if club == 1 else tournament.other_club_id
    return club_id


def _between(one: str, other: str) -> Any:
    return (TOURNAMENTS.c.club_id == one) & (TOURNAMENTS.c.other_club_id == other)
