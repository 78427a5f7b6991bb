"""Tournaments in pages, the newest first. In a transaction."""

from sqlalchemy import Connection, exists, or_, select, tuple_

from brettwerk.v1 import tournaments_pb2 as pb
from services.players.tournaments import description
from services.players.tournaments.tables import TOURNAMENT_PLAYERS, TOURNAMENTS
from services.players.tournaments.tournament_rows import LIVE
from services.runtime.refusal import malformed

PAGE = 50
"""Tournaments of a page whose size nobody asks for."""


def page(connection: Connection, request: pb.ListTournamentsRequest, player_id: str) -> pb.ListTournamentsResponse:
    """Return a page. Raises Refused (MALFORMED) for a page token that none has had."""
    size = request.page_size or PAGE
    joined = exists().where(
        TOURNAMENT_PLAYERS.c.tournament_id == TOURNAMENTS.c.tournament_id, TOURNAMENT_PLAYERS.c.player_id == player_id
    )
    own = or_(TOURNAMENTS.c.owner_id == player_id, joined) if player_id else TOURNAMENTS.c.public
    live = TOURNAMENTS.c.state.in_(LIVE)
    query = select(TOURNAMENTS).where(~live if request.over else live, own if request.mine else or_(TOURNAMENTS.c.public, own))
    if request.game:
        query = query.where(TOURNAMENTS.c.game == request.game)
    order = tuple_(TOURNAMENTS.c.created_at_ms, TOURNAMENTS.c.tournament_id)
    if request.page_token:
        query = query.where(order < tuple_(*_read(request.page_token)))
    query = query.order_by(TOURNAMENTS.c.created_at_ms.desc(), TOURNAMENTS.c.tournament_id.desc())
    found = connection.execute(query.limit(size + 1)).all()
    shown = found[:size]
    more = f"{shown[-1].created_at_ms}.{shown[-1].tournament_id}" if len(found) > size else ""
    return pb.ListTournamentsResponse(tournaments=description.tournaments(connection, shown, player_id), next_page_token=more)


def _read(token: str) -> tuple[int, str]:
    at_ms, _, tournament_id = token.partition(".")
    if not (at_ms.isascii() and at_ms.isdigit() and len(at_ms) < 19 and tournament_id):
        raise malformed("page_token", "this is not a page token")
    return int(at_ms), tournament_id
