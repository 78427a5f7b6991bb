"""The gateway's work in separate processes (services/runtime/pool): reading large requests, writing large answers as JSON.

A request is counted before it is parsed, and checked against all bounds of the contract; the result is its canonical form, which
need not be checked again.
"""

import contextlib
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from google.protobuf import descriptor_pool, json_format
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message

from brettwerk.v1 import play_pb2
from gateway.messages import json_faults
from gateway.messages.compression import gzipped
from gateway.messages.contract import METHODS, Method, WatchMethod
from services.runtime import limits, wire
from services.runtime.record_check import FORMAT, newer_record
from services.runtime.refusal import Refused, malformed

TARGET = "gateway.messages.offload:work"
"""The function below, as a pool names it."""
PARSE, PARSE_JSON, SPELL, SPELL_GZIPPED = b"p", b"j", b"s", b"z"
"""The kind of work: read an encoded request, read one in JSON, or write an encoded response as JSON, compressed or not."""
PARSE_CONNECT, GZIP = b"c", b"g"
"""Read a ConnectRequest in JSON, or compress what follows."""

_MAX_BYTES = {
    name: method.max_bytes
    for method in METHODS.values()
    for name in (method.field, play_pb2.Call.DESCRIPTOR.fields_by_name[method.field].json_name)
}
"""The most bytes that a request in JSON may have, by the names of its field in Call."""


def request(kind: bytes, method: Method, data: bytes) -> bytes:
    """Return the bytes of a request to the pool."""
    return kind + method.name.encode() + b"\0" + data


def work(data: bytes, _go_on: Callable[[], bool]) -> bytes:
    """Return the encoded Call of a request, an encoded ConnectRequest, the JSON text of a response, or what is compressed.

    Raises Refused (MALFORMED).
    """
    if data[:1] == PARSE_CONNECT:
        return _large_connect_request(data[1:]).SerializeToString()
    if data[:1] == GZIP:
        return gzipped(data[1:])
    kind, (name, _, body) = data[:1], data[1:].partition(b"\0")
    del data
    method = METHODS[name.decode()]
    if kind in (SPELL, SPELL_GZIPPED):
        response = play_pb2.Answer()
        inner = getattr(response, method.field)
        inner.MergeFromString(body)
        return gzipped(spelled(inner)) if kind == SPELL_GZIPPED else spelled(inner)
    call = parsed_json(method, body) if kind == PARSE_JSON else parsed(method, body)
    limits.check_request(getattr(call, method.field))
    return call.SerializeToString(deterministic=True)


def parsed(method: Method, data: bytes) -> play_pb2.Call:
    """Return the call of an encoded request, which is counted before it is parsed. Raises Refused (MALFORMED)."""
    descriptor: Descriptor = method.request.DESCRIPTOR  # type: ignore[assignment] # typeshed has two classes there
    wire.check(data, descriptor)
    call = play_pb2.Call()
    inner = getattr(call, method.field)
    inner.SetInParent()
    try:
        inner.MergeFromString(data)
    except DecodeError as error:
        raise wire.unparsed(error, descriptor.name) from None
    return call


def parsed_json(method: Method, body: bytes) -> play_pb2.Call:
    """Return the call of a request in JSON. Raises Refused (MALFORMED)."""
    call = play_pb2.Call()
    inner = getattr(call, method.field)
    inner.SetInParent()
    fill_from_json(inner, body)
    return call


def connect_request(frame: bytes) -> play_pb2.ConnectRequest:
    """Return a ConnectRequest in JSON. Raises Refused (MALFORMED)."""
    request = play_pb2.ConnectRequest()
    fill_from_json(request, frame)
    return request


def _large_connect_request(frame: bytes) -> play_pb2.ConnectRequest:
    """Return the same, if it holds a call that may be so large. Raises Refused (MALFORMED)."""
    with contextlib.suppress(ValueError, RecursionError, AttributeError):
        given = json.loads(frame).get("call", {})
        most = max((_MAX_BYTES.get(name, 0) for name in given), default=0)
        if len(frame) > most:
            raise malformed("", f"the request has {len(frame)} bytes, which is more than what is asked for may have")
    return connect_request(frame)


def fill_from_json(message: Message, body: bytes) -> None:
    """Read a message in JSON. Raises Refused (MALFORMED) with the path of the field that cannot be read."""
    try:
        if not body.lstrip().startswith(b"{"):
            raise json_format.ParseError("it is not an object")
        json_format.Parse(body, message)
    except (json_format.ParseError, UnicodeDecodeError, RecursionError):
        raise _unreadable(message, body) from None


def _unreadable(message: Message, body: bytes) -> Refused:
    """Return the refusal of a body that is not such a message in JSON, with the path of what cannot be read."""
    try:
        value = json.loads(body, object_pairs_hook=_object)
        record = value.get("record") if isinstance(value, dict) else None
        if isinstance(record, dict) and isinstance(found := record.get("format"), int) and found > FORMAT:
            return newer_record("format", str(found), str(FORMAT), "record.format")
        fault = json_faults.found(message, value)
    except (ValueError, RecursionError) as error:
        return malformed("", f"the body is not a {message.DESCRIPTOR.name} in JSON: {error}")
    return malformed(fault.field, f"{fault.field or 'the body'} {fault.problem}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"an object has {next(key for key in keys if keys.count(key) > 1)[:100]} twice")
    return found


def spelled(response: Message) -> bytes:
    """Return a response in JSON on one line, with its fields of value 0."""
    fields = spelled_fields(response, prints_zeros=True)
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


@lru_cache(maxsize=32)
def spelled_watch(method: WatchMethod, message: bytes) -> bytes:
    """Return an encoded message of a watch in JSON, without the end of a line; shared by all who watch the same."""
    return spelled(method.response.FromString(message)).rstrip(b"\n")


def spelled_fields(message: Message, *, prints_zeros: bool = False) -> dict[str, Any]:
    """Return the fields of a message for JSON. An `Any` of a type that is not known here is empty: its game is left out."""
    try:
        fields: dict[str, Any] = json_format.MessageToDict(message, always_print_fields_with_no_presence=prints_zeros)
    except TypeError:  # that is how it says that it cannot find a type
        known = type(message)()
        known.CopyFrom(message)
        _empty_unknown(known)
        fields = json_format.MessageToDict(known, always_print_fields_with_no_presence=prints_zeros)
    return fields


def _empty_unknown(message: Message) -> None:
    if isinstance(message, AnyMessage):
        try:
            descriptor_pool.Default().FindMessageTypeByName(message.TypeName())
        except KeyError:
            message.Clear()
        return
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            inner = value.values() if field.message_type.fields_by_name["value"].message_type is not None else ()
        else:
            inner = value if field.is_repeated else (value,)
        for one in inner:
            _empty_unknown(one)
