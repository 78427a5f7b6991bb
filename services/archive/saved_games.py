"""Saved games: kept once, and listed for everybody who plays in them, until they remove them from their list.

Everything is bounded, and the oldest make room: a player's list, and what one player saves of one session, so that nobody can
push saves out of another player's list without playing with them.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, exists, select, tuple_

from services.archive.archive import Archive, unpacked
from services.archive.entry import MAX_LISTED, Cursor
from services.archive.tables import SAVED_GAMES, SAVED_PLAYERS
from services.archive.upsert import insert_into

SAVES_PER_PLAYER = 50
"""Saved games in a player's list."""
SAVES_PER_SESSION = 4
"""Saved games that one player makes of one session."""
SAVE_BYTES = 1024 * 1024
"""The largest record that is kept, after compression."""
SUMMARY_BYTES = 8 * 1024
"""The largest summary."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved game. Raises ValueError if it exceeds the bounds above."""

    save_id: str
    session_id: str
    game: str
    saved_by: str
    players: tuple[str, ...]
    """The players who find it in their list."""
    saved_at_ms: int
    summary: bytes = field(repr=False)
    """The SavedGame message that lists show."""
    record: bytes = field(repr=False)
    """A Record message."""

    def __post_init__(self) -> None:
        if len(self.summary) > SUMMARY_BYTES:
            raise ValueError(f"the summary of a saved game is {len(self.summary)} large, at most {SUMMARY_BYTES} is kept")


@dataclass(frozen=True, slots=True)
class ListedSave:
    """A line of a list."""

    cursor: Cursor
    """The place after this line."""
    summary: bytes = field(repr=False)


class SavedGames:
    """Keeps saved games. Every method raises Refused (UNAVAILABLE) while the database cannot be reached, and may be repeated."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def keep(self, saved: Saved) -> bool:
        """Keep a saved game, and let the oldest ones make room. Returns whether there was room for one of its size.

        An existing one is replaced, because unseen actions may have been added to it, and returns to the lists that it was
        removed from.
        """
        packed = zlib.compress(saved.record)
        if len(packed) > SAVE_BYTES:
            return False

        def write(connection: Connection) -> None:
            row = {
                "save_id": saved.save_id,
                "session_id": saved.session_id,
                "game": saved.game,
                "saved_by": saved.saved_by,
                "saved_at_ms": saved.saved_at_ms,
                "summary": saved.summary,
                "record": packed,
            }
            connection.execute(
                insert_into(connection, SAVED_GAMES).values(row).on_conflict_do_update(index_elements=["save_id"], set_=row)
            )
            listed = [
                {"player_id": player, "save_id": saved.save_id, "saved_at_ms": saved.saved_at_ms} for player in saved.players
            ]
            again = {"saved_at_ms": saved.saved_at_ms}
            both = ["player_id", "save_id"]
            connection.execute(
                insert_into(connection, SAVED_PLAYERS).values(listed).on_conflict_do_update(index_elements=both, set_=again)
            )
            _make_room(connection, saved)

        await self._archive.run(write)
        return True

    async def find(self, player_id: str, save_id: str) -> bytes | None:
        """Return the Record message of a saved game in a player's list; None if it is in no such list.

        Raises Refused (RECORD_DAMAGED) if it cannot be unpacked.
        """
        query = (
            select(SAVED_GAMES.c.record)
            .join(SAVED_PLAYERS, SAVED_PLAYERS.c.save_id == SAVED_GAMES.c.save_id)
            .where(SAVED_PLAYERS.c.player_id == player_id, SAVED_PLAYERS.c.save_id == save_id)
        )
        packed = await self._archive.run(lambda connection: connection.execute(query).scalar_one_or_none())
        return None if packed is None else unpacked(packed)

    async def list_player(
        self, player_id: str, *, game: str = "", limit: int = MAX_LISTED, before: Cursor | None = None
    ) -> list[ListedSave]:
        """Return a player's saved games, newest first, at most MAX_LISTED."""
        place = (SAVED_PLAYERS.c.saved_at_ms, SAVED_PLAYERS.c.save_id)
        query = (
            select(SAVED_GAMES.c.summary, *place)
            .join(SAVED_PLAYERS, SAVED_PLAYERS.c.save_id == SAVED_GAMES.c.save_id)
            .where(SAVED_PLAYERS.c.player_id == player_id)
        )
        if game:
            query = query.where(SAVED_GAMES.c.game == game)
        if before:
            query = query.where(tuple_(*place) < tuple_(before.finished_at_ms, before.session_id))
        query = query.order_by(*(column.desc() for column in place)).limit(max(1, min(limit, MAX_LISTED)))
        rows = await self._archive.run(lambda connection: connection.execute(query).all())
        return [ListedSave(Cursor(row.saved_at_ms, row.save_id), row.summary) for row in rows]

    async def forget(self, player_id: str, save_id: str) -> None:
        """Remove a saved game from a player's list, and delete it if it is in no other one."""

        def write(connection: Connection) -> None:
            _take_off(connection, player_id, [save_id])
            _remove_unlisted(connection, [save_id])

        await self._archive.run(write)


def _make_room(connection: Connection, saved: Saved) -> None:
    """Remove what exceeds the bounds after a game was saved."""
    of_session = (
        select(SAVED_GAMES.c.save_id)
        .where(SAVED_GAMES.c.session_id == saved.session_id, SAVED_GAMES.c.saved_by == saved.saved_by)
        .order_by(SAVED_GAMES.c.saved_at_ms.desc(), SAVED_GAMES.c.save_id.desc())
    )
    beyond = list(connection.execute(of_session).scalars())[SAVES_PER_SESSION:]
    if beyond:
        connection.execute(delete(SAVED_PLAYERS).where(SAVED_PLAYERS.c.save_id.in_(beyond)))
        connection.execute(delete(SAVED_GAMES).where(SAVED_GAMES.c.save_id.in_(beyond)))
    for player in saved.players:
        of_player = (
            select(SAVED_PLAYERS.c.save_id)
            .where(SAVED_PLAYERS.c.player_id == player)
            .order_by(SAVED_PLAYERS.c.saved_at_ms.desc(), SAVED_PLAYERS.c.save_id.desc())
        )
        beyond = list(connection.execute(of_player).scalars())[SAVES_PER_PLAYER:]
        if beyond:
            _take_off(connection, player, beyond)
            _remove_unlisted(connection, beyond)


def _take_off(connection: Connection, player_id: str, save_ids: Sequence[str]) -> None:
    connection.execute(delete(SAVED_PLAYERS).where(SAVED_PLAYERS.c.player_id == player_id, SAVED_PLAYERS.c.save_id.in_(save_ids)))


def _remove_unlisted(connection: Connection, save_ids: Sequence[str]) -> None:
    is_listed = exists().where(SAVED_PLAYERS.c.save_id == SAVED_GAMES.c.save_id)
    connection.execute(delete(SAVED_GAMES).where(SAVED_GAMES.c.save_id.in_(save_ids), ~is_listed))
