"""The peers with connections at a server, and the bounds on each of them: bounds by connection, by address, and for all.

A frame that brings or lets us send a message is free, all others take from an allowance of the connection and of its address:
floods of HTTP/2 (RFC 9113, 10.5) consist of what is cheap to send and dear to read. Resets have an allowance of their own, since
each has made us begin a call. A peer that exceeds an allowance hears GOAWAY with ENHANCE_YOUR_CALM. A proxy has none of these: to
end its connection would end the calls of all who come through it. Bytes that wait in memory for the other side, or for the rest
of a message that it began, are counted too.
"""

import math
import time
from collections.abc import Callable, Iterator

from grpc_http2 import frames
from grpc_http2.bounds import Bounds
from grpc_http2.frames import Fault

UNIX = "unix"
"""Where callers over a Unix socket are. Only processes of our own user can be."""
_OF_ADDRESS = 2
"""How many times what a connection may, all of an address may together."""
_OF_PROXY = 8
"""How many times what may wait for one client, may wait for a connection over which many come."""
_SLICE = 64
"""So many frames are taken from the allowances in one go."""
_FREE = 20
"""The frames that a connection needs until it has shown a token are free, whatever others of its address have used."""


class Allowance:
    """A token bucket. It is full in the beginning."""

    __slots__ = ("_at", "_clock", "_left", "_most", "_per_s")

    def __init__(self, most: float, per_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`most` may be taken at once, and `per_s` in each second of the clock from then on."""
        self._most = most
        self._per_s = per_s
        self._left = most
        self._clock = clock
        self._at = clock()

    def take(self, amount: float) -> bool:
        """Take an amount and return True; if there is less, take nothing and return False."""
        if self._left < amount:
            now = self._clock()
            self._left = min(self._most, self._left + (now - self._at) * self._per_s)
            self._at = now
            if self._left < amount:
                return False
        self._left -= amount
        return True

    @property
    def is_full(self) -> bool:
        """Whether nothing was taken lately."""
        return self._left + (self._clock() - self._at) * self._per_s >= self._most


class Visitors:
    """The connections of a server."""

    def __init__(
        self,
        most: int,
        per_address: int | None = None,
        arrivals_per_s: float = math.inf,
        *,
        bounds: Bounds | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take how many connections there may be, in all and of an address, and how many of an address may come in a second.

        `bounds` are those of each connection; `clock` returns seconds.
        """
        self.bounds = bounds or Bounds()
        self.clock = clock
        self.held = 0
        """Bytes that wait for, or come from, all of them."""
        self.counted: Callable[[str], str] = lambda peer: "" if peer == UNIX else peer
        """Returns the address to count for one; empty if it has no bounds of its own: many come from it, as through a proxy."""
        self._most = most
        self._per_address = most if per_address is None else per_address
        self._arrivals_per_s = arrivals_per_s
        self._by_address: dict[str, _Address] = {}
        self._count = 0

    def enter(self, peer: str) -> "Visit | None":
        """Return the account of a new connection from an address; None if there must not be one more.

        When there are as many as there may be, an idle one makes room: of the same address, or of the one that has the most.
        """
        counted = self.counted(peer)
        address = self._by_address.get(counted)
        if address is None:
            arrivals = Allowance(max(2 * self._per_address, self._arrivals_per_s), self._arrivals_per_s, self.clock)
            address = _Address(self, arrivals, is_bounded=bool(counted))
        if address.is_bounded:
            if not address.arrivals.take(1):
                return None
            if len(address.visits) >= self._per_address and not self._make_room(address):
                return None
        if self._count >= self._most:
            largest = max(self._by_address.values(), key=lambda one: len(one.visits))
            if len(largest.visits) <= len(address.visits) or not self._make_room(largest):
                return None
        self._by_address[counted] = address
        visit = Visit(self, address)
        address.visits[visit] = None
        self._count += 1
        return visit

    def leave(self, visit: "Visit") -> None:
        """Forget a connection. An address is remembered for as long as it has used more than it is given."""
        if visit in visit.address.visits:
            del visit.address.visits[visit]
            self._count -= 1
        if len(self._by_address) > 2 * self._count + _SLICE:
            self._by_address = {peer: one for peer, one in self._by_address.items() if one.visits or not one.is_rested}

    def _make_room(self, address: "_Address") -> bool:
        idle = next((visit for visit in address.visits if visit.is_idle()), None)
        if idle is None:
            return False
        idle.cut_off("others need the room")
        self.leave(idle)
        return True

    def __len__(self) -> int:
        """Return how many there are."""
        return self._count

    def __iter__(self) -> "Iterator[Visit]":
        """Yield all of them."""
        for address in self._by_address.values():
            yield from address.visits


class _Address:
    """The common account of the connections of one address."""

    __slots__ = ("arrivals", "calls", "frames", "held", "is_bounded", "resets", "visits")

    def __init__(self, visitors: Visitors, arrivals: Allowance, *, is_bounded: bool) -> None:
        self.arrivals = arrivals
        self.is_bounded = is_bounded
        self.calls = 0
        """Open calls, as its server counts them."""
        self.visits: dict[Visit, None] = {}
        self.held = 0
        self.frames = _frames(visitors, _OF_ADDRESS)
        self.resets = _resets(visitors, _OF_ADDRESS)

    @property
    def is_rested(self) -> bool:
        return self.arrivals.is_full and self.frames.is_full and self.resets.is_full


class Visit:
    """The account of one connection."""

    __slots__ = (
        "_bounds",
        "_frames",
        "_is_counted",
        "_paid",
        "_resets",
        "_visitors",
        "address",
        "cut_off",
        "held",
        "is_idle",
        "is_trusted",
    )

    def __init__(self, visitors: Visitors, address: _Address) -> None:
        self.address = address
        self.held = 0
        self.is_idle: Callable[[], bool] = _always
        """Whether nothing would be lost with the connection."""
        self.cut_off: Callable[[str], None] = _ended
        """Ends the connection, for a reason."""
        self._visitors = visitors
        self._bounds = visitors.bounds
        self._paid = _FREE
        self._frames = _frames(visitors, 1)
        self._resets = _resets(visitors, 1)
        self._is_counted = address.is_bounded
        self.is_trusted = False
        """Whether the other side is one of our own services."""

    def pay(self, amount: int = 1) -> None:
        """Count frames that bring nothing. Raises Fault if these are too many."""
        self._paid -= amount
        if self._paid < 0 and self._is_counted:
            needed = _SLICE - self._paid
            if not (self._frames.take(needed) and self.address.frames.take(needed)):
                raise Fault(frames.ENHANCE_YOUR_CALM, "too many frames that bring nothing")
            self._paid = _SLICE

    def earn(self, amount: int) -> None:
        """Count what was answered or sent: it was asked for, and may be followed by a few frames."""
        self._paid = min(self._paid + amount, self._bounds.frames)

    def pay_for_reset(self) -> None:
        """Count a stream that was reset. Raises Fault if these are too many."""
        if self._is_counted and not (self._resets.take(1) and self.address.resets.take(1)):
            raise Fault(frames.ENHANCE_YOUR_CALM, "too many resets")

    def trust(self) -> None:
        """Count frames and resets no more: the other side is one of our own services."""
        self.is_trusted, self._is_counted = True, False

    def hold(self, size: int) -> bool:
        """Count bytes that wait in memory, or with a negative size no more. Returns whether that is within the bounds."""
        self.held += size
        self.address.held += size
        self._visitors.held += size
        if size <= 0 or self.is_trusted:
            return True
        bounds = self._bounds
        if self._visitors.held > bounds.held_bytes_in_all and self.held > bounds.small_held_bytes:
            return False
        if not self.address.is_bounded:
            return self.held <= _OF_PROXY * bounds.held_bytes
        return self.held <= bounds.held_bytes and self.address.held <= _OF_ADDRESS * bounds.held_bytes

    def leave(self) -> None:
        """End the account, and let go of the connection."""
        self.hold(-self.held)
        self.is_idle, self.cut_off = _always, _ended
        self._visitors.leave(self)


def _frames(visitors: Visitors, times: int) -> Allowance:
    return Allowance(times * visitors.bounds.frames, times * visitors.bounds.frames_per_s, visitors.clock)


def _resets(visitors: Visitors, times: int) -> Allowance:
    per_s = times * visitors.bounds.resets_per_s
    return Allowance(per_s, per_s, visitors.clock)


def _always() -> bool:
    return True


def _ended(_why: str) -> None:
    """Do nothing: there is no connection."""
