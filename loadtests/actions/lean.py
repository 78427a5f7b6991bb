"""Messages of the contract with only the fields that the driver looks at: the rest is skipped in C and never becomes an object.

They are cut out of the contract's own descriptors, so numbers and types are said once. A message of which nothing inside is
wanted is kept as its bytes.
"""

from collections.abc import Mapping
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from brettwerk.v1 import games_pb2, play_pb2

Wanted = Mapping[str, "Wanted | None"]
"""The fields that are wanted by name, each with what is wanted inside of it; None for a whole value, or a message as bytes."""

_UPDATE: Wanted = {"version": None, "to_act": None, "view": None, "actions": None, "session": {"state": None}}
_RESPONSE: Wanted = {
    "id": None,
    "answer": {"act": {"version": None}},
    "watch": {"update": _UPDATE, "resync": {"cause": None, "update": _UPDATE}},
}
_ACT: Wanted = {"session_id": None, "seat_token": None, "expected_version": None, "action": None, "request_id": None}
_POOL = descriptor_pool.DescriptorPool()


def _cut(source: Descriptor, wanted: Wanted, package: str) -> Any:
    """Return a class of messages with the wanted fields of `source`."""
    file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    _add(file, source, wanted, source.name)
    _POOL.Add(file)
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"{package}.{source.name}"))


def _add(file: descriptor_pb2.FileDescriptorProto, source: Descriptor, wanted: Wanted, name: str) -> None:
    made = file.message_type.add(name=name)
    whole = descriptor_pb2.DescriptorProto()
    source.CopyToProto(whole)
    said = {field.name: field for field in whole.field}
    for field_name, inner in wanted.items():
        field = source.fields_by_name[field_name]
        own = made.field.add()
        own.CopyFrom(said[field_name])
        own.ClearField("oneof_index")
        own.ClearField("options")
        if field.type == FieldDescriptor.TYPE_ENUM:
            own.type = descriptor_pb2.FieldDescriptorProto.TYPE_INT32
            own.ClearField("type_name")
        elif field.message_type is not None and inner is None:
            own.type = descriptor_pb2.FieldDescriptorProto.TYPE_BYTES
            own.ClearField("type_name")
        elif field.message_type is not None and inner is not None:
            below = f"{name}_{field_name}"
            own.type_name = f".{file.package}.{below}"
            _add(file, field.message_type, inner, below)


Response: Any = _cut(play_pb2.ConnectResponse.DESCRIPTOR, _RESPONSE, "lean_response")
"""A ConnectResponse: answers to Act, and updates with their view and their choices as bytes."""
Request: Any = _cut(play_pb2.ConnectRequest.DESCRIPTOR, {"id": None, "call": {"act": _ACT}}, "lean_request")
"""A ConnectRequest with an Act whose action is given as bytes."""
Choice: Any = _cut(games_pb2.ActionChoice.DESCRIPTOR, {"action": None}, "lean_choice")
"""An ActionChoice whose action stays bytes."""
