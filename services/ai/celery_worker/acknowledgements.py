"""Acknowledging tickets while the broker is away: what could not be acknowledged holds no place in the worker.

kombu (5.7) forgets a ticket that it has in hand only after Redis has taken the acknowledgement. While Redis is away it logs that
this failed and goes on, but counts the ticket as in hand for ever: a worker has a place less then, and none in the end, though it
is connected again and looks well. Redis hands the ticket out again later (`VISIBILITY_S`); one too many does no harm.
"""

from typing import Any

from kombu.transport import redis, virtual


class Places(redis.QoS):
    """The tickets that a worker has in hand."""

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a ticket and give its place free, whether Redis has heard of it or not. Raises what redis-py raises."""
        try:
            super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        """Give a ticket back, or throw it away, and give its place free. Raises what redis-py raises."""
        try:
            super().reject(delivery_tag, requeue=requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


def install() -> None:
    """Let all channels to Redis that are opened from now on in this process count so."""
    redis.Channel.QoS = Places
