"""The arena in SQL, within a transaction."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, or_, select, update

from services.archive.upsert import insert_into
from services.players.accounts.tables import ACCOUNTS, BOTS
from services.players.arena.line_ups import LineUp
from services.players.arena.tables import ARENA_ENTRIES, ARENA_GAMES, ARENA_LEASES
from services.players.results.tables import GAMES

KEPT_MS = 30 * 86_400_000
"""How long games of the arena are remembered as such, and count for who is next."""
_LEASE = "arena"


def hold(connection: Connection, holder: str, now_ms: int, until_ms: int) -> bool:
    """Return whether this process pairs until then: nobody else does, nor can before this transaction ends."""
    mine = insert_into(connection, ARENA_LEASES).values(name=_LEASE, holder=holder, until_ms=until_ms)
    free = or_(ARENA_LEASES.c.holder == holder, ARENA_LEASES.c.until_ms <= now_ms)
    taken = mine.on_conflict_do_update(index_elements=["name"], set_={"holder": holder, "until_ms": until_ms}, where=free)
    return connection.execute(taken.returning(ARENA_LEASES.c.name)).first() is not None


def enter(connection: Connection, player_id: str, game: str, at_once: int) -> None:
    """Let a bot play, afresh: what it missed before is forgotten; 0 games at once end it."""
    this = (ARENA_ENTRIES.c.player_id == player_id) & (ARENA_ENTRIES.c.game == game)
    connection.execute(delete(ARENA_ENTRIES).where(this))
    if at_once:
        connection.execute(ARENA_ENTRIES.insert().values(player_id=player_id, game=game, at_once=at_once))


def entries_of(connection: Connection, players: Collection[str]) -> Sequence[Row[Any]]:
    """Return where bots play."""
    query = select(ARENA_ENTRIES).where(ARENA_ENTRIES.c.player_id.in_(players)).order_by(ARENA_ENTRIES.c.game)
    return connection.execute(query).all()


def entered(connection: Connection, game: str = "") -> Sequence[Row[Any]]:
    """Return the entries of bots that are not suspended, with their names; of one game, or of all."""
    query = (
        select(ARENA_ENTRIES, ACCOUNTS.c.name)
        .join(ACCOUNTS, ACCOUNTS.c.player_id == ARENA_ENTRIES.c.player_id)
        .join(BOTS, BOTS.c.player_id == ARENA_ENTRIES.c.player_id)
        .where(BOTS.c.suspended.is_(False))
        .order_by(ACCOUNTS.c.sought, ARENA_ENTRIES.c.player_id)
    )
    return connection.execute(query.where(ARENA_ENTRIES.c.game == game) if game else query).all()


def live(connection: Connection) -> Sequence[Row[Any]]:
    """Return the games that are not over, of all games."""
    return connection.execute(select(ARENA_GAMES).where(ARENA_GAMES.c.ended_at_ms == 0)).all()


def played(connection: Connection, game: str) -> Counter[LineUp]:
    """Return how often each line-up of a game was paired."""
    query = select(ARENA_GAMES.c.line_up, func.count()).where(ARENA_GAMES.c.game == game).group_by(ARENA_GAMES.c.line_up)
    return Counter({tuple(line_up.split()): count for line_up, count in connection.execute(query)})


def add(connection: Connection, arrangement_id: str, game: str, kind: str, line_up: LineUp, now_ms: int) -> None:
    """Note a game that is to be played."""
    made = {"arrangement_id": arrangement_id, "game": game, "kind": kind, "line_up": " ".join(line_up)}
    connection.execute(ARENA_GAMES.insert().values(**made, paired_at_ms=now_ms))


def find(connection: Connection, arrangement_id: str) -> Row[Any] | None:
    """Return a game, or None."""
    return connection.execute(select(ARENA_GAMES).where(ARENA_GAMES.c.arrangement_id == arrangement_id)).first()


def note_session(connection: Connection, arrangement_id: str, session_id: str) -> None:
    """Note where a game is played."""
    connection.execute(update(ARENA_GAMES).where(ARENA_GAMES.c.arrangement_id == arrangement_id).values(session_id=session_id))


def end(connection: Connection, arrangement_id: str, now_ms: int, *, unplayed: bool) -> None:
    """Note that a game is over."""
    this = (ARENA_GAMES.c.arrangement_id == arrangement_id) & (ARENA_GAMES.c.ended_at_ms == 0)
    connection.execute(update(ARENA_GAMES).where(this).values(ended_at_ms=now_ms, unplayed=unplayed))


def end_finished(connection: Connection) -> None:
    """Note as over what has come in as finished."""
    query = (
        select(ARENA_GAMES.c.arrangement_id, GAMES.c.finished_at_ms, GAMES.c.plies)
        .join(GAMES, GAMES.c.session_id == ARENA_GAMES.c.session_id)
        .where(ARENA_GAMES.c.ended_at_ms == 0, ARENA_GAMES.c.session_id != "")
    )
    for row in connection.execute(query).all():
        end(connection, row.arrangement_id, row.finished_at_ms, unplayed=not row.plies)


def note_missed(connection: Connection, player_id: str, game: str, misses: int, rests_until_ms: int) -> None:
    """Note how often in a row a bot has not come, and until when it rests."""
    this = (ARENA_ENTRIES.c.player_id == player_id) & (ARENA_ENTRIES.c.game == game)
    connection.execute(update(ARENA_ENTRIES).where(this).values(misses=misses, rests_until_ms=rests_until_ms))


def kinds(connection: Connection, sessions: Collection[str]) -> dict[str, str]:
    """Return for which ratings games count, by session, of those that are the arena's."""
    query = select(ARENA_GAMES.c.session_id, ARENA_GAMES.c.kind).where(ARENA_GAMES.c.session_id.in_(sessions))
    return {row.session_id: row.kind for row in connection.execute(query)} if sessions else {}


def listed(connection: Connection, game: str, limit: int, *, live: bool) -> Sequence[Row[Any]]:
    """Return games that are being played, or are over, newest first."""
    stands = ARENA_GAMES.c.ended_at_ms == 0 if live else ARENA_GAMES.c.ended_at_ms > 0
    query = select(ARENA_GAMES).where(ARENA_GAMES.c.game == game, stands)
    return connection.execute(query.order_by(ARENA_GAMES.c.paired_at_ms.desc()).limit(limit)).all()


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove games that are over long enough."""
    old = (ARENA_GAMES.c.ended_at_ms > 0) & (ARENA_GAMES.c.paired_at_ms < now_ms - KEPT_MS)
    connection.execute(delete(ARENA_GAMES).where(old))


def forget(connection: Connection, player_id: str, mark: str) -> None:
    """Put the mark of somebody who is gone in the place of a player."""
    theirs = ARENA_GAMES.c.line_up.contains(player_id, autoescape=True)
    changed = func.replace(ARENA_GAMES.c.line_up, player_id, mark)
    connection.execute(update(ARENA_GAMES).where(theirs).values(line_up=changed))
