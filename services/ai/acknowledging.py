"""Acknowledging requests while the broker is away: what could not be acknowledged holds no place in the worker.

kombu (5.7) forgets a request that it has in hand only after Redis has taken the acknowledgement. While Redis is away it logs that
this failed and goes on, but counts the request as in hand for ever: a worker with one process has no place left then, and takes
nothing more, though it is connected again and looks well. Redis hands the request out again later (`VISIBILITY_S`), and it is
thrown away as too old.
"""

from typing import Any

from kombu.transport import redis, virtual


class Places(redis.QoS):
    """The requests that a worker has in hand."""

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a request and give its place free, whether Redis has heard of it or not. Raises what redis-py raises."""
        try:
            super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        """Give a request back, or throw it away, and give its place free. Raises what redis-py raises."""
        try:
            super().reject(delivery_tag, requeue=requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


def install() -> None:
    """Let all channels to Redis that are opened from now on in this process count so."""
    redis.Channel.QoS = Places
