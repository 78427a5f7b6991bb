"""A turn of one process of a worker: it takes orders from the board, carries them out, and takes more, while there are any.

Every order is finished in the end, and told to the board with the next take.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Sequence

import redis

from services.ai.board import by_level
from services.ai.board.order import Finished, Order, Taken
from services.ai.board.worker_board import MAX_ORDERS, WorkerBoard
from services.ai.celery_worker.app import TURN_S
from services.ai.session_client import SessionClient
from services.ai.thought.reviews import Reviewer
from services.ai.thought.thinker import Thinker
from services.ai.thought.wanted_moves import Mover, Moves
from services.runtime import metrics, trace
from services.runtime.logs import logger

log = logger(__name__)

BROKER_S = 30.0
"""How long a process waits for a broker that is away, to tell it what is done."""
_PAUSE_S = 0.1


class Turns:
    """The turns of one process."""

    def __init__(
        self,
        board: WorkerBoard,
        client: SessionClient,
        thinker: Thinker,
        broker: "redis.Redis",
        is_closing: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_closing` tells whether the worker is to end soon."""
        self._board = board
        self._client = client
        self._thinker = thinker
        self._reviewer = Reviewer(broker)
        self._is_closing = is_closing
        self._finished: list[Finished] = []

    def take(self) -> bool:
        """Take a turn. Return whether it ended though something waits that another process could have: it needs a ticket.

        Raises redis.RedisError when the broker stays away; what is finished is told in the next turn.
        """
        until = time.monotonic() + TURN_S
        while True:
            is_over = time.monotonic() >= until
            taken = self._take(0 if is_over else MAX_ORDERS)
            if not taken.orders:
                return taken.pass_on or (is_over and taken.waiting > 0)
            by_level.count_taken(taken.orders)
            for order in taken.orders:
                metrics.AI_WAIT.labels(order.waits.label).observe(order.waited_ms / 1000)
                metrics.AI_THINK_SHARE.labels(order.waits.label).observe(order.think_ms / max(1, order.named_ms))
            self._finished += self._carry_out(taken.orders)

    def _take(self, limit: int) -> Taken:
        until = time.monotonic() + BROKER_S
        while True:
            try:
                taken = self._board.take(os.getpid(), self._finished, limit)
            except (redis.RedisError, OSError):
                if time.monotonic() > until or self._is_closing():
                    raise
                time.sleep(_PAUSE_S)
                continue
            self._finished = []
            return taken

    def _carry_out(self, orders: Sequence[Order]) -> list[Finished]:
        """Return how orders ended: every one of them, whatever happens."""
        moves = Moves(self._client, self._thinker, self._is_closing)
        finished: list[Finished] = []
        try:
            self._work(orders, moves, finished)
        except Exception as error:
            log.error("turn failed", exc_info=error)
        finished += moves.finished
        ended = {one.key for one in finished}
        finished += [Finished(order.key, order.version, "failed", 0, False) for order in orders if order.key not in ended]
        by_level.count_finished(orders, finished)
        metrics.AI_ATTEMPTS.labels("returned").inc(sum(one.outcome == "failed" for one in finished))
        return finished

    def _work(self, orders: Sequence[Order], moves: Moves, finished: list[Finished]) -> None:
        movers = {mover.order.key: mover for mover in moves.find(order for order in orders if order.kind == "move")}
        work: deque[Mover | Order] = deque()
        for order in orders:
            if order.kind != "move":
                work.append(order)
            elif order.key in movers:
                work.append(movers[order.key])
        while True:
            one = work.popleft() if work else None
            if one is None or moves.is_held(one if isinstance(one, Mover) else None):
                work.extend(moves.hand_over())
            if isinstance(one, Mover):
                moves.think(one)
            elif one is not None:
                finished.append(self._reviewed(one))
            elif not work:
                return

    def _reviewed(self, order: Order) -> Finished:
        span = trace.begin_span(order.kind, order.traceparent)
        try:
            if order.kind == "review":
                return self._reviewer.review(order)
            log.error("order of a kind that is not known", kind=order.kind)
        except Exception as error:
            log.error("order cannot be carried out", kind=order.kind, attempt=order.attempt, exc_info=error)
        finally:
            span.end()
        metrics.AI_ATTEMPTS.labels("odd").inc()
        return Finished(order.key, order.version, "odd", 0, False)
