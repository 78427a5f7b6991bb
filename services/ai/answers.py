"""Where a worker's answers go: moves to the session service, reviews to the list that the AI service waits at.

Each process of the pool opens its own after the fork; a gRPC channel or a Redis connection must not be older than that.
"""

import time

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.v1 import session_pb2, session_pb2_grpc
from services.ai.app import KEY_PREFIX, SUBMIT_S
from services.ai.players.interface import OutOfTime
from services.runtime import trace
from services.runtime.channel import open_blocking_channel
from services.runtime.redis_url import open_blocking_redis
from services.runtime.refusal import is_newer, of_rpc_error
from services.runtime.settings import Settings

REPLY_KEEP_S = 30
"""How long a review's answer waits for its reader."""
_REDELIVERIES_KEEP_S = 300
_ELSEWHERE_S = 0.2
"""The pause before other processes of the session service are asked."""


class Answers:
    """The outgoing connections of one process."""

    def __init__(self, config: Settings) -> None:
        """Open them; nothing is sent yet."""
        self._address = config.session_address
        self._channel = open_blocking_channel(self._address, "worker")
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
        metadata = ((trace.HEADER, trace.traceparent()),)
        while True:
            timeout = max(0.1, until - time.monotonic())
            stub = session_pb2_grpc.SessionServiceStub(self._channel)
            try:
                return stub.SubmitAction(request, timeout=timeout, wait_for_ready=True, metadata=metadata)
            except grpc.RpcError as error:
                if not is_newer(of_rpc_error(error, "session service").refusal) or time.monotonic() + _ELSEWHERE_S > until:
                    raise
            # Only a newer release can take it, and its processes may be so new that this channel has not heard of them.
            self._channel.close()
            self._channel = open_blocking_channel(self._address, "worker")
            time.sleep(_ELSEWHERE_S)

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
