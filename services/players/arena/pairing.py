"""The work that the arena does by itself: one process of the service pairs, and whoever notices that it is gone goes on.

A pairing and its order for a session are one transaction: a process that dies leaves nothing, or an order that any other carries
out (opponents/session_orders.py). Results come in as those of all other games do.
"""

import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.internal.v1 import players_pb2, session_pb2
from brettwerk.v1 import news_pb2, record_pb2
from brettwerk_games.rules.facts import seats_of
from services.archive.access import Access
from services.players.arena import arena_rows
from services.players.arena.line_ups import LEVEL, Contestant, LineUp, next_line_up
from services.players.game_data import every_game, folder
from services.players.opponents import blocks, session_orders
from services.players.opponents.arrangement import Sitter, asked
from services.players.ratings.anchors import anchors
from services.players.results.rating_kind import ARENA_MANY, ARENA_TWO, arena_kind_of
from services.runtime.wall_clock import wall_ms

TITLE = "Arena"
LEASE_MS = 10_000
"""After how long another process pairs in place of one that is gone."""
JOIN_TIMEOUT_MS = 60_000
"""How long a game waits for its bots."""
FIRST_REST_MS, LONGEST_REST_MS = 60_000, 6 * 3_600_000
"""How long a bot is not paired that did not come: twice as long each time in a row."""
LEVEL_AT_ONCE = 4
"""How many games a computer level plays at the same time."""
CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=180_000, increment_ms=2_000)
CLOCK_MANY = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000, increment_ms=5_000)


class Pairing:
    """Pairs. Raises Refused (UNAVAILABLE) without the database."""

    def __init__(self, store: Access, max_games: int, now_ms: Callable[[], int] = wall_ms) -> None:
        """`max_games`: how many games there may be at the same time; 0: the arena is closed."""
        self._store = store
        self._max_games = max_games
        self._now_ms = now_ms
        self._holder = secrets.token_hex(16)

    async def step(self) -> None:
        """Take results, and pair as many as there is room for, if it is this process that does."""
        if self._max_games:
            await self._store.run(self._step)

    async def forget_old(self) -> None:
        """Remove what is over long enough."""
        now_ms = self._now_ms()
        await self._store.run(lambda connection: arena_rows.forget_old(connection, now_ms))

    def announce(self, connection: Connection, arrangement_id: str, session_id: str) -> list[players_pb2.NotedNews]:
        """Return the news of a session that was made for bots (Announce in opponents/session_orders.py)."""
        row = arena_rows.find(connection, arrangement_id)
        if row is None:
            return []
        if not session_id:
            arena_rows.end(connection, arrangement_id, self._now_ms(), unplayed=True)
            return []
        arena_rows.note_session(connection, arrangement_id, session_id)
        now_ms = self._now_ms()
        news = news_pb2.News(
            kind=news_pb2.News.KIND_PAIRED,
            session_id=session_id,
            game=row.game,
            title=TITLE,
            at_ms=now_ms,
            until_ms=now_ms + JOIN_TIMEOUT_MS,
        )
        noted = []
        for seat, one in enumerate(row.line_up.split()):
            if not one.startswith(LEVEL):
                news.seat = seat
                noted.append(players_pb2.NotedNews(player_id=one, news=news))
        return noted

    def conclude(self, connection: Connection, arrangement_id: str, became: session_pb2.CloseWaitingResponse | None) -> bool:
        """Take what became of a session whose bots had time enough to come; None for a session that is lost.

        Returns whether nothing more can become of it (Conclude in opponents/session_orders.py).
        """
        row = arena_rows.find(connection, arrangement_id)
        if row is None or row.ended_at_ms:
            return True
        if became is not None and became.began:
            self._note_who_came(connection, row, None)
            return False  # it ends as a finished game, or is lost by the next look
        arena_rows.end(connection, arrangement_id, self._now_ms(), unplayed=True)
        if became is not None:
            self._note_who_came(connection, row, set(became.came))
        return True

    def _note_who_came(self, connection: Connection, row: Row[Any], came: set[int] | None) -> None:
        """Let those rest who did not come; None: all did."""
        line_up = row.line_up.split()
        before = {one.player_id: one for one in arena_rows.entries_of(connection, line_up) if one.game == row.game}
        for seat, one in enumerate(line_up):
            if one not in before:
                continue
            misses = 0 if came is None or seat in came else before[one].misses + 1
            rest_ms = min(LONGEST_REST_MS, FIRST_REST_MS << min(misses - 1, 20)) if misses else 0
            arena_rows.note_missed(connection, one, row.game, misses, self._now_ms() + rest_ms if misses else 0)

    def _step(self, connection: Connection) -> None:
        now_ms = self._now_ms()
        if not arena_rows.hold(connection, self._holder, now_ms, now_ms + LEASE_MS):
            return
        arena_rows.end_finished(connection)
        entries: dict[str, list[Row[Any]]] = {}
        for entry in arena_rows.entered(connection):
            if entry.game in every_game():
                entries.setdefault(entry.game, []).append(entry)
        if not entries:
            return
        live = arena_rows.live(connection)
        busy = Counter((row.game, one) for row in live for one in row.line_up.split())
        running = Counter(row.game for row in live)
        played = {game: arena_rows.played(connection, game) for game in entries}
        blocked = blocks.among(connection, {entry.player_id for rows in entries.values() for entry in rows})
        for _ in range(self._max_games - len(live)):
            for game in sorted(entries, key=lambda game: (running[game], game)):
                able = _contestants(game, entries[game], busy, now_ms)
                line_up = next_line_up(able, seat_counts(game), played[game], blocked)
                if line_up is not None:
                    break
            else:
                return
            self._pair(connection, game, line_up, now_ms)
            played[game][line_up] += 1
            running[game] += 1
            busy.update((game, one) for one in line_up)

    def _pair(self, connection: Connection, game: str, line_up: LineUp, now_ms: int) -> None:
        arrangement_id = secrets.token_hex(16)
        sitters: list[Sitter] = [
            record_pb2.Computer(level=one.removeprefix(LEVEL)) if one.startswith(LEVEL) else one for one in line_up
        ]
        clock = CLOCK if len(line_up) == 2 else CLOCK_MANY
        request = asked(
            arrangement_id, game, sitters, options=None, clock=clock, competitive=True, title=TITLE, public=True, arena=True
        )
        session_orders.order(connection, session_orders.ARENA, request, now_ms, join_timeout_ms=JOIN_TIMEOUT_MS)
        arena_rows.add(connection, arrangement_id, game, arena_kind_of(len(line_up)), line_up, now_ms)


@cache
def seat_counts(game: str) -> Sequence[int]:
    """Return how many seats a game can have."""
    facts = json.loads((folder(game) / "facts.json").read_text(encoding="utf-8"))
    most = len(seats_of(facts))
    return range(facts.get("min_seats", most), most + 1)


def levels(game: str) -> Mapping[str, bool]:
    """Return the computer levels that play: those whose strength is known, so that games against them tell something."""
    return {level: True for kind, level in anchors(game) if kind in (ARENA_TWO, ARENA_MANY)}


def _contestants(game: str, entries: Sequence[Row[Any]], busy: Counter[tuple[str, str]], now_ms: int) -> list[Contestant]:
    able = [
        Contestant(entry.player_id, entry.at_once - busy[game, entry.player_id])
        for entry in entries
        if entry.rests_until_ms <= now_ms
    ]
    return [*able, *(Contestant(LEVEL + level, LEVEL_AT_ONCE - busy[game, LEVEL + level]) for level in levels(game))]
