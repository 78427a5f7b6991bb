"""How players behaved, in SQL: one row each, which a finished game of theirs changes. In a transaction."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, bindparam, case, delete, func, or_, select, update

from services.archive.upsert import insert_into
from services.players.conduct.departures import Mark, Pace
from services.players.conduct.pauses import Pause, pause_at
from services.players.conduct.reliability import Counted, newest, percent
from services.players.conduct.tables import CONDUCT


class Noted(NamedTuple):
    """A finished game, and what those who began it did (departures.py)."""

    at_ms: int
    pace: Pace
    marks: Mapping[str, Mark]


class Conduct(NamedTuple):
    """A player's last games of each pace, in order of their ends."""

    live: Sequence[Counted] = ()
    slow: Sequence[Counted] = ()

    def of(self, pace: Pace) -> Sequence[Counted]:
        """Return the games of a pace."""
        return self.live if pace is Pace.LIVE else self.slow

    def percent(self, pace: Pace, now_ms: int) -> int | None:
        """Return how reliable the player is (reliability.py)."""
        return percent(self.of(pace), pace, now_ms)

    def pause(self, now_ms: int) -> Pause | None:
        """Return the player's pause, or None."""
        return pause_at(self.live, self.slow, now_ms)


_DIGITS = 10
"""Of a moment in seconds, so that texts of games are in the order of their ends."""
_NOBODY = Conduct()
_CHANGE = update(CONDUCT).where(CONDUCT.c.player_id == bindparam("own")).values(live=bindparam("live"), slow=bindparam("slow"))


def note(connection: Connection, games: Iterable[Noted], gone: Collection[str] = ()) -> None:
    """Add games to the rows of those who began them, but of those who are gone: one row each. A game may be added once only."""
    added: dict[str, dict[Pace, list[str]]] = defaultdict(lambda: {Pace.LIVE: [], Pace.SLOW: []})
    for game in games:
        for player, mark in game.marks.items():
            if player not in gone:
                added[player][game.pace].append(f"{game.at_ms // 1000:0{_DIGITS}}{mark.value}")
    if not added:
        return
    changed = [
        {"own": row.player_id}
        | {pace.value: " ".join(newest([*getattr(row, pace).split(), *some])) for pace, some in added[row.player_id].items()}
        for row in _locked(connection, sorted(added))
    ]
    connection.execute(_CHANGE, changed)


def _locked(connection: Connection, players: Sequence[str]) -> Sequence[Row[Any]]:
    """Return the rows of players, made where they were missing, once nobody else changes them.

    Both are done in one order: so two workers wait for each other, and none for ever.
    """
    own = CONDUCT.c.player_id.in_(players)
    there = set(connection.execute(select(CONDUCT.c.player_id).where(own)).scalars())
    if fresh := [{"player_id": player, "live": "", "slow": ""} for player in players if player not in there]:
        connection.execute(insert_into(connection, CONDUCT).on_conflict_do_nothing(), fresh)
    return connection.execute(select(CONDUCT).where(own).order_by(CONDUCT.c.player_id).with_for_update()).all()


def find(connection: Connection, players: Sequence[str]) -> dict[str, Conduct]:
    """Return how players behaved, by id; of all that were asked for."""
    rows = connection.execute(select(CONDUCT).where(CONDUCT.c.player_id.in_(players))) if players else ()
    found = {row.player_id: Conduct(_read(row.live), _read(row.slow)) for row in rows}
    return {player: found.get(player, _NOBODY) for player in players}


def departed(connection: Connection, limit: int) -> Sequence[str]:
    """Return the players who have departed from games that are kept, those whose last game ended last first."""
    marks = or_(*(CONDUCT.c[pace.value].contains(mark.value) for pace in Pace for mark in (Mark.LEFT, Mark.SILENT)))
    live, slow = (_last(CONDUCT.c[pace.value]) for pace in (Pace.LIVE, Pace.SLOW))
    newest_first = case((live > slow, live), else_=slow).desc(), CONDUCT.c.player_id
    query = select(CONDUCT.c.player_id).where(marks).order_by(*newest_first).limit(limit)
    return connection.execute(query).scalars().all()


def _last(games: ColumnElement[str]) -> ColumnElement[str]:
    """Return when the last of games that are stored ended, as text; empty for none."""
    return func.substr(games, func.length(games) - _DIGITS, _DIGITS)


def forget(connection: Connection, player_id: str) -> None:
    """Remove a player's row."""
    connection.execute(delete(CONDUCT).where(CONDUCT.c.player_id == player_id))


def _read(text: str) -> list[Counted]:
    """Return games that are stored: each is when it ended, in seconds since 1970, and a mark."""
    return [Counted(int(one[:-1]) * 1000, Mark(one[-1])) for one in text.split()]
