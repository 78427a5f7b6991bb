"""Statistics over archived sessions: each is counted once, some time after it was kept, and what is shown are sums.

So reading them takes a few dozen rows, however many sessions there are. Sessions that have not been counted yet have their own
index. Several processes may count at once: the one that marks a session as counted adds its counts, in the same transaction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, select, update

from brettwerk_games.statistics.tally import Key, Tallies
from services.archive.archive import Archive, unpacked
from services.archive.changes import Changes
from services.archive.tables import PLAYERS, SESSIONS, TALLIES
from services.archive.upsert import insert_into

MAX_ROWS = 5000
"""Maximum rows of one answer: more than the kinds of any game have."""


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A session that statistics do not have yet: as everybody may see it, its Record, and the seats of its players."""

    session_id: str
    game: str
    public: bool
    session: bytes = field(repr=False)
    packed_record: bytes = field(repr=False)
    players: Mapping[str, Sequence[int]]

    @property
    def record(self) -> bytes:
        """The Record message. Raises Refused (RECORD_DAMAGED)."""
        return unpacked(self.packed_record)


class Counting:
    """The statistics of an archive. Every method raises Refused (UNAVAILABLE) while the database cannot be reached."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def changes(self) -> Changes:
        """Return what tells one caller whether anything may have been written."""
        return self._archive.changes()

    async def uncounted(self, shards: Sequence[str], limit: int) -> list[Uncounted]:
        """Return sessions that have not been counted yet, of shards given by the beginnings of their sessions' ids (07)."""

        def read(connection: Connection) -> list[Uncounted]:
            found: list[Uncounted] = []
            for first, last in _ranges(shards):
                query = (
                    select(SESSIONS)
                    .where(SESSIONS.c.counted.is_(None), SESSIONS.c.session_id >= first, SESSIONS.c.session_id < f"{last}~")
                    .order_by(SESSIONS.c.session_id)
                    .limit(limit - len(found))
                )
                for row in connection.execute(query).all():
                    seats = select(PLAYERS.c.player_id, PLAYERS.c.seats).where(PLAYERS.c.session_id == row.session_id)
                    players = {player: tuple(held) for player, held in connection.execute(seats)}
                    found.append(Uncounted(row.session_id, row.game, row.public, row.session, row.record, players))
                if len(found) >= limit:
                    break
            return found

        return await self._archive.run(read)

    async def count(self, session_id: str, game: str, seats: int, counted: Mapping[str, Tallies]) -> bool:
        """Add what a session counts, by scope, and mark it as counted. Returns whether that was done now; it is done once."""

        def write(connection: Connection) -> bool:
            mine = update(SESSIONS).where(SESSIONS.c.session_id == session_id, SESSIONS.c.counted.is_(None)).values(counted=True)
            if connection.execute(mine).rowcount != 1:
                return False
            rows = [
                {"scope": scope, "game": game, "seats": seats, "kind": key.kind, "item": key.key, "games": games, "wins": wins}
                for scope, tallies in sorted(counted.items())  # always in the same order, so that two processes never deadlock
                for key, games, wins in tallies.rows()
            ]
            if rows:
                added = insert_into(connection, TALLIES)
                added = added.on_conflict_do_update(
                    index_elements=[column.name for column in TALLIES.primary_key],
                    set_={"games": TALLIES.c.games + added.excluded.games, "wins": TALLIES.c.wins + added.excluded.wins},
                )
                for row in rows:
                    connection.execute(added.values(row))
            return True

        return await self._archive.run(write)

    async def tallies(self, game: str, scope: str = "") -> Mapping[int, Tallies]:
        """Return the counts of a game, by the number of seats: everybody's public games, or those of a player."""
        query = (
            select(TALLIES.c.seats, TALLIES.c.kind, TALLIES.c.item, TALLIES.c.games, TALLIES.c.wins)
            .where(TALLIES.c.scope == scope, TALLIES.c.game == game)
            .limit(MAX_ROWS)
        )

        def read(connection: Connection) -> dict[int, Tallies]:
            found: dict[int, Tallies] = {}
            for seats, kind, item, games, wins in connection.execute(query):
                found.setdefault(seats, Tallies()).add(Tallies.of([(Key(kind, item), games, wins)]))
            return found

        return await self._archive.run(read)


def _ranges(shards: Sequence[str]) -> list[tuple[str, str]]:
    """Return shards as ranges, first and last: one query for consecutive ones."""
    ranges: list[tuple[str, str]] = []
    for shard in sorted(shards):
        if ranges and int(shard, 16) == int(ranges[-1][1], 16) + 1:
            ranges[-1] = (ranges[-1][0], shard)
        else:
            ranges.append((shard, shard))
    return ranges
