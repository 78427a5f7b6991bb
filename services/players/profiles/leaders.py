"""The leaders of a game, of all time or in a week. Players with a provisional rating come last, without a rank."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, case, func, select

from brettwerk.v1 import profiles_pb2 as pb
from services.players.accounts.deleted_players import PREFIX
from services.players.accounts.names import names_of
from services.players.clubs import club_rows
from services.players.clubs.roles import INSIDE
from services.players.clubs.tables import CLUB_MEMBERS
from services.players.profiles.words import STORED_KIND
from services.players.ratings.anchors import anchors
from services.players.ratings.pools import Pool, week_of
from services.players.ratings.tables import RATING_WEEKS, RATINGS
from services.runtime.bots import is_bot
from services.runtime.refusal import malformed

DEFAULT_PAGE_SIZE, MAX_PAGE, DEEPEST = 50, 100, 10_000
"""Players of a page, and how far pages go."""
_TOKEN = re.compile(r"[0-9]{1,5}", re.ASCII)


def page_of(connection: Connection, wanted: pb.ListLeadersRequest, now_ms: int, caller_id: str = "") -> pb.ListLeadersResponse:
    """Return a page of a ranking, and the caller's own place.

    Raises Refused: MALFORMED for no kind of play, and for a page token that is none; UNKNOWN or CLUB for a club of others.
    """
    pool = Pool(wanted.game, STORED_KIND.get(wanted.kind, ""))
    if not pool.kind:
        raise malformed("kind", "say whether you mean games with two seats or with more")
    if wanted.club_id:
        club_rows.require_member(connection, club_rows.find(connection, wanted.club_id), wanted.club_id, caller_id)
    if wanted.page_token and not _TOKEN.fullmatch(wanted.page_token):
        raise malformed("page_token", "this is not a page token of an earlier answer")
    size, first = min(wanted.page_size or DEFAULT_PAGE_SIZE, MAX_PAGE), int(wanted.page_token or 0)
    ranking = _query(pool, wanted, now_ms)
    rows = connection.execute(ranking.offset(first).limit(size + 1)).all()
    shown = rows[:size]
    own = _own(connection, ranking, shown, caller_id)
    names = names_of(connection, {row.player_id for row in (*shown, *own)})
    found = pb.ListLeadersResponse(leaders=[_leader(row, names) for row in shown], levels=_levels(pool))
    for row in own:
        found.own.CopyFrom(_leader(row, names))
    if len(rows) > size and first + size <= DEEPEST:
        found.next_page_token = str(first + size)
    return found


def rank_of(connection: Connection, pool: Pool, rating: float, now_ms: int) -> int:
    """Return the rank of an established rating of all time."""
    ahead = (
        select(func.count())
        .select_from(RATINGS)
        .where(
            _is_in(pool),
            RATINGS.c.rating > rating,
            RATINGS.c.established_until_ms > now_ms,
        )
    )
    return 1 + int(connection.execute(ahead).scalar_one())


def _is_in(pool: Pool) -> ColumnElement[bool]:
    """Hold for the ratings of a pool, but for those of players who are gone."""
    return (RATINGS.c.game == pool.game) & (RATINGS.c.kind == pool.kind) & RATINGS.c.player_id.not_like(f"{PREFIX}%")


def _query(pool: Pool, wanted: pb.ListLeadersRequest, now_ms: int) -> Select[Any]:
    counts = case((RATINGS.c.established_until_ms > now_ms, 1), else_=0)
    columns = (RATINGS.c.player_id, RATINGS.c.rating, RATINGS.c.deviation, counts.label("counts"))
    here = _is_in(pool)
    if wanted.club_id:
        members = select(CLUB_MEMBERS.c.player_id).where(
            CLUB_MEMBERS.c.club_id == wanted.club_id, CLUB_MEMBERS.c.role.in_(INSIDE)
        )
        here &= RATINGS.c.player_id.in_(members)
    if not wanted.week_ms:
        place = func.rank().over(order_by=(counts.desc(), RATINGS.c.rating.desc()))
        return (
            select(*columns, RATINGS.c.games, place.label("place"))
            .where(here)
            .order_by(counts.desc(), RATINGS.c.rating.desc(), RATINGS.c.player_id)
        )
    weeks = RATING_WEEKS.c
    place = func.rank().over(order_by=(counts.desc(), weeks.gain.desc()))
    same = (weeks.player_id == RATINGS.c.player_id) & (weeks.game == RATINGS.c.game) & (weeks.kind == RATINGS.c.kind)
    return (
        select(*columns, weeks.games, weeks.gain, place.label("place"))
        .join(RATING_WEEKS, same)
        .where(here, weeks.game == pool.game, weeks.kind == pool.kind, weeks.week == week_of(wanted.week_ms))
        .order_by(counts.desc(), weeks.gain.desc(), RATINGS.c.player_id)
    )


def _own(connection: Connection, ranking: Select[Any], shown: Sequence[Row[Any]], caller_id: str) -> Sequence[Row[Any]]:
    """Return the caller's row of a whole ranking, none for who is not in it. The ranking is gone through only at need."""
    if not caller_id:
        return ()
    if here := [row for row in shown if row.player_id == caller_id]:
        return here
    whole = ranking.order_by(None).subquery()
    return connection.execute(select(whole).where(whole.c.player_id == caller_id)).all()


def _leader(row: Row[Any], names: Mapping[str, str]) -> pb.Leader:
    return pb.Leader(
        rank=row.place if row.counts else 0,
        player_id=row.player_id,
        name=names.get(row.player_id, ""),
        rating=row.rating,
        deviation=row.deviation,
        games=row.games,
        gain=getattr(row, "gain", 0.0),
        bot=is_bot(row.player_id),
    )


def _levels(pool: Pool) -> list[pb.LevelRating]:
    levels = [
        pb.LevelRating(level=level, rating=rating.rating)
        for (kind, level), rating in anchors(pool.game).items()
        if kind == pool.kind
    ]
    return sorted(levels, key=lambda one: -one.rating)
