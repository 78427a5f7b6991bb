"""`AiService`: it checks requests, queues them for the workers, and says no when too many wait."""

import asyncio
import contextlib
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import grpc
import redis
from google.protobuf.any_pb2 import Any as AnyMessage
from kombu.exceptions import OperationalError

from brettwerk.v1 import ai_pb2, ai_pb2_grpc, errors_pb2
from services.ai.app import MOVE, QUEUES, REVIEW, app, hard_limit_s, queue_key, soft_limit_s
from services.ai.assignment import assign
from services.ai.envelope import Envelope, now_ms
from services.ai.waiting import asked_ms
from services.runtime import metrics, redis_gauges
from services.runtime.ending import ended
from services.runtime.logs import logger
from services.runtime.redis_url import open_redis
from services.runtime.refusal import Refused, unavailable
from services.runtime.settings import Settings

log = logger(__name__)

REVIEWS_OPEN = 200
"""Reviews that a process waits for at once; each holds a connection to the broker."""
_RETRY_MS = 1000
_GAUGE_S = 2.0
"""How often the queues are measured."""
_PUBLISH_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
"""One more try, for a connection that the broker closed meanwhile; a broker that is away is the caller's to wait for."""
_REPLY_KEY = "bw:reply:"


class AiService(ai_pb2_grpc.AiServiceServicer):
    """The service, and its process (services.runtime.server)."""

    name = "ai"
    full_names: Sequence[str] = ("brettwerk.v1.AiService",)

    def __init__(self, config: Settings) -> None:
        """Make it; it connects when it is started."""
        self._config = config
        self._redis = open_redis(config.broker_url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=10)
        # A review's reader blocks for longer than a socket timeout; the wait itself is bounded.
        self._readers = open_redis(config.broker_url, socket_timeout=None, socket_connect_timeout=2, max_connections=REVIEWS_OPEN)
        self._reviews = 0
        self._gauges: list[asyncio.Task[None]] = []

    async def start(self, server: grpc.aio.Server) -> None:
        """Register the servicer and begin to measure the queues."""
        ai_pb2_grpc.add_AiServiceServicer_to_server(self, server)
        for work in (self._measure(), redis_gauges.watch(self._redis, "broker")):
            self._gauges.append(asyncio.create_task(work))

    async def is_ready(self) -> bool:
        """Return whether the broker answers."""
        return bool(await self._redis.ping())

    async def drain(self) -> None:
        """Return at once: there are no long streams, and open reviews are calls that end by themselves."""

    async def stop(self) -> None:
        """Close the connections."""
        await ended(*self._gauges)
        await self._redis.aclose()
        await self._readers.aclose()

    async def RequestMove(self, request: ai_pb2.RequestMoveRequest, context: grpc.ServicerContext) -> ai_pb2.RequestMoveResponse:
        """Queue a computer move."""
        assignment = assign(request.game, request.computer, request.view)
        if request.deadline_ms <= now_ms():
            raise Refused(errors_pb2.REASON_DEADLINE, "the deadline of the request is over")
        waiting = await self._room(MOVE)
        await self._enqueue(MOVE, Envelope.seal(request, request.deadline_ms), assignment.think_s)
        return ai_pb2.RequestMoveResponse(waiting=waiting)

    async def Review(self, request: ai_pb2.ReviewRequest, context: Any) -> ai_pb2.ReviewResponse:
        """Queue a review and wait for its answer."""
        assignment = assign(request.game, request.computer, request.view)
        wait_s = assignment.think_s + self._config.ai_grace_s
        if (left := context.time_remaining()) is not None:
            wait_s = min(wait_s, left)
        if wait_s <= 0:
            raise Refused(errors_pb2.REASON_DEADLINE, "the deadline of the request is over")
        if self._reviews >= REVIEWS_OPEN:
            raise Refused(errors_pb2.REASON_FULL, "too many reviews are open", retry_after_ms=_RETRY_MS)
        await self._room(REVIEW)
        reply_to = _REPLY_KEY + secrets.token_hex(16)
        self._reviews += 1
        try:
            await self._enqueue(REVIEW, Envelope.seal(request, now_ms() + int(wait_s * 1000), reply_to), assignment.think_s)
            found = await self._readers.blpop([reply_to], timeout=wait_s)
        except redis.RedisError:
            raise unavailable("queue of the computer players") from None
        finally:
            self._reviews -= 1
        if found is None:
            raise Refused(errors_pb2.REASON_DEADLINE, "no computer player answered in time", retry_after_ms=_RETRY_MS)
        return _opened(found[1])

    async def _room(self, queue: str) -> int:
        """Return how many requests wait. Raises Refused: FULL when there are too many, UNAVAILABLE without a broker."""
        try:
            waiting = int(await self._redis.llen(queue_key(queue)))
        except redis.RedisError:
            raise unavailable("queue of the computer players") from None
        if waiting >= self._config.ai_queue_bound:
            metrics.AI_ATTEMPTS.labels("full").inc()
            message = f"{waiting} requests wait for computer players already"
            raise Refused(errors_pb2.REASON_FULL, message, details={"waiting": str(waiting)}, retry_after_ms=_RETRY_MS)
        return waiting

    async def _enqueue(self, queue: str, envelope: Envelope, think_s: float) -> None:
        """Put a request into a queue. Celery blocks, so a thread does it. Raises Refused (UNAVAILABLE) without a broker."""
        try:
            await asyncio.to_thread(
                app.send_task,
                queue,
                kwargs=envelope.fields(),
                kwargsrepr="{}",  # Celery logs it, and views and tickets are nobody's business
                queue=queue,
                expires=datetime.fromtimestamp(envelope.deadline_ms / 1000, UTC),
                soft_time_limit=soft_limit_s(think_s),
                time_limit=hard_limit_s(think_s),
                retry=True,
                retry_policy=_PUBLISH_POLICY,
                ignore_result=True,
            )
        except (OperationalError, redis.RedisError, OSError) as error:
            log.warning("request could not be queued", queue=queue, error=repr(error))
            raise unavailable("queue of the computer players") from None

    async def _measure(self) -> None:
        while True:
            for queue in QUEUES:
                with contextlib.suppress(redis.RedisError, OSError):
                    metrics.AI_QUEUE_LENGTH.labels(queue).set(await self._redis.llen(queue_key(queue)))
                    oldest = asked_ms(await self._redis.lindex(queue_key(queue), -1))
                    metrics.AI_OLDEST_WAIT.labels(queue).set(0 if oldest is None else max(0, now_ms() - oldest) / 1000)
            await asyncio.sleep(_GAUGE_S)


def _opened(data: bytes | str) -> ai_pb2.ReviewResponse:
    """Return the review in a worker's answer. Raises Refused when it is a refusal."""
    assert isinstance(data, bytes)
    envelope = AnyMessage.FromString(data)
    refusal, response = errors_pb2.Refusal(), ai_pb2.ReviewResponse()
    if envelope.Unpack(refusal):
        raise Refused.of(refusal)
    envelope.Unpack(response)
    return response
