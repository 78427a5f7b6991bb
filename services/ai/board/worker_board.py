"""A worker's side of the board."""

from collections.abc import Sequence

import redis

from services.ai.board.order import Finished, Taken


class WorkerBoard:
    """What one process of a worker asks of the board. Every method raises redis.RedisError while Redis cannot be reached."""

    def __init__(self, client: "redis.Redis", worker: str) -> None:
        """Use a client that returns bytes; `worker` is the mark of the worker, the same in all its processes."""
        self._client = client
        self._worker = worker

    def take(self, pid: int, finished: Sequence[Finished], most: int) -> Taken:
        """Tell what is finished, and take what is wanted most now: at most `most` orders, none where there is no place."""
        raise NotImplementedError

    def beat(self, slots: int, pids: Sequence[int], *, closing: bool) -> tuple[int, ...]:
        """Say that the worker lives, with its slots and the processes of its pool: what lost ones had is wanted again.

        Returns those whose orders have been in hand for too long; they are to be killed. A worker that is closing gets no orders.
        """
        raise NotImplementedError

    def goodbye(self) -> None:
        """Say that the worker ends: all that it has in hand is wanted again."""
        raise NotImplementedError
