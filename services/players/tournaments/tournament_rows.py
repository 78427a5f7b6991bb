"""Tournaments in SQL. In a transaction; whatever changes a tournament holds its row first, so that nothing happens twice."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, func, or_, select, tuple_, update

from brettwerk.v1 import tournaments_pb2 as pb
from services.archive.upsert import insert_into
from services.players.ratings.glicko2 import MEAN
from services.players.tournaments.results import Entrant, Game
from services.players.tournaments.tables import (
    CLUB_MATCHES,
    FORBIDDEN_PAIRS,
    PAIRINGS,
    TOURNAMENT_ARBITERS,
    TOURNAMENT_PLAYERS,
    TOURNAMENTS,
)

OPEN, RUNNING = pb.Tournament.STATE_OPEN, pb.Tournament.STATE_RUNNING
FINISHED, CANCELLED = pb.Tournament.STATE_FINISHED, pb.Tournament.STATE_CANCELLED
LIVE = (OPEN, RUNNING)
KEPT_MS = 180 * 86_400_000
"""How long a tournament is kept that is over."""
OPEN_MS = 90 * 86_400_000
"""How long players can join; one that has not started by then is given up."""
MAX_LIVE, MAX_JOINED = 1000, 20
"""Tournaments that are not over: of a server, and those that a player takes part in."""
_AT_ONCE = 100


def new_tournament(request: pb.CreateTournamentRequest, owner_id: str, owner_name: str, now_ms: int) -> dict[str, object]:
    """Return the row of a new tournament."""
    return {
        "tournament_id": secrets.token_hex(16),
        "owner_id": owner_id,
        "owner_name": owner_name,
        "request_id": request.request_id,
        "request": request.SerializeToString(deterministic=True),
        "game": request.game,
        "public": request.public and not request.club_id,
        "state": OPEN,
        "rounds": 0,
        "round": 0,
        "created_at_ms": now_ms,
        "starts_at_ms": request.starts_at_ms,
        "ended_at_ms": 0,
        "club_id": request.club_id,
        "lasts_ms": request.duration_s * 1000,
    }


def leave_all(connection: Connection, players: Collection[str]) -> None:
    """Take players out of all tournaments: of those that have not started at once, of the others after the round."""
    playing = TOURNAMENT_PLAYERS.c.player_id.in_(players)
    connection.execute(delete(TOURNAMENT_PLAYERS).where(playing, TOURNAMENT_PLAYERS.c.number.is_(None)))
    played = select(TOURNAMENTS.c.round).where(TOURNAMENTS.c.tournament_id == TOURNAMENT_PLAYERS.c.tournament_id)
    leaving = update(TOURNAMENT_PLAYERS).where(playing, TOURNAMENT_PLAYERS.c.left_after.is_(None))
    connection.execute(leaving.values(left_after=played.scalar_subquery()))


def new_player(tournament_id: str, player_id: str, name: str, now_ms: int) -> dict[str, object]:
    """Return the row of one who joins before the start."""
    return {
        "tournament_id": tournament_id,
        "player_id": player_id,
        "name": name,
        "joined_at_ms": now_ms,
        "rating": MEAN,
        "provisional": True,
    }


def find(connection: Connection, tournament_id: str) -> Row[Any] | None:
    """Return a tournament, or None."""
    return connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.tournament_id == tournament_id)).first()


def find_asked(connection: Connection, owner_id: str, request_id: str) -> Row[Any] | None:
    """Return the tournament that a request has made, or None."""
    mine = (TOURNAMENTS.c.owner_id == owner_id) & (TOURNAMENTS.c.request_id == request_id)
    return connection.execute(select(TOURNAMENTS).where(mine)).first()


def hold(connection: Connection, tournament_id: str) -> Row[Any] | None:
    """Return a tournament, which nobody else changes until the transaction ends; None where there is none."""
    mine = TOURNAMENTS.c.tournament_id == tournament_id
    # A write takes the lock in both databases; SQLite knows no SELECT … FOR UPDATE.
    held = connection.execute(update(TOURNAMENTS).where(mine).values(round=TOURNAMENTS.c.round).returning(TOURNAMENTS))
    return held.first()


def add(connection: Connection, tournament: dict[str, object]) -> None:
    """Store a tournament; nothing happens where its request has made one."""
    connection.execute(insert_into(connection, TOURNAMENTS).values(**tournament).on_conflict_do_nothing())


def change(connection: Connection, tournament_id: str, **changes: object) -> None:
    """Change a tournament."""
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.tournament_id == tournament_id).values(**changes))


def count_live(connection: Connection, owner_id: str = "") -> int:
    """Return how many tournaments are not over: of an owner, beside those of series, or all."""
    query = select(func.count()).where(TOURNAMENTS.c.state.in_(LIVE))
    if owner_id:
        query = query.where(TOURNAMENTS.c.owner_id == owner_id, TOURNAMENTS.c.series_id == "")
    count: int = connection.execute(query).scalar_one()
    return count


def count_joined(connection: Connection, player_id: str) -> int:
    """Return in how many tournaments a player takes part that are not over."""
    live = TOURNAMENTS.c.state.in_(LIVE) & (TOURNAMENTS.c.tournament_id == TOURNAMENT_PLAYERS.c.tournament_id)
    playing = (TOURNAMENT_PLAYERS.c.player_id == player_id) & TOURNAMENT_PLAYERS.c.left_after.is_(None)
    count: int = connection.execute(select(func.count()).where(playing, live)).scalar_one()
    return count


def players(connection: Connection, tournament_id: str, numbers: Collection[int] | None = None) -> Sequence[Row[Any]]:
    """Return who takes part, in the order of the list at the start; before it in the order in which they have joined.

    `numbers`: only these, in the list at the start.
    """
    mine = TOURNAMENT_PLAYERS.c.tournament_id == tournament_id
    if numbers is not None:
        mine &= TOURNAMENT_PLAYERS.c.number.in_(numbers)
    order = (TOURNAMENT_PLAYERS.c.number, TOURNAMENT_PLAYERS.c.joined_at_ms, TOURNAMENT_PLAYERS.c.player_id)
    return connection.execute(select(TOURNAMENT_PLAYERS).where(mine).order_by(*order)).all()


def join(connection: Connection, player: dict[str, object]) -> None:
    """Store one who joins; nothing happens where they have."""
    connection.execute(insert_into(connection, TOURNAMENT_PLAYERS).values(**player).on_conflict_do_nothing())


def drop(connection: Connection, tournament_id: str, player_id: str) -> None:
    """Remove one who has joined."""
    mine = (TOURNAMENT_PLAYERS.c.tournament_id == tournament_id) & (TOURNAMENT_PLAYERS.c.player_id == player_id)
    connection.execute(delete(TOURNAMENT_PLAYERS).where(mine))


def change_player(connection: Connection, tournament_id: str, player_id: str, **changes: object) -> None:
    """Change what is stored of one who takes part."""
    mine = (TOURNAMENT_PLAYERS.c.tournament_id == tournament_id) & (TOURNAMENT_PLAYERS.c.player_id == player_id)
    connection.execute(update(TOURNAMENT_PLAYERS).where(mine).values(**changes))


def pairings(connection: Connection, tournament_id: str) -> Sequence[Row[Any]]:
    """Return all pairings, by round and board."""
    query = select(PAIRINGS).where(PAIRINGS.c.tournament_id == tournament_id)
    return connection.execute(query.order_by(PAIRINGS.c.round, PAIRINGS.c.board)).all()


def games(connection: Connection, tournament_id: str) -> list[Game]:
    """Return all pairings as formats see them, by round and board."""
    wanted = {(one.number, one.bye_round) for one in players(connection, tournament_id)}
    found = [game(row) for row in pairings(connection, tournament_id)]
    return [replace(one, is_on_request=one.is_bye and (one.first, one.round_number) in wanted) for one in found]


def pairing_at(connection: Connection, tournament_id: str, number: int, board: int) -> Row[Any] | None:
    """Return the pairing of a round and board, or None."""
    mine = (PAIRINGS.c.tournament_id == tournament_id) & (PAIRINGS.c.round == number) & (PAIRINGS.c.board == board)
    return connection.execute(select(PAIRINGS).where(mine)).first()


def correct(connection: Connection, pairing: Row[Any], points: Sequence[int], reason: str) -> None:
    """Note other points of a pairing, in halves, and why."""
    mine = (PAIRINGS.c.tournament_id == pairing.tournament_id) & (PAIRINGS.c.round == pairing.round)
    values: dict[str, object] = {"first_points": points[0], "second_points": points[1], "other_points": [*points[2:]] or None}
    values |= {"correction": reason, "played": True}
    connection.execute(update(PAIRINGS).where(mine & (PAIRINGS.c.board == pairing.board)).values(**values))


def open_orders(connection: Connection, tournament_id: str) -> Sequence[str]:
    """Return the orders of pairings that are undecided."""
    mine = (PAIRINGS.c.tournament_id == tournament_id) & PAIRINGS.c.first_points.is_(None)
    return connection.execute(select(PAIRINGS.c.arrangement_id).where(mine)).scalars().all()


def pairing_of(connection: Connection, arrangement_id: str) -> Row[Any] | None:
    """Return the pairing of an arrangement, or None."""
    return connection.execute(select(PAIRINGS).where(PAIRINGS.c.arrangement_id == arrangement_id)).first()


def count_boards(connection: Connection, tournament_id: str, number: int) -> int:
    """Return how many pairings a round has."""
    mine = (PAIRINGS.c.tournament_id == tournament_id) & (PAIRINGS.c.round == number)
    count: int = connection.execute(select(func.count()).select_from(PAIRINGS).where(mine)).scalar_one()
    return count


def note_session(connection: Connection, arrangement_id: str, session_id: str) -> None:
    """Note the session of a pairing."""
    connection.execute(update(PAIRINGS).where(PAIRINGS.c.arrangement_id == arrangement_id).values(session_id=session_id))


def decide(connection: Connection, pairing: Row[Any], points: Sequence[int], *, played: bool) -> bool:
    """Note the points of a pairing, in halves; return whether it was undecided."""
    values = {"first_points": points[0], "second_points": points[1], "other_points": [*points[2:]] or None, "played": played}
    return change_undecided(connection, pairing, **values)


def change_undecided(connection: Connection, pairing: Row[Any], **changes: object) -> bool:
    """Change a pairing if it is undecided; return whether it was."""
    key = tuple_(PAIRINGS.c.tournament_id, PAIRINGS.c.round, PAIRINGS.c.board)
    mine = key == tuple_(pairing.tournament_id, pairing.round, pairing.board)
    changed = connection.execute(update(PAIRINGS).where(mine & PAIRINGS.c.first_points.is_(None)).values(**changes))
    return changed.rowcount == 1


def due(connection: Connection, now_ms: int) -> Sequence[str]:
    """Return the tournaments that are to be started or given up now, those first that have waited longest."""
    starts = (TOURNAMENTS.c.starts_at_ms > 0) & (TOURNAMENTS.c.starts_at_ms <= now_ms)
    stale = TOURNAMENTS.c.created_at_ms < now_ms - OPEN_MS
    query = select(TOURNAMENTS.c.tournament_id).where(TOURNAMENTS.c.state == OPEN, or_(starts, stale))
    return connection.execute(query.order_by(TOURNAMENTS.c.starts_at_ms).limit(_AT_ONCE)).scalars().all()


def decided(connection: Connection, now_ms: int) -> Sequence[str]:
    """Return the running tournaments of which no pairing is open, and no round waits for its owner; not arenas."""
    is_open = exists().where(PAIRINGS.c.tournament_id == TOURNAMENTS.c.tournament_id, PAIRINGS.c.first_points.is_(None))
    has_rounds, is_due = TOURNAMENTS.c.lasts_ms == 0, TOURNAMENTS.c.round_due_ms <= now_ms
    query = select(TOURNAMENTS.c.tournament_id).where(TOURNAMENTS.c.state == RUNNING, has_rounds, is_due, ~is_open)
    return connection.execute(query.limit(_AT_ONCE)).scalars().all()


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove the tournaments that have been over long enough."""
    over = select(TOURNAMENTS.c.tournament_id).where(
        TOURNAMENTS.c.state.not_in(LIVE), TOURNAMENTS.c.ended_at_ms < now_ms - KEPT_MS
    )
    old: Collection[str] = connection.execute(over.limit(_AT_ONCE)).scalars().all()
    for table in (FORBIDDEN_PAIRS, CLUB_MATCHES, TOURNAMENT_ARBITERS, PAIRINGS, TOURNAMENT_PLAYERS, TOURNAMENTS):
        connection.execute(delete(table).where(table.c.tournament_id.in_(old)))


def entrant(row: Row[Any]) -> Entrant:
    """Return one who takes part as they are paired."""
    return Entrant(row.number, row.left_after, row.first_round or 1, row.bye_round)


def game(row: Row[Any]) -> Game:
    """Return a pairing as standings count it."""
    others, other_points = tuple(row.others or ()), tuple(row.other_points or ())
    points = None if row.first_points is None else (row.first_points, row.second_points or 0, *other_points)
    return Game(row.round, row.first, row.second, points, row.played, others)
