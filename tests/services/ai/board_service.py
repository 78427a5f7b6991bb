"""The board as the AI service uses it, in threads of the test: wants are put there, it is swept, tickets are published."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import redis.asyncio
from celery import Celery

from services.ai.board.board import Board
from services.ai.board.order import Urgency
from services.ai.board.want import Wanted
from services.ai.celery_worker.app import THINK
from services.runtime.redis_url import QUEUE_PREFIX
from tests.services.ai.session_peer import Table

_T = TypeVar("_T")
WAITING, THINKING, UNPLAYABLE = 2, 3, 4


class BoardService:
    """Sweeps a board, from when it is made until it is closed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._app = Celery(broker=url, set_as_current=False)
        self._app.conf.broker_transport_options = {"global_keyprefix": QUEUE_PREFIX}
        self._ends = threading.Event()
        self._sweeper = threading.Thread(target=self._sweep)
        self.outcomes: dict[str, int] = {}
        self._sweeper.start()

    def close(self) -> None:
        self._ends.set()
        self._sweeper.join()
        self._app.close()

    def put(self, *wants: Wanted) -> None:
        """Put something on the board."""
        self._publish(self._ask(lambda board: board.offer(wants)).tickets)

    def want(self, *tables: Table) -> None:
        """Let the moves of tables be wanted."""
        self.put(*map(wanted, tables))

    def status(self, table: Table) -> int:
        """Return how a table's move stands."""
        found, _ = self._ask(lambda board: board.statuses([wanted(table).key]))
        state: int = found[0].state
        return state

    def is_empty(self) -> bool:
        """Return whether nothing is wanted."""
        return bool(self._ask(lambda board: board.statuses([]))[1].noted == 0)

    def slots(self) -> int:
        """Return how many thoughts the workers can have that take something."""
        slots: int = self._ask(lambda board: board.statuses([]))[1].slots
        return slots

    def leave_ticket(self, **nonsense: Any) -> None:
        self._app.send_task(THINK, queue=THINK, kwargs=nonsense)

    def _publish(self, tickets: int) -> None:
        for _ in range(tickets):
            self.leave_ticket()

    def _sweep(self) -> None:
        while not self._ends.wait(0.1):
            try:
                with redis.Redis.from_url(self._url) as client:
                    queued = int(client.llen(f"{QUEUE_PREFIX}{THINK}"))
                swept = self._ask(lambda board, queued=queued: board.sweep(queued, "first"))  # type: ignore[misc]
                self.outcomes.update({name: self.outcomes.get(name, 0) + count for name, count in swept.outcomes.items()})
                self._publish(swept.tickets)
            except (redis.RedisError, OSError):
                continue

    def _ask(self, question: Callable[[Board], Awaitable[_T]]) -> _T:
        async def ask() -> _T:
            async with redis.asyncio.Redis.from_url(self._url) as client:
                return await question(Board(client, 1000))

        return asyncio.run(ask())


def wanted(table: Table) -> Wanted:
    """Return what the AI service notes for a table."""
    want = table.want()
    level = next(level for level in table.game.facts.levels if level.id == want.computer.level)
    return Wanted(
        key=f"{want.session_id}:{want.seat}",
        version=want.version,
        kind="move",
        waits=Urgency.PERSON,
        named_ms=level.think_ms,
        least_ms=level.think_ms,
        since_ms=want.since_ms,
        level=f"{want.game} {level.id}",
        payload=want.SerializeToString(),
        mark=want.session_id,
    )
