"""Where a worker's answers go: moves to the session service, reviews to the list that the AI service waits at.

Each process of the pool opens its own after the fork; a gRPC channel or a Redis connection must not be older than that.
"""

import time

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import session_pb2, session_pb2_grpc
from services.ai.app import KEY_PREFIX, SUBMIT_S
from services.ai.players.interface import OutOfTime
from services.runtime import trace
from services.runtime.channel import open_blocking_channel
from services.runtime.redis_url import open_blocking_redis
from services.runtime.settings import Settings

REPLY_KEEP_S = 30
"""How long a review's answer waits for its reader."""
_REDELIVERIES_KEEP_S = 300


class Answers:
    """The outgoing connections of one process."""

    def __init__(self, config: Settings) -> None:
        """Open them; nothing is sent yet."""
        self._session = session_pb2_grpc.SessionServiceStub(open_blocking_channel(config.session_address, "worker"))
        self._redis = open_blocking_redis(config.broker_url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=10)

    def submit(self, request: session_pb2.SubmitActionRequest, timeout_s: float) -> session_pb2.SubmitActionResponse:
        """Hand an action to the session service and return what became of it; UNAVAILABLE is tried again.

        Raises grpc.RpcError when that did not work within `timeout_s` seconds (SUBMIT_S at most).
        """
        until = time.monotonic() + min(timeout_s, SUBMIT_S)
        try:
            return self._submit(request, until)
        except OutOfTime:
            # The limit is for thinking. Handing over has its own, and doing it twice changes nothing.
            return self._submit(request, until)

    def _submit(self, request: session_pb2.SubmitActionRequest, until: float) -> session_pb2.SubmitActionResponse:
        timeout = max(0.1, until - time.monotonic())
        metadata = ((trace.HEADER, trace.traceparent()),)
        return self._session.SubmitAction(request, timeout=timeout, wait_for_ready=True, metadata=metadata)

    def reply(self, key: str, answer: Message) -> None:
        """Put a review's answer, or its refusal, into the list `key`. Raises redis.RedisError."""
        envelope = AnyMessage()
        envelope.Pack(answer)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.rpush(key, envelope.SerializeToString())
            pipe.expire(key, REPLY_KEEP_S)
            pipe.execute()

    def redeliveries(self, task_id: str) -> int:
        """Count and return how often a request has come back because the process that had it died. Raises redis.RedisError."""
        key = f"{KEY_PREFIX}redelivered:{task_id}"
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.incr(key)
            pipe.expire(key, _REDELIVERIES_KEEP_S)
            count: int = pipe.execute()[0]
        return count
