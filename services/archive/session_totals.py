"""Statistics over archived sessions: each is counted once, some time after it was kept, and what is shown are sums.

So reading them takes a few dozen rows, however many sessions there are. Sessions that have not been counted yet have their own
index. Several processes may count at once: the one that marks a session as counted adds its counts, in the same transaction. What
several sessions count together is added up before it is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, bindparam, select, update

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


@dataclass(frozen=True, slots=True)
class Counted:
    """A session with what it counts, by scope."""

    session_id: str
    game: str
    seats: int
    scopes: Mapping[str, Tallies]


# Statements that are made once: games come many times a second.
_MARK = (
    update(SESSIONS).where(SESSIONS.c.session_id == bindparam("counted_id"), SESSIONS.c.counted.is_(None)).values(counted=True)
)


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
                found += [
                    Uncounted(row.session_id, row.game, row.public, row.session, row.record, {})
                    for row in connection.execute(query)
                ]
                if len(found) >= limit:
                    break
            if not found:
                return []
            sit: dict[str, dict[str, Sequence[int]]] = {one.session_id: {} for one in found}
            seats = select(PLAYERS.c.session_id, PLAYERS.c.player_id, PLAYERS.c.seats).where(PLAYERS.c.session_id.in_(sit))
            for session_id, player, held in connection.execute(seats):
                sit[session_id][player] = tuple(held)
            return [replace(one, players=sit[one.session_id]) for one in found]

        return await self._archive.run(read)

    async def count(self, counted: Sequence[Counted]) -> int:
        """Add what sessions count, and mark them as counted. Returns for how many that was done now; for each it is done once."""

        def write(connection: Connection) -> int:
            # Always in the same order, so that two processes never deadlock; and so are the rows below.
            mine = [
                one
                for one in sorted(counted, key=lambda one: one.session_id)
                if connection.execute(_MARK, {"counted_id": one.session_id}).rowcount == 1
            ]
            sums: dict[tuple[str, str, int], Tallies] = {}
            for one in mine:
                for scope, tallies in one.scopes.items():
                    sums.setdefault((scope, one.game, one.seats), Tallies()).add(tallies)
            rows = [
                {"scope": scope, "game": game, "seats": seats, "kind": key.kind, "item": key.key, "games": games, "wins": wins}
                for (scope, game, seats), tallies in sorted(sums.items(), key=lambda item: item[0])
                for key, games, wins in tallies.rows()
            ]
            if rows:
                added = insert_into(connection, TALLIES)
                added = added.on_conflict_do_update(
                    index_elements=[column.name for column in TALLIES.primary_key],
                    set_={"games": TALLIES.c.games + added.excluded.games, "wins": TALLIES.c.wins + added.excluded.wins},
                )
                connection.execute(added, rows)
            return len(mine)

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
