"""Gives workers finished games to look for puzzles in: public ones, the newest first, one at a time and so many a day.

The game stands on the broker, and a message in the queue `puzzles` is a ticket that carries nothing. A worker who gets one while
anything else is to be done lets it be (services/ai/puzzles/tasks.py), so tickets are left again as long as the game stands there.
What is lost costs a puzzle that nobody waits for.
"""

import asyncio
from collections.abc import Callable

import redis
from kombu.exceptions import OperationalError
from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from services.archive.access import Access
from services.archive.outbox import Outbox
from services.players.game_data import every_game
from services.players.intake.app import PUZZLES as QUEUE
from services.players.intake.app import app
from services.players.puzzles.tables import PUZZLE_GAMES, PUZZLES
from services.players.results.summary import FINISHED
from services.players.results.tables import GAMES
from services.runtime import bell
from services.runtime.logs import logger
from services.runtime.wall_clock import wall_ms

ORDER_KEY = "bw:{puzzles}:order"
"""Where a game stands: its session's id, a line feed, its packed record."""
WORKERS = "statistics"
"""The bell of those who look for puzzles, who may be at rest."""
EVERY_S = 30.0
STOCK = 30
"""Own puzzles of a game that wait for their day; with so many nothing is asked."""
MAX_BYTES = 256 * 1024
"""Of a packed record; larger ones are left."""
DAY_MS = 86_400_000
_LOST_MS = 3_600_000
"""When a game counts as lost that no worker has looked through."""
_NEWEST_DAYS = 30
"""Games that ended earlier are left, and what was asked earlier is forgotten."""
_MIN_PLIES = 10
_PAUSE_S = 60.0
_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
log = logger(__name__)


class PuzzleSupply:
    """Asks for puzzles."""

    def __init__(
        self,
        store: Access,
        outbox: Outbox,
        games_a_day: int,
        broker: "redis.Redis",
        leave_ticket: Callable[[], None] | None = None,
        now_ms: Callable[[], int] = wall_ms,
        bells: str = "",
    ) -> None:
        """`games_a_day`: of each game. `leave_ticket` puts a ticket into the queue; it may block.

        `bells`: the folder of those that wake workers.
        """
        self._bells = bells
        self._store = store
        self._outbox = outbox
        self._games_a_day = games_a_day
        self._broker = broker
        self._leave_ticket = leave_ticket or _leave_ticket
        self._now_ms = now_ms

    async def run(self) -> None:
        """Ask again and again, until cancelled."""
        while True:
            try:
                await asyncio.to_thread(self.ask)
            except (SQLAlchemyError, OperationalError, redis.RedisError, OSError) as error:
                log.warning("puzzles could not be asked for", error=type(error).__name__)
                await asyncio.sleep(_PAUSE_S)
            await asyncio.sleep(EVERY_S)

    def ask(self) -> str:
        """Give workers a game if there is one to give; return its id, or nothing. Raises what database and broker raise."""
        if self._broker.exists(ORDER_KEY):
            self._call_worker()
            return ""
        session_id = self._store.run_here(self._next) if self._games_a_day else ""
        found = self._outbox.read([session_id]) if session_id else []
        if not found:
            return ""
        if not found[0].public or len(found[0].packed_record) > MAX_BYTES:
            self._store.run_here(lambda connection: _leave(connection, session_id))
            return ""
        self._broker.set(ORDER_KEY, session_id.encode() + b"\n" + found[0].packed_record, px=_LOST_MS)
        self._call_worker()
        return session_id

    def _call_worker(self) -> None:
        self._leave_ticket()
        bell.ring(self._bells, WORKERS)

    def _next(self, connection: Connection) -> str:
        """Return the game that is given next, which is noted; nothing while one is being looked through."""
        now_ms = self._now_ms()
        asked = PUZZLE_GAMES.c
        connection.execute(delete(PUZZLE_GAMES).where(asked.asked_at_ms < now_ms - 2 * _NEWEST_DAYS * DAY_MS))
        if connection.execute(
            select(asked.session_id).where(asked.found.is_(None), asked.asked_at_ms > now_ms - _LOST_MS)
        ).first():
            return ""
        today = select(asked.game, func.count()).where(asked.asked_at_ms > now_ms - DAY_MS).group_by(asked.game)
        done = {row[0]: row[1] for row in connection.execute(today)}
        for game in sorted(every_game(), key=lambda game: done.get(game, 0)):
            if done.get(game, 0) >= self._games_a_day or _stock(connection, game) >= STOCK:
                continue
            query = (
                select(GAMES.c.session_id)
                .outerjoin(PUZZLE_GAMES, asked.session_id == GAMES.c.session_id)
                .where(GAMES.c.game == game, GAMES.c.public, GAMES.c.status == FINISHED, asked.session_id.is_(None))
                .where(GAMES.c.plies >= _MIN_PLIES, GAMES.c.finished_at_ms > now_ms - _NEWEST_DAYS * DAY_MS)
                .order_by(GAMES.c.finished_at_ms.desc(), GAMES.c.session_id)
                .limit(1)
            )
            session_id = connection.execute(query).scalar_one_or_none()
            if session_id is not None:
                connection.execute(PUZZLE_GAMES.insert().values(session_id=session_id, game=game, asked_at_ms=now_ms))
                return str(session_id)
        return ""


def _stock(connection: Connection, game: str) -> int:
    own = select(func.count()).where(PUZZLES.c.game == game, PUZZLES.c.last_day == "", PUZZLES.c.made_at_ms > 0)
    return int(connection.execute(own).scalar_one())


def _leave(connection: Connection, session_id: str) -> None:
    connection.execute(update(PUZZLE_GAMES).where(PUZZLE_GAMES.c.session_id == session_id).values(found=0))


def _leave_ticket() -> None:
    app.send_task(QUEUE, queue=QUEUE, expires=EVERY_S, retry=True, retry_policy=_POLICY, ignore_result=True)
