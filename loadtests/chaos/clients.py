"""Calls as docs/protocol.md wants them from a client: a deadline each, and the same request again where that can help."""

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import grpc
from google.rpc import status_pb2

from brettwerk.v1 import errors_pb2, play_pb2, play_pb2_grpc
from loadtests.chaos.figures import Figures

DEADLINE_S = 5.0
LONG_DEADLINE_S = 30.0
"""For calls that carry a record or check one."""
FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 2.0
PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED, grpc.StatusCode.RESOURCE_EXHAUSTED)  # fmt: skip # noqa: E501

OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 500),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    # A gateway that is cut off says nothing of it.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 4_000),
    ("grpc.use_local_subchannel_pool", 1),
)

_WATCH = f"/{play_pb2.DESCRIPTOR.services_by_name['PlayService'].full_name}/Watch"

Metadata: TypeAlias = tuple[tuple[str, str], ...]
Q = TypeVar("Q")
R = TypeVar("R")


class Refused(Exception):
    """The system refused a call for a reason that does not pass by waiting."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason


class NoAnswer(Exception):
    """A call was repeated for as long as its caller waits, and never answered."""


class Clients:
    """Channels to gateways, and the counting of what their answers are."""

    def __init__(self, addresses: Sequence[str], figures: Figures, channels: int = 4) -> None:
        """`channels` is how many there are to each of the addresses."""
        self.figures = figures
        self._channels = [
            grpc.aio.insecure_channel(address, options=(*OPTIONS, ("brettwerk.channel", number)))
            for number in range(channels)
            for address in addresses
        ]
        self._next = 0

    def stub(self) -> "play_pb2_grpc.PlayServiceAsyncStub":
        """Return a stub; callers are spread over the channels."""
        return play_pb2_grpc.PlayServiceStub(self._channel())

    def watch(self, request: play_pb2.WatchRequest, metadata: Metadata) -> "grpc.aio.UnaryStreamCall[Any, bytes]":
        """Begin a watch, whose messages come as the bytes that were sent."""
        watch: Callable[..., Any] = self._channel().unary_stream(_WATCH, play_pb2.WatchRequest.SerializeToString)
        return watch(request, metadata=metadata)  # type: ignore[no-any-return]

    def _channel(self) -> grpc.aio.Channel:
        self._next += 1
        return self._channels[self._next % len(self._channels)]

    async def close(self) -> None:
        """End all channels."""
        await asyncio.gather(*(channel.close() for channel in self._channels))

    async def ask(
        self, method: Callable[..., Awaitable[R]], request: Q, metadata: Metadata = (), *, within_s: float, long: bool = False
    ) -> R:
        """Return the answer to a request, repeated as it is while that can help, for `within_s` seconds.

        Raises Refused, and NoAnswer when the time is over.
        """
        began = time.monotonic()
        until, attempts = began + within_s, 0
        while True:
            try:
                answer = await method(request, metadata=metadata, timeout=LONG_DEADLINE_S if long else DEADLINE_S)
                if not long:
                    self.figures.longest_call_s = max(self.figures.longest_call_s, time.monotonic() - began)
                return answer
            except grpc.aio.AioRpcError as error:
                refusal = refusal_of(error)
                if is_internal(error, refusal):
                    self.figures.add("internal", f"{type(request).__name__}: {error.details()} (trace {refusal.trace_id})")
                elif error.code() not in PASSING and not is_broken(error, refusal):
                    raise Refused(errors_pb2.Reason.Name(refusal.reason), str(error.details())) from None
                last = f"{error.code().name}: {error.details()}"
                self.figures.failures[f"{type(request).__name__}: {last}"] += 1
                pause_s = max(refusal.retry_after_ms / 1000, pause(attempts))
            attempts += 1
            if time.monotonic() + pause_s > until:
                raise NoAnswer(f"{type(request).__name__} after {attempts} attempts in {within_s:.0f} s: {last}")
            await asyncio.sleep(pause_s)

    async def enter(self, name: str, within_s: float) -> tuple[str, Metadata]:
        """Return the id of a new player and the metadata of their calls. Raises NoAnswer, Refused."""
        request = play_pb2.CreatePlayerRequest(name=name, request_id=new_id())
        created = await self.ask(self.stub().CreatePlayer, request, within_s=within_s)
        return created.player_id, (("authorization", f"Bearer {created.player_token}"),)


def pause(attempts: int) -> float:
    """Return how long to wait before the next try, in seconds; half of it is chance."""
    return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0**attempts) * random.uniform(0.5, 1)


def refusal_of(error: Any) -> errors_pb2.Refusal:
    """Return the refusal that came with an error; an empty one when it is gRPC's own."""
    found = errors_pb2.Refusal()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                if detail.Unpack(found):
                    return found
    return found


def is_internal(error: Any, refusal: errors_pb2.Refusal) -> bool:
    """Return whether the system says that it is at fault."""
    return refusal.reason == errors_pb2.REASON_INTERNAL or (
        error.code() == grpc.StatusCode.UNKNOWN and "Unexpected <class" in str(error.details())
    )


def is_broken(error: Any, refusal: errors_pb2.Refusal) -> bool:
    """Return whether it is gRPC's own word for a connection that broke off."""
    return refusal.reason == errors_pb2.REASON_UNSPECIFIED and error.code() in (
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
    )


def new_id() -> str:
    """Return a request id."""
    return secrets.token_hex(8)
