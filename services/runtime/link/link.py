"""One link: the connection to one server, and the stream on it that carries calls."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from google.protobuf.message import DecodeError

from brettwerk.internal.v1 import link_pb2
from grpc_http2 import Connection, Stream, frames
from grpc_http2.status import Headers, status_in
from grpc_http2.stream import StreamOwner
from services.runtime.call_scope import refusal_in
from services.runtime.inner_calls import HEADER, Tokens, on_the_wire
from services.runtime.link import bounds
from services.runtime.link.addresses import Place
from services.runtime.link.calls import OpenCalls, Pending
from services.runtime.logs import logger
from services.runtime.refusal import Refused, is_newer, moved_shard, unavailable

log = logger(__name__)

_PATH = "/brettwerk.internal.v1.LinkService/Open"
OPEN = on_the_wire(_PATH)
OPEN_BY_ALL_NAMES = (_PATH, OPEN)


class Router(Protocol):
    """The part that decides where calls go."""

    def came(self, link: "Link") -> None:
        """Take a server that can be reached now."""

    def went(self, link: "Link") -> None:
        """Forget a server that takes no more calls."""

    def owning(self) -> set[Place]:
        """Return where the servers are that own a shard."""

    def note_claims(self, link: "Link", claims: Mapping[int, int]) -> None:
        """Take what a server owns: shards, and their epochs."""

    def move(self, call: Pending, link: "Link", shard: int, refused: Refused) -> None:
        """Take a call that a server has refused because it does not own this shard."""

    def pass_on(self, call: Pending, place: Place, refused: Refused) -> None:
        """Take a call that a server has refused because its release is older."""


@dataclass(slots=True)
class Terms:
    """The common parts of all links of a channel."""

    service: str
    calls: OpenCalls
    router: Router
    authority: str
    is_secure: bool
    tokens: Tokens | None
    grpc_service: str = ""
    """The service that the channel leads to (brettwerk.internal.v1.RulesService); known when its stub is made."""

    def headers(self, path: str, *more: tuple[bytes, bytes]) -> Headers:
        """Return the headers with which a stream is opened."""
        headers = [
            (b":method", b"POST"),
            (b":scheme", b"https" if self.is_secure else b"http"),
            (b":path", path.encode()),
            (b":authority", self.authority.encode()),
            (b"te", b"trailers"),
            (b"content-type", b"application/grpc"),
            *more,
        ]
        if self.tokens is not None:
            headers.append((HEADER.encode(), self.tokens.now(self.grpc_service).encode()))
        return headers


class Link:
    """The calling end. It takes calls from the moment its server speaks HTTP/2 until either side leaves."""

    def __init__(self, terms: Terms, place: Place) -> None:
        loop = asyncio.get_running_loop()
        self.place = place
        self.open = 0
        """Calls without answers yet."""
        self.long_calls = 0
        """Long streams beside them."""
        self.turn = 0
        """When it was last taken for a call that any server can answer; a count, and no time."""
        self.is_usable = False
        self.has_answered = False
        self.was_calmed = False
        """Whether its server wants to be asked less often for a sign of life."""
        self.is_ready: asyncio.Future[None] = loop.create_future()
        self.is_over: asyncio.Future[None] = loop.create_future()
        """Done once it takes no more calls."""
        self.connection: Connection | None = None
        self._terms = terms
        self._calls = terms.calls
        self._stream: Stream | None = None
        self._send_queue: list[Pending] = []
        self._given_up: list[int] = []
        self._is_due = False
        self._is_left = False
        self._linger: asyncio.TimerHandle | None = None

    # The requests to it.

    def send(self, call: Pending) -> None:
        """Send a call at the end of this tick, together with all others."""
        call.link = self
        self.open += 1
        self._send_queue.append(call)
        self._schedule_flush()

    def give_up(self, call: Pending) -> None:
        """Tell the server that nobody is waiting for an answer any more."""
        if call.is_sent and self._stream is not None and len(self._given_up) < bounds.OPEN_CALLS:
            self._given_up.append(call.number)
            self._schedule_flush()
        self._close_if_done()

    def open_stream(self, path: str, owner: StreamOwner, *more: tuple[bytes, bytes]) -> Stream:
        """Open and return a long stream. Raises ConnectionError."""
        if self.connection is None:
            raise ConnectionError("the link is gone")
        return self.connection.open(self._terms.headers(path, *more), owner)

    def leave(self) -> None:
        """Take no more calls, and close once the open ones are answered."""
        self._is_left = True
        if not self.is_over.done():
            self._is_no_more_usable()
            if self.connection is not None:
                self._linger = asyncio.get_running_loop().call_later(bounds.LINGER_S, self.close)
                self._close_if_done()

    def close(self) -> None:
        """End now; open calls are refused."""
        self._is_left = True
        self._is_no_more_usable()
        if self.connection is not None:
            self.connection.close()

    def long_call_ended(self) -> None:
        """Note that a long stream is over."""
        self.long_calls -= 1
        self._close_if_done()

    # The events of its connection.

    def made(self, connection: Connection) -> None:
        """Nothing to do: it is ready when its server has said something."""

    def ready(self, connection: Connection) -> None:
        """Take calls from now on."""
        self.connection = connection
        self._stream = connection.open(self._terms.headers(OPEN), self)
        self.is_usable = True
        if not self.is_ready.done():
            self.is_ready.set_result(None)

    def requested(self, connection: Connection, number: int, headers: Headers) -> None:
        """Nobody requests anything from a client: h2 lets no such request through."""

    def leaving(self, connection: Connection, code: int) -> None:
        """Go on with what is open."""
        self.was_calmed = code == frames.ENHANCE_YOUR_CALM
        self.leave()

    def lost(self, connection: Connection, why: str) -> None:
        """Refuse what is open."""
        if self._linger is not None:
            self._linger.cancel()
        # While nobody is there, every attempt fails: only the loss of a working one is news.
        is_news = self.has_answered and not self._is_left
        (log.warning if is_news else log.debug)("link broke", peer=self._terms.service, error=why)
        self.connection = None
        self._refuse_all(unavailable(self._terms.service))
        if not self.is_ready.done():
            self.is_ready.set_exception(ConnectionError(why))

    # The events of its stream.

    def message(self, data: bytes) -> None:
        """Take a batch of answers."""
        if not data:
            self.leave()
            return
        try:
            response = link_pb2.OpenResponse.FromString(data)
        except DecodeError:
            self.close()
            return
        if response.HasField("shards") and not self._take_shards(response.shards):
            return
        self.has_answered = True
        take = self._calls.take
        for answer in response.answers[:]:  # a walk over the field itself ends in an exception
            call = take(answer.id)
            if call is None or call.done():
                continue
            if call.spent is not None:
                call.spent.seconds += answer.cpu_us / 1e6
            if answer.HasField("refusal"):
                refused = Refused.of(answer.refusal)
                refused.spent_s = answer.cpu_us / 1e6
                shard = moved_shard(answer.refusal)
                if shard is not None:
                    self._terms.router.move(call, self, shard, refused)
                elif is_newer(answer.refusal):
                    self._terms.router.pass_on(call, self.place, refused)
                else:
                    call.set_exception(refused)
                continue
            try:
                response = call.read(answer.response)
            except DecodeError:
                call.set_exception(unavailable(self._terms.service))
            else:
                call.set_result(response)
        if not self.is_usable:
            self._close_if_done()

    def _take_shards(self, shards: link_pb2.Shards) -> bool:
        """Report what the server owns. One that exceeds the contract's bounds is dropped."""
        claims = {one.shard: one.epoch for one in shards.owned[: bounds.MAX_SHARDS]}
        if len(claims) < len(shards.owned) or max(claims, default=0) >= bounds.MAX_SHARDS:
            log.warning("link told of shards that there cannot be", peer=self._terms.service, shards=len(shards.owned))
            self.close()
            return False
        self._terms.router.note_claims(self, claims)
        return True

    def flush_pending(self) -> None:
        """Send what is waiting, as far as the server accepts it."""
        self._is_due = False
        stream, send_queue = self._stream, self._send_queue
        if stream is None or not (send_queue or self._given_up):
            return
        now = asyncio.get_running_loop().time()
        at = 0
        while (at < len(send_queue) or self._given_up) and not stream.is_full:
            batch = link_pb2.OpenRequest(given_up=self._given_up)
            self._given_up.clear()
            add, size = batch.calls.add, 0
            while at < len(send_queue) and size < bounds.BATCH_BYTES and len(batch.calls) < bounds.BATCH:
                call = send_queue[at]
                if not call.done():
                    if size and size + len(call.request) > bounds.BATCH_BYTES:
                        break
                    left = call.until - now
                    add(
                        id=call.number,
                        method=call.method,
                        timeout_ms=max(1, int(left * 1000)) if left < 4e6 else 0,
                        traceparent=call.traceparent,
                        request=call.request,
                    )
                    size += len(call.request)
                    self._calls.sent(call)
                at += 1
            stream.send(batch.SerializeToString())
        del send_queue[:at]

    def ended(self, headers: Headers | None) -> None:
        """The server has ended the stream."""
        refused = refusal_in(headers, self._terms.service)
        if refused is not None:
            log.warning("link refused", peer=self._terms.service, reason=status_in(headers).message)
        self._refuse_all(refused or unavailable(self._terms.service))
        self.close()

    def broken(self, why: str) -> None:
        """The stream is gone."""
        log.debug("link's stream broke", peer=self._terms.service, reason=why)
        self._refuse_all(unavailable(self._terms.service))
        self.close()

    def _is_no_more_usable(self) -> None:
        self.is_usable = False
        if not self.is_over.done():
            self.is_over.set_result(None)
            self._terms.router.went(self)

    def _schedule_flush(self) -> None:
        if not self._is_due and self._stream is not None:
            self._is_due = True
            self._stream.schedule_flush()

    def _close_if_done(self) -> None:
        if self.is_over.done() and not self.open and not self.long_calls:
            self.close()

    def _refuse_all(self, refused: Refused) -> None:
        self._is_no_more_usable()
        self._stream = None
        self._send_queue.clear()
        for call in self._calls.of(self):
            self._calls.refuse(call, refused)
