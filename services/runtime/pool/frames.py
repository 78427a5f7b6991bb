"""The frames in the pipes between a service and a process of its pool: a head of fixed size, then bytes."""

import asyncio
import struct
from dataclasses import dataclass
from typing import BinaryIO

from brettwerk.v1 import errors_pb2

_REQUEST = struct.Struct(">II")
_RESPONSE = struct.Struct(">BBQI")


@dataclass(frozen=True, slots=True)
class Response:
    """The answer of a process: a result or a refusal, the CPU seconds it took, and whether the process ends now."""

    result: bytes
    refusal: errors_pb2.Refusal | None
    cpu_s: float
    leaves: bool


def request_frame(traceparent: str, data: bytes) -> tuple[bytes, bytes]:
    """Return the two pieces of a request's frame: the data is not copied."""
    text = traceparent.encode()
    return _REQUEST.pack(len(text), len(data)) + text, data


def read_request(source: BinaryIO) -> tuple[str, bytes] | None:
    """Return the next request's trace and data; None when there are no more."""
    head = source.read(_REQUEST.size)
    if len(head) < _REQUEST.size:
        return None
    text, size = _REQUEST.unpack(head)
    traceparent = source.read(text).decode()
    data = source.read(size)
    return (traceparent, data) if len(data) == size else None


def write_response(target: BinaryIO, response: Response) -> None:
    """Write a response."""
    payload = response.result if response.refusal is None else response.refusal.SerializeToString()
    is_refused = response.refusal is not None
    target.write(_RESPONSE.pack(is_refused, response.leaves, int(response.cpu_s * 1e6), len(payload)))
    target.write(payload)
    target.flush()


async def read_response(source: asyncio.StreamReader) -> Response:
    """Return the next response. Raises asyncio.IncompleteReadError when the process has ended."""
    is_refused, leaves, cpu_us, size = _RESPONSE.unpack(await source.readexactly(_RESPONSE.size))
    payload = await source.readexactly(size)
    refusal = errors_pb2.Refusal.FromString(payload) if is_refused else None
    return Response(b"" if is_refused else payload, refusal, cpu_us / 1e6, leaves=bool(leaves))
