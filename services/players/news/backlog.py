"""The items that wait to be told, in SQL, in transactions: each recipient knows how far its player's news were told to it.

There is no queue beside the news: whoever has told something notes up to which version. A process takes what is due for a while
(a claim); if it dies, others take that again. So nothing is lost, whatever dies, and at most the message that was on its way at
that moment is sent twice.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, bindparam, exists, func, select, true, update

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2
from brettwerk.v1.record_pb2 import Ruling
from services.players.news.schedule import Item, Preferences
from services.players.news.tables import DEVICES, FEEDS, MAILBOXES, NEWS, PREFERENCES, WEBHOOKS

CLAIM_MS = 60_000
"""How long a process has for what it took."""
BITS: Mapping[int, int] = {kind: kind for kind in range(61)} | {
    news_pb2.News.KIND_CLUB_CHALLENGED: 61,
    news_pb2.News.KIND_CLUB_CHALLENGE_ANSWERED: 62,
}
"""The bit of each kind of news in the columns that say which are not wanted; also of those that a newer release may know."""
MAX_REFUSALS = 3
"""An address that the mail server has refused for good so many times in a row gets no more mail."""


# Statements that are made once: news come many times a second.
_WAKING = [
    update(table)
    .where(table.c.player_id.in_(bindparam("players", expanding=True)), table.c.due_at_ms.is_(None), is_reachable)
    .values(due_at_ms=bindparam("now"))
    for table, is_reachable in (
        (DEVICES, true()),
        (MAILBOXES, MAILBOXES.c.confirmed_at_ms.is_not(None) & (MAILBOXES.c.refusals < MAX_REFUSALS)),
        (WEBHOOKS, WEBHOOKS.c.off_at_ms.is_(None)),
    )
]
_HANDLING = (
    update(NEWS)
    .where(
        NEWS.c.player_id == bindparam("player"),
        NEWS.c.session_id == bindparam("session"),
        NEWS.c.session_version <= bindparam("until"),
        NEWS.c.handled.is_(False),
    )
    .values(handled=True)
)


def wake(connection: Connection, players: Collection[str], now_ms: int) -> None:
    """Have it looked at once what is to be told to players who have news."""
    for waking in _WAKING:
        connection.execute(waking, {"players": list(players), "now": now_ms})


def look_again(connection: Connection, player_id: str, now_ms: int) -> None:
    """Have it looked at once, since the player wants other things now; what failed waits as long as it was to."""
    for table in (DEVICES, MAILBOXES, WEBHOOKS):
        waiting = (table.c.player_id == player_id) & (table.c.attempts == 0) & table.c.due_at_ms.is_not(None)
        connection.execute(update(table).where(waiting).values(due_at_ms=now_ms))


def handled(connection: Connection, seen: Iterable[players_pb2.HandledNews]) -> None:
    """Note that players have seen to what the news of sessions say, up to versions of their logs."""
    rows = [{"player": one.player_id, "session": one.session_id, "until": one.session_version} for one in seen]
    if rows:
        connection.execute(_HANDLING, rows)


def challenge_handled(connection: Connection, player_id: str, challenge_id: str) -> None:
    """Note that a player has seen to a challenge."""
    seen = (NEWS.c.player_id == player_id) & (NEWS.c.challenge_id == challenge_id)
    connection.execute(update(NEWS).where(seen, NEWS.c.handled.is_(False)).values(handled=True))


def claim(connection: Connection, table: Table, now_ms: int, limit: int) -> Sequence[Row[Any]]:
    """Return what is due, and take it: nobody else gets it before the claim is over."""
    is_due = (table.c.due_at_ms <= now_ms) & (table.c.claimed_until_ms <= now_ms)
    key = _key(table)
    first = select(key).where(is_due).order_by(table.c.due_at_ms).limit(limit)
    if connection.execute(first.limit(1)).first() is None:
        return []  # nothing is written while nothing is due
    # another process may have been faster: then the second look at the condition leaves its rows out
    taking = update(table).where(key.in_(first.with_for_update(skip_locked=True)), is_due)
    return connection.execute(taking.values(claimed_until_ms=now_ms + CLAIM_MS).returning(table)).all()


def note_sent(connection: Connection, table: Table, row: Row[Any], version: int, **also: int) -> bool:
    """Note that news up to a version were told, and `also` other columns.

    Returns whether the claim still holds: else no more is to be sent.
    """
    return _held(connection, table, row, {"sent_version": version, "attempts": 0, "failing_since_ms": None, **also})


def rest(connection: Connection, table: Table, row: Row[Any], read: int, due_at_ms: int | None) -> None:
    """Let go of what was taken until `due_at_ms`; None: until there are news after the version that was `read`."""
    if not _held(connection, table, row, {"due_at_ms": due_at_ms, "claimed_until_ms": 0}) or due_at_ms is not None:
        return
    # The row is ours by now, so that news either wake it after this, or are seen here.
    head = select(FEEDS.c.head).where(FEEDS.c.player_id == row.player_id).scalar_subquery()
    connection.execute(update(table).where(_key(table) == row[0], head > read).values(due_at_ms=0))


def failed(connection: Connection, table: Table, row: Row[Any], now_ms: int, wait_ms: int) -> None:
    """Note a failure; it is tried again after a wait."""
    since = row.failing_since_ms if row.failing_since_ms is not None else now_ms
    values = {"attempts": row.attempts + 1, "failing_since_ms": since, "due_at_ms": now_ms + wait_ms, "claimed_until_ms": 0}
    _held(connection, table, row, values)


def is_any_waiting(connection: Connection, table: Table) -> bool:
    """Return whether anything is due, now or later."""
    return bool(connection.execute(select(exists().where(table.c.due_at_ms.is_not(None)))).scalar_one())


def oldest_due_ms(connection: Connection, table: Table, now_ms: int) -> int | None:
    """Return since when the first of what is due waits; None where nothing is."""
    found: int | None = connection.execute(
        # From 1 on: `rest` writes 0 for what is due at once, which says nothing of how long it has waited.
        select(func.min(table.c.due_at_ms)).where(table.c.due_at_ms.between(1, now_ms))
    ).scalar()
    return found


def news_of(connection: Connection, player_id: str, after: int) -> Sequence[Item]:
    """Return a player's news after a version, oldest first."""
    query = select(NEWS).where(NEWS.c.player_id == player_id, NEWS.c.version > after).order_by(NEWS.c.version)
    names = ("version", "kind", "session_id", "game", "title", "at_ms", "until_ms", "handled", "challenge_id", "tournament_id")
    rows = connection.execute(query)
    return [
        Item(**{name: getattr(row, name) for name in names}, ruling=Ruling.FromString(row.ruling) if row.ruling else None)
        for row in rows
    ]


def head_of(connection: Connection, player_id: str) -> int:
    """Return the version of a player's newest news; 0 for none."""
    return connection.execute(select(FEEDS.c.head).where(FEEDS.c.player_id == player_id)).scalar_one_or_none() or 0


def preferences_of(connection: Connection, player_id: str) -> Preferences:
    """Return what a player wants to be told."""
    row = connection.execute(select(PREFERENCES).where(PREFERENCES.c.player_id == player_id)).first()
    if row is None:
        return Preferences()
    quiet = (row.quiet_from, row.quiet_until)
    return Preferences(kinds_in(row.unpushed), kinds_in(row.unmailed), *quiet, row.time_zone, row.mail_wait, row.language)


def kinds_in(bits: int) -> frozenset[int]:
    """Return the kinds of news whose bits are set."""
    return frozenset(kind for kind, bit in BITS.items() if bits >> bit & 1)


def bits_of(kinds: Collection[int]) -> int:
    """Return the bits of kinds of news."""
    return sum(1 << BITS[kind] for kind in set(kinds))


def _held(connection: Connection, table: Table, row: Row[Any], values: dict[str, Any]) -> bool:
    """Change a row that is still claimed by us. Returns whether it was."""
    ours = (_key(table) == row[0]) & (table.c.claimed_until_ms == row.claimed_until_ms)
    return connection.execute(update(table).where(ours).values(values)).rowcount == 1


def _key(table: Table) -> Column[Any]:
    """Return the column that names a row; it is the first."""
    return next(iter(table.primary_key.columns))
