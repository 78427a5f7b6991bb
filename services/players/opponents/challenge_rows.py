"""Challenges in SQL. In a transaction; a challenge leaves its open state once, whoever is faster."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, or_, select, update

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2, opponents_pb2
from services.archive.upsert import insert_into
from services.players.conduct import conduct_rows
from services.players.conduct.departures import pace_of
from services.players.opponents.session_orders import FAILED
from services.players.opponents.strength import rated, strengths
from services.players.opponents.tables import ARRANGEMENTS, CHALLENGES
from services.runtime.seats import put_seat, seat_in

OPEN, ACCEPTED = opponents_pb2.Challenge.STATE_OPEN, opponents_pb2.Challenge.STATE_ACCEPTED
DECLINED, WITHDRAWN = opponents_pb2.Challenge.STATE_DECLINED, opponents_pb2.Challenge.STATE_WITHDRAWN
EXPIRED, COULD_NOT_BE = opponents_pb2.Challenge.STATE_EXPIRED, opponents_pb2.Challenge.STATE_FAILED
SHOWN_MS = 86_400_000
"""How long a challenge is shown that is not open any more, and kept."""
_PAGE = 100
_AT_ONCE = 200


def add(connection: Connection, challenge: dict[str, object]) -> None:
    """Store a challenge; nothing happens when it is there."""
    connection.execute(insert_into(connection, CHALLENGES).values(**challenge).on_conflict_do_nothing())


def find(connection: Connection, challenge_id: str) -> Row[Any] | None:
    """Return a challenge with the state of its arrangement, or None."""
    return connection.execute(_shown().where(CHALLENGES.c.challenge_id == challenge_id)).first()


def listed(connection: Connection, column: str, player_id: str, now_ms: int) -> Sequence[Row[Any]]:
    """Return the challenges in which a player is `player_id` or `challenged_id`: those that are open or were lately."""
    lately = or_(CHALLENGES.c.state == OPEN, CHALLENGES.c.ended_at_ms > now_ms - SHOWN_MS)
    query = _shown().where(CHALLENGES.c[column] == player_id, lately)
    return connection.execute(query.order_by(CHALLENGES.c.created_at_ms.desc()).limit(_PAGE)).all()


def count_open(connection: Connection, column: str, player_id: str) -> int:
    """Return how many open challenges there are in which a player is `player_id` or `challenged_id`."""
    query = select(func.count()).where(CHALLENGES.c[column] == player_id, CHALLENGES.c.state == OPEN)
    count: int = connection.execute(query).scalar_one()
    return count


def end(
    connection: Connection, challenge_id: str, state: opponents_pb2.Challenge.State.ValueType, now_ms: int, **changes: object
) -> bool:
    """Bring an open challenge to another state; return whether it was open."""
    still = (CHALLENGES.c.challenge_id == challenge_id) & (CHALLENGES.c.state == OPEN)
    changed = update(CHALLENGES).where(still).values(state=state, ended_at_ms=now_ms, **changes)
    return connection.execute(changed).rowcount == 1


def alike(connection: Connection, player_id: str, challenged_id: str, game: str) -> Sequence[Row[Any]]:
    """Return the open challenges of one player to another in a game."""
    mine = (CHALLENGES.c.player_id == player_id) & (CHALLENGES.c.challenged_id == challenged_id)
    return connection.execute(select(CHALLENGES).where(mine, CHALLENGES.c.game == game, CHALLENGES.c.state == OPEN)).all()


def overdue(connection: Connection, now_ms: int) -> Sequence[Row[Any]]:
    """Return open challenges whose time is over, some of them."""
    late = (CHALLENGES.c.state == OPEN) & (CHALLENGES.c.expires_at_ms <= now_ms)
    return connection.execute(select(CHALLENGES).where(late).limit(_AT_ONCE)).all()


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove challenges that are shown no more."""
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.state != OPEN, CHALLENGES.c.ended_at_ms < now_ms - SHOWN_MS))


def described(connection: Connection, found: Collection[Row[Any]], now_ms: int) -> list[opponents_pb2.Challenge]:
    """Return challenges as their players see them."""
    players = {player for row in found for player in (row.player_id, row.challenged_id)}
    known = strengths(connection, sorted(players), sorted({row.game for row in found})) if found else {}
    behaved = conduct_rows.find(connection, sorted(players))
    made = []
    for row in found:
        asked = opponents_pb2.ChallengePlayerRequest.FromString(row.request)
        pace = pace_of(asked.clock)
        challenger, challenged = (
            rated(known, player, name, row.game, behaved[player].percent(pace, now_ms))
            for player, name in ((row.player_id, row.name), (row.challenged_id, row.challenged_name))
        )
        failed = row.state == ACCEPTED and row.arranged == FAILED
        challenge = opponents_pb2.Challenge(
            challenge_id=row.challenge_id,
            challenger=challenger,
            challenged=challenged,
            game=row.game,
            options=asked.options if asked.HasField("options") else None,
            clock=asked.clock if asked.clock.kind else None,
            competitive=asked.competitive,
            computers=asked.computers,
            state=COULD_NOT_BE if failed else row.state,
            decline_reason=row.decline_reason,
            session_id=row.session_id or "",
            created_at_ms=row.created_at_ms,
            expires_at_ms=row.expires_at_ms,
        )
        put_seat(challenge, "chosen_seat", seat_in(asked, "chosen_seat"))
        made.append(challenge)
    return made


def news(row: Row[Any], kind: news_pb2.News.Kind.ValueType, now_ms: int, session_id: str = "") -> players_pb2.NotedNews:
    """Return news of a challenge, for the challenged player, or for the challenger where it was answered."""
    is_for_challenger = kind == news_pb2.News.KIND_CHALLENGE_ANSWERED
    news_of_it = news_pb2.News(
        kind=kind,
        session_id=session_id,
        game=row.game,
        at_ms=now_ms,
        challenge_id=row.challenge_id,
        name=row.challenged_name if is_for_challenger else row.name,
    )
    return players_pb2.NotedNews(player_id=row.player_id if is_for_challenger else row.challenged_id, news=news_of_it)


def _shown() -> Any:
    return select(CHALLENGES, ARRANGEMENTS.c.session_id, ARRANGEMENTS.c.state.label("arranged")).outerjoin(
        ARRANGEMENTS, ARRANGEMENTS.c.arrangement_id == CHALLENGES.c.arrangement_id
    )
