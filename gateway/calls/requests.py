"""Reads requests: small ones where they come in, large ones outside the event loop, where they do not block others."""

from dataclasses import dataclass, field
from typing import NamedTuple

from google.protobuf.message import DecodeError, Message

from brettwerk.v1 import play_pb2
from brettwerk_games.protobuf_wire.fields import block
from gateway.identity.caller import Caller
from gateway.messages import offload
from gateway.messages.compression import WORTH_BYTES, gzipped
from gateway.messages.contract import SMALL_BYTES, Method
from services.runtime import wire
from services.runtime.pool.pool import Pool, Processes
from services.runtime.refusal import Refused, malformed

JSON_BYTES = 8 * 1024
"""JSON up to this size is read in the event loop."""
SPELLED_BYTES = 8 * JSON_BYTES
"""Responses up to this size are written as JSON in the event loop."""
CPU_S = 10.0
"""The CPU time that a request may take to be read. Twenty thousand entries in JSON take two seconds."""
WAITING, WAITING_EACH = 32, 4
"""How many large requests may wait to be read: in all, and of one player, or of an address without one."""


@dataclass(slots=True)
class Incoming:
    """A request that has been read. Nobody changes it; to make a frozen one takes several times as long."""

    method: Method
    request: Message | None = field(repr=False)
    """The request; None for a large one."""
    call: bytes = field(repr=False)
    """The encoded Call that it is: as it arrived, or in canonical form if it is large."""
    is_checked: bool = False
    """Whether its bounds were checked while reading."""

    @property
    def may_repeat(self) -> bool:
        """Whether it can safely be sent again: it is a read, or has a request id."""
        return not self.method.has_request_id or bool(getattr(self.request, "request_id", ""))


class Spelled(NamedTuple):
    """A response in JSON."""

    body: bytes
    is_gzipped: bool


class Reader:
    """Reads requests and writes large answers. Raises Refused: MALFORMED, FULL, and DEADLINE if it takes too long."""

    def __init__(self, processes: int) -> None:
        """Take the number of processes that read large requests."""
        terms = Processes(processes)
        self._pool = Pool("gateway", offload.TARGET, processes=terms, waiting=WAITING, waiting_each=WAITING_EACH, cpu_s=CPU_S)

    async def read(self, method: Method, data: bytes, caller: Caller) -> Incoming:
        """Return an encoded request."""
        if len(data) <= SMALL_BYTES:
            return Incoming(method, _request(method, data), block(method.tag, data))
        return await self._read(offload.PARSE, method, data, caller)

    async def read_call(self, method: Method, packed_call: bytes, caller: Caller) -> Incoming:
        """Return the request of an encoded Call whose first field is this method's.

        Raises Refused: MALFORMED for what is none, FULL while too many wait to be read.
        """
        if len(packed_call) <= SMALL_BYTES:
            return Incoming(method, _request_of(method, packed_call), packed_call)
        requests = list(wire.split(packed_call).values())
        if len(requests) != 1:
            raise malformed("", "a call holds one request")
        # The first tag is a message's, and no other field follows: these are bytes.
        return await self._read(offload.PARSE, method, bytes(requests[0]), caller)

    async def read_json(self, method: Method, body: bytes, caller: Caller) -> Incoming:
        """Return a request in JSON."""
        if len(body) <= JSON_BYTES:
            call = offload.parsed_json(method, body)
            return Incoming(method, getattr(call, method.field), call.SerializeToString())
        return await self._read(offload.PARSE_JSON, method, body, caller)

    async def read_connect(self, frame: bytes, caller: Caller) -> bytes:
        """Return a large ConnectRequest in JSON, encoded."""
        return await self._pool.run(offload.PARSE_CONNECT + frame, _key(caller))

    async def spell(self, method: Method, response: Message, caller: Caller, *, may_gzip: bool) -> Spelled:
        """Return a response in JSON, compressed if that is allowed and worthwhile."""
        if response.ByteSize() <= SPELLED_BYTES:
            body = offload.spelled(response)
            is_gzipped = may_gzip and len(body) >= WORTH_BYTES
            return Spelled(gzipped(body) if is_gzipped else body, is_gzipped)
        kind = offload.SPELL_GZIPPED if may_gzip else offload.SPELL
        asked = offload.request(kind, method, response.SerializeToString())
        return Spelled(await self._pool.run(asked, _key(caller)), may_gzip)

    async def squeeze(self, body: bytes, caller: Caller) -> bytes | None:
        """Return a body compressed; None if it is too short for that, or there is too much to do."""
        if len(body) < WORTH_BYTES:
            return None
        if len(body) <= SPELLED_BYTES:
            return gzipped(body)
        try:
            return await self._pool.run(offload.GZIP + body, _key(caller))
        except Refused:
            return None

    async def close(self) -> None:
        """End the processes."""
        await self._pool.close()

    async def _read(self, kind: bytes, method: Method, data: bytes, caller: Caller) -> Incoming:
        packed = await self._pool.run(offload.request(kind, method, data), _key(caller))
        request = _request_of(method, packed) if len(packed) <= SMALL_BYTES else None
        return Incoming(method, request, packed, is_checked=True)


def _request(method: Method, data: bytes) -> Message:
    """Return a small encoded request. Raises Refused (MALFORMED)."""
    try:
        return method.request.FromString(data)
    except DecodeError as error:
        raise wire.unparsed(error, method.request.DESCRIPTOR.name) from None


def _request_of(method: Method, packed_call: bytes) -> Message:
    """Return the request in a small encoded Call whose first field is this method's. Raises Refused (MALFORMED)."""
    try:
        call = play_pb2.Call.FromString(packed_call)
    except DecodeError as error:
        raise wire.unparsed(error, "Call") from None
    if call.WhichOneof("request") != method.field:
        raise malformed("", "a call holds one request")
    request: Message = getattr(call, method.field)
    return request


def _key(caller: Caller) -> str:
    return caller.player.id if caller.player else caller.address
