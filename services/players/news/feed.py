"""News in SQL, in a transaction: each player's news is numbered from 1 on without gaps, and the newest is kept."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select, update

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2
from brettwerk.v1.record_pb2 import Ruling
from services.archive.upsert import insert_into
from services.players.accounts.deleted_players import gone
from services.players.news import backlog
from services.players.news.tables import FEEDS, NEWS

KEPT = 100
"""How much news is kept for a player."""
KEPT_MS = 30 * 86_400_000
"""How long news is kept."""
_FIELDS = tuple(field.name for field in news_pb2.News.DESCRIPTOR.fields if field.name != "ruling")

# Statements that are made once: news come many times a second.
_ABOUT = (NEWS.c.player_id, NEWS.c.session_id, NEWS.c.session_version, NEWS.c.kind, NEWS.c.challenge_id, NEWS.c.tournament_id)
_SAME = select(*_ABOUT).where(
    NEWS.c.player_id.in_(bindparam("players", expanding=True)), NEWS.c.session_id.in_(bindparam("sessions", expanding=True))
)
_GROWING = update(FEEDS).where(FEEDS.c.player_id == bindparam("player")).values(head=bindparam("new"))
_FORGETTING = delete(NEWS).where(NEWS.c.player_id == bindparam("player"), NEWS.c.version <= bindparam("oldest"))


@dataclass(frozen=True, slots=True)
class Page:
    """A player's news after a version."""

    head: int
    """The version of the newest."""
    news: Sequence[news_pb2.News]
    """Oldest first."""
    cause: news_pb2.NewsResync.Cause.ValueType | None = None
    """Why it is a fresh start; None if it continues without a gap."""


def note(connection: Connection, notes: Iterable[players_pb2.NotedNews]) -> dict[str, int]:
    """Store news, those left out that are known or are for nobody, and have the players notified.

    Returns the new heads of the players who have any. It takes as many statements for many players as for one.
    """
    notes = [one for one in notes if one.player_id]
    left = gone(connection, sorted({one.player_id for one in notes})) if notes else set()
    notes = [one for one in notes if one.player_id not in left]
    if not notes:
        return {}
    heads = _locked_heads(connection, {one.player_id for one in notes})
    known = _known(connection, notes)
    rows, grown = [], {}
    for one in notes:
        news = one.news
        key = (one.player_id, news.session_id, one.session_version, news.kind, news.challenge_id, news.tournament_id)
        if key not in known:
            known.add(key)
            heads[one.player_id] = grown[one.player_id] = heads[one.player_id] + 1
            rows.append(_row(one.player_id, grown[one.player_id], one))
    if rows:
        connection.execute(NEWS.insert(), rows)
        _set_heads(connection, grown)
        backlog.wake(connection, list(grown), max(one.news.at_ms for one in notes))
    return grown


def page(connection: Connection, player: str, after: int, *, begins: bool = False) -> Page:
    """Return what a player has not had who has had the news up to a version; `begins`: who asks for none in particular."""
    head = connection.execute(select(FEEDS.c.head).where(FEEDS.c.player_id == player)).scalar_one_or_none() or 0
    # A client can be ahead of the numbers when the database was restored from a backup: it gets all that there is.
    first = after if after <= head else 0
    query = select(NEWS).where(NEWS.c.player_id == player, NEWS.c.version > first).order_by(NEWS.c.version)
    found = [_news(row) for row in connection.execute(query)]
    if begins:
        return Page(head, found, news_pb2.NewsResync.CAUSE_UNSPECIFIED)
    if after > head:
        return Page(head, found, news_pb2.NewsResync.CAUSE_AHEAD)
    # Numbers have no gaps, so that fewer rows than numbers mean that some were forgotten.
    if len(found) != head - after:
        return Page(head, found, news_pb2.NewsResync.CAUSE_GAP)
    return Page(head, found)


def heads(connection: Connection, players: Sequence[str]) -> dict[str, int]:
    """Return the versions of the newest news of players who have any."""
    found = connection.execute(select(FEEDS).where(FEEDS.c.player_id.in_(players)))
    return {row.player_id: row.head for row in found}


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove news that has been kept long enough; its numbers are not reused."""
    connection.execute(delete(NEWS).where(NEWS.c.at_ms < now_ms - KEPT_MS))


def _locked_heads(connection: Connection, players: Collection[str]) -> dict[str, int]:
    """Return the versions of players' newest news, and have all others who note news for them wait.

    An item numbered after this can be seen before anything gets a higher number. Rows are locked in the order of players, so that
    no two transactions wait for each other.
    """
    ensured = insert_into(connection, FEEDS)
    # It changes nothing, but it locks and returns the rows that are there, which DO NOTHING would not.
    locked = ensured.on_conflict_do_update(index_elements=[FEEDS.c.player_id], set_={"head": FEEDS.c.head})
    rows = [{"player_id": player, "head": 0} for player in sorted(players)]
    return {row.player_id: row.head for row in connection.execute(locked.returning(FEEDS.c.player_id, FEEDS.c.head), rows)}


def _known(connection: Connection, notes: Iterable[players_pb2.NotedNews]) -> set[tuple[object, ...]]:
    """Return by what news are told apart, of those that there are of these players about the same."""
    named = {"players": list({one.player_id for one in notes}), "sessions": list({one.news.session_id for one in notes})}
    return {tuple(row) for row in connection.execute(_SAME, named)}


def _set_heads(connection: Connection, heads: Mapping[str, int]) -> None:
    """Set the versions of players' newest news, and remove what is too much by that."""
    rows = [{"player": player, "new": head} for player, head in heads.items()]
    connection.execute(_GROWING, rows)
    if full := [{"player": player, "oldest": head - KEPT} for player, head in heads.items() if head > KEPT]:
        connection.execute(_FORGETTING, full)


def _row(player: str, version: int, noted: players_pb2.NotedNews) -> dict[str, object]:
    news = noted.news
    return {
        "player_id": player,
        "version": version,
        "session_id": news.session_id,
        "session_version": noted.session_version,
        "kind": news.kind,
        "game": news.game,
        "title": news.title,
        "seat": news.seat,
        "at_ms": news.at_ms,
        "until_ms": news.until_ms,
        "challenge_id": news.challenge_id,
        "tournament_id": news.tournament_id,
        "name": news.name,
        "ruling": news.ruling.SerializeToString() if news.HasField("ruling") else None,
    }


def _news(row: Row[Any]) -> news_pb2.News:
    return news_pb2.News(
        **{name: getattr(row, name) for name in _FIELDS}, ruling=Ruling.FromString(row.ruling) if row.ruling else None
    )
