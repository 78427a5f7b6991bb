"""News in SQL, in a transaction: each player's are numbered from 1 on without holes, and the newest are kept."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from sqlalchemy import Connection, delete, select, update

from brettwerk.v1 import news_pb2, players_pb2
from services.archive.inserting import insert_into
from services.players.gone import gone
from services.players.notifications import waiting
from services.players.tables import FEEDS, NEWS

KEPT = 100
"""News that are kept of a player."""
KEPT_MS = 30 * 86_400_000
"""How long news are kept."""


@dataclass(frozen=True, slots=True)
class Page:
    """A player's news after a version."""

    head: int
    """The version of the newest."""
    news: Sequence[news_pb2.News]
    """Oldest first."""
    cause: news_pb2.NewsResync.Cause.ValueType | None = None
    """Why it is a new beginning; None where it goes on without a hole."""


def note(connection: Connection, notes: Iterable[players_pb2.NotedNews]) -> dict[str, int]:
    """Store news, those left out that are known or are for nobody, and have the players notified.

    Returns the new heads of the players who have any.
    """
    ordered = sorted((one for one in notes if one.player_id), key=attrgetter("player_id"))
    left = gone(connection, sorted({one.player_id for one in ordered})) if ordered else set()
    heads: dict[str, int] = {}
    # In the order of players, so that no two transactions wait for each other.
    for player, own in groupby(ordered, attrgetter("player_id")):
        if player not in left and (head := _note(connection, player, list(own))):
            heads[player] = head
    if heads:
        waiting.wake(connection, list(heads), max(one.news.at_ms for one in ordered))
    return heads


def page(connection: Connection, player: str, after: int, *, begins: bool = False) -> Page:
    """Return what a player has not had who has had the news up to a version; `begins`: who asks for none in particular."""
    head = connection.execute(select(FEEDS.c.head).where(FEEDS.c.player_id == player)).scalar_one_or_none() or 0
    first = after if after <= head else 0
    query = select(NEWS).where(NEWS.c.player_id == player, NEWS.c.version > first).order_by(NEWS.c.version)
    found = [_news(row) for row in connection.execute(query)]
    if begins:
        return Page(head, found, news_pb2.NewsResync.CAUSE_UNSPECIFIED)
    if after > head:
        return Page(head, found, news_pb2.NewsResync.CAUSE_AHEAD)
    if len(found) != head - after:
        return Page(head, found, news_pb2.NewsResync.CAUSE_GAP)
    return Page(head, found)


def heads(connection: Connection, players: Sequence[str]) -> dict[str, int]:
    """Return the versions of the newest news of players who have any."""
    found = connection.execute(select(FEEDS).where(FEEDS.c.player_id.in_(players)))
    return {row.player_id: row.head for row in found}


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove news that were kept for long enough; their numbers are not given again."""
    connection.execute(delete(NEWS).where(NEWS.c.at_ms < now_ms - KEPT_MS))


def _note(connection: Connection, player: str, notes: Sequence[players_pb2.NotedNews]) -> int:
    """Store a player's news; return the new head, 0 where all were known."""
    # The row is locked first: what is numbered here can be seen before anything gets a higher number.
    locked = insert_into(connection, FEEDS).values(player_id=player, head=0)
    kept = locked.on_conflict_do_update(index_elements=[FEEDS.c.player_id], set_={"head": FEEDS.c.head})
    head: int = connection.execute(kept.returning(FEEDS.c.head)).scalar_one()
    named = NEWS.c.session_id.in_({one.news.session_id for one in notes})
    query = select(NEWS.c.session_id, NEWS.c.session_version, NEWS.c.kind, NEWS.c.challenge_id).where(
        NEWS.c.player_id == player, named
    )
    known = {tuple(row) for row in connection.execute(query)}
    rows = []
    for one in notes:
        key = (one.news.session_id, one.session_version, one.news.kind, one.news.challenge_id)
        if key not in known:
            known.add(key)
            head += 1
            rows.append(_row(player, head, one))
    if not rows:
        return 0
    connection.execute(NEWS.insert(), rows)
    connection.execute(update(FEEDS).where(FEEDS.c.player_id == player).values(head=head))
    connection.execute(delete(NEWS).where(NEWS.c.player_id == player, NEWS.c.version <= head - KEPT))
    return head


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
        "name": news.name,
    }


def _news(row: object) -> news_pb2.News:
    fields = ("version", "kind", "session_id", "game", "title", "seat", "at_ms", "until_ms", "challenge_id", "name")
    return news_pb2.News(**{name: getattr(row, name) for name in fields})
