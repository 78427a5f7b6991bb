"""The open calls of a channel: what they wait for, and how they end if nobody answers."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brettwerk.v1 import errors_pb2
from services.runtime import cpu_cost, trace
from services.runtime.eager_call import PromptFuture
from services.runtime.link import bounds
from services.runtime.link.addresses import Place
from services.runtime.refusal import Refused, malformed, unavailable

if TYPE_CHECKING:
    from services.runtime.link.link import Link


@dataclass(frozen=True, slots=True)
class Moved:
    """A server has said that it does not own the shard of a call."""

    link: "Link"
    epoch: int
    """The epoch with which it claimed the shard when it was asked; -1: it did not claim it."""
    count: int
    """How often that has happened to the call."""


class Pending(PromptFuture[Any]):
    """The future response of a call. Its exceptions are Refused; cancelling it abandons the call."""

    __slots__ = (
        "asked",
        "calls",
        "epoch",
        "is_ownerless",
        "is_sent",
        "link",
        "looks_left",
        "method",
        "moved",
        "number",
        "read",
        "request",
        "shard",
        "spent",
        "traceparent",
        "until",
    )

    def __init__(
        self,
        calls: "OpenCalls",
        loop: asyncio.AbstractEventLoop,
        method: str,
        request: bytes,
        read: Callable[[bytes], Any],
        shard: int | None,
    ) -> None:
        super().__init__(loop=loop)
        self.calls = calls
        self.number = 0
        self.method = method
        self.request = request
        self.read = read
        self.until = 0.0
        self.looks_left = round(calls.time_left_s(loop.time()) / bounds.SWEEP_S)
        """How often it may be found without a server before it is refused. Not a time: after a busy loop there may be servers."""
        self.link: Link | None = None
        """Where it was sent, or is about to be sent; None while no server can be reached."""
        self.is_sent = False
        self.asked: set[Place] | None = None
        """Servers whose release is too old for the call's subject."""
        self.shard = shard
        """The shard that it is about; None if unknown, or if there is none."""
        self.epoch = -1
        """The epoch with which the server that it was sent to owns that."""
        self.moved: Moved | None = None
        """The last server that said it does not own that."""
        self.is_ownerless = False
        """Whether it has waited for an owner."""
        self.spent = cpu_cost.measured()
        self.traceparent = trace.traceparent()

    def cancel(self, msg: Any | None = None) -> bool:
        """Abandon the call, and inform its server. Returns whether it was open."""
        is_cancelled = super().cancel(msg)
        if is_cancelled:
            self.calls.give_up(self)
        return is_cancelled


class OpenCalls:
    """All open calls of one channel, by the numbers that it assigns."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.unsent = 0
        """Bytes of requests that have not been sent yet."""
        self.alone_since: float | None = None
        """When the last server went, or the first was looked for (loop.time)."""
        self._numbers = itertools.count(1)
        self._open: dict[int, Pending] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def time_left_s(self, now: float) -> float:
        """Return how long a call may wait for a server: only for one more attempt if there has been none for a while."""
        gone_s = 0.0 if self.alone_since is None else now - self.alone_since
        return max(bounds.ALONE_S, bounds.HOMELESS_S - gone_s)

    def begin(
        self, method: str, request: bytes, read: Callable[[bytes], Any], timeout: float | None, shard: int | None = None
    ) -> Pending:
        """Return a call that waits to be sent, or one that is refused already: FULL, or MALFORMED for too large a request."""
        loop = asyncio.get_running_loop()
        call = Pending(self, loop, method, request, read, shard)
        if len(self._open) >= bounds.OPEN_CALLS or self.unsent > bounds.UNSENT_BYTES:
            call.set_exception(
                Refused(errors_pb2.REASON_FULL, f"too many calls to the {self.service} are open", retry_after_ms=500)
            )
            return call
        if len(request) > bounds.CALL_BYTES:
            call.set_exception(malformed("", f"the call has {len(request)} bytes, at most {bounds.CALL_BYTES} are allowed"))
            return call
        now = loop.time()
        call.number = next(self._numbers)
        call.until = float("inf") if timeout is None else now + timeout
        self._open[call.number] = call
        self.unsent += len(request)
        if self._timer is None:
            self._timer = loop.call_later(bounds.SWEEP_S, self._sweep)
        return call

    def sent(self, call: Pending) -> None:
        """Note that a request is on its way."""
        if not call.is_sent:
            call.is_sent = True
            self.unsent -= len(call.request)

    def take(self, number: int) -> Pending | None:
        """Remove and return an open call; None if it has already ended."""
        call = self._open.pop(number, None)
        if call is not None:
            if not call.is_sent:
                self.unsent -= len(call.request)
            if call.link is not None:
                call.link.open -= 1
        return call

    def again(self, call: Pending) -> None:
        """Let a removed call wait to be sent again."""
        self._open[call.number] = call
        call.link, call.is_sent = None, False
        self.unsent += len(call.request)

    def refuse(self, call: Pending, refused: Refused) -> None:
        """End a call."""
        if self.take(call.number) is not None and not call.done():
            call.set_exception(refused)

    def give_up(self, call: Pending) -> None:
        """End a call whose answer nobody is waiting for."""
        if self.take(call.number) is not None and call.link is not None:
            call.link.give_up(call)

    def abandon(self, call: Pending, refused: Refused) -> None:
        """End a call, and tell its server that nobody is waiting for it any more."""
        self.give_up(call)
        if not call.done():
            call.set_exception(refused)

    def of(self, link: "Link") -> list[Pending]:
        """Return the open calls of a server."""
        return [call for call in self._open.values() if call.link is link]

    def all(self) -> list[Pending]:
        """Return all of them."""
        return list(self._open.values())

    def homeless(self) -> list[Pending]:
        """Return those that wait for a server."""
        return [call for call in self._open.values() if call.link is None]

    def close(self) -> None:
        """Refuse all."""
        for call in list(self._open.values()):
            self.refuse(call, unavailable(self.service))

    def _sweep(self) -> None:
        """End calls whose time is up. Checking all of them costs less than a timer for each."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for call in list(self._open.values()):
            if call.link is None:
                call.looks_left -= 1
                if call.looks_left < 0 or call.until <= now:
                    self.refuse(call, unavailable(self.service))
            elif call.until <= now:
                self.abandon(call, Refused(errors_pb2.REASON_DEADLINE, f"the {self.service} did not answer in time"))
        self._timer = loop.call_later(bounds.SWEEP_S, self._sweep) if self._open else None
