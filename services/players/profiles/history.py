"""A search through one's finished games, a page at a time."""

import re
from typing import Any

from sqlalchemy import Connection, Row, Select, exists, or_, select, tuple_

from brettwerk.v1 import profiles_pb2 as pb
from services.archive.entry import Cursor
from services.players.accounts.names import is_nobody, sought
from services.players.profiles.words import RESULT, STORED_RESULT
from services.players.ratings.tables import RATING_EVENTS
from services.players.results.tables import GAMES, RESULTS
from services.runtime.refusal import malformed

DEFAULT_PAGE_SIZE, MAX_PAGE = 20, 100
"""Games of a page."""

_OTHER = RESULTS.alias("other")
_TOKEN = re.compile(r"([0-9]{1,4})/(.+)", re.ASCII)


def page_of(connection: Connection, player_id: str, wanted: pb.ListResultsRequest) -> pb.ListResultsResponse:
    """Return a page of a player's games, newest first. Raises Refused (MALFORMED) for a page token that is none."""
    size = min(wanted.page_size or DEFAULT_PAGE_SIZE, MAX_PAGE)
    rows = connection.execute(_query(player_id, wanted).limit(size + 1)).all()
    shown = rows[:size]
    others = _others(connection, player_id, [row.session_id for row in shown])
    found = pb.ListResultsResponse(games=[_game(row, others.get(row.session_id, [])) for row in shown])
    if len(rows) > size:
        last = shown[-1]
        found.next_page_token = f"{last.number}/{Cursor(last.finished_at_ms, last.session_id)}"
    return found


def _query(player_id: str, wanted: pb.ListResultsRequest) -> Select[Any]:
    mine = RESULTS.c
    query = (
        select(RESULTS, GAMES.c.seats, GAMES.c.plies, GAMES.c.reason, GAMES.c.competitive)
        .add_columns(RATING_EVENTS.c.rating_before, RATING_EVENTS.c.rating)
        .join(GAMES, GAMES.c.session_id == mine.session_id)
        .outerjoin(
            RATING_EVENTS,
            (RATING_EVENTS.c.session_id == mine.session_id)
            & (RATING_EVENTS.c.player_id == player_id)
            & (mine.began | (mine.share > 0)),
        )
        .where(mine.player_id == player_id, mine.result.in_(RESULT))
        .order_by(mine.finished_at_ms.desc(), mine.session_id.desc(), mine.number)
    )
    if wanted.game:
        query = query.where(mine.game == wanted.game)
    if wanted.result:
        query = query.where(mine.result == STORED_RESULT.get(wanted.result, ""))
    if wanted.from_ms:
        query = query.where(mine.finished_at_ms >= wanted.from_ms)
    if wanted.until_ms:
        query = query.where(mine.finished_at_ms < wanted.until_ms)
    if wanted.page_token:
        number, before = _place(wanted.page_token)
        at, last = tuple_(mine.finished_at_ms, mine.session_id), tuple_(before.finished_at_ms, before.session_id)
        query = query.where(or_(at < last, (at == last) & (mine.number > number)))
    for wish, holds in (
        (wanted.opponent, _OTHER.c.sought.contains(sought(wanted.opponent.strip()), autoescape=True)),
        (wanted.opponent_id, _OTHER.c.player_id == wanted.opponent_id),
        (wanted.level, _OTHER.c.level == wanted.level),
    ):
        if wish:
            there = (_OTHER.c.session_id == mine.session_id) & (_OTHER.c.player_id != player_id)
            query = query.where(exists().where(there, holds))
    return query


def _place(token: str) -> tuple[int, Cursor]:
    """Return after which result of which game a list goes on: somebody may have had several seats of one game."""
    try:
        if not (match := _TOKEN.fullmatch(token)):
            raise ValueError("not a place in a list of results")
        return int(match[1]), Cursor.parse(match[2])
    except ValueError:
        raise malformed("page_token", "this is not a page token of an earlier answer") from None


def _others(connection: Connection, player_id: str, session_ids: list[str]) -> dict[str, list[Row[Any]]]:
    query = (
        select(RESULTS)
        .where(RESULTS.c.session_id.in_(session_ids), RESULTS.c.player_id != player_id, RESULTS.c.result.in_(RESULT))
        .order_by(RESULTS.c.session_id, RESULTS.c.seat, RESULTS.c.number)
    )
    found: dict[str, list[Row[Any]]] = {}
    for row in connection.execute(query):
        found.setdefault(row.session_id, []).append(row)
    return found


def _game(row: Row[Any], others: list[Row[Any]]) -> pb.PlayedGame:
    game = pb.PlayedGame(
        session_id=row.session_id,
        game=row.game,
        finished_at_ms=row.finished_at_ms,
        seats=row.seats,
        plies=row.plies,
        seat=row.seat,
        result=RESULT[row.result],
        place=row.place,
        reason=row.reason,
        competitive=row.competitive,
        others=[_companion(other, row.side) for other in others[:12]],
    )
    if row.rating is not None:
        game.change.before, game.change.after = row.rating_before, row.rating
    return game


def _companion(other: Row[Any], side: int) -> pb.Companion:
    return pb.Companion(
        seat=other.seat,
        player_id="" if is_nobody(other.player_id) else other.player_id,
        name=other.name,
        level=other.level,
        result=RESULT[other.result],
        place=other.place,
        partner=other.side == side,
    )
