"""Protobuf as clients of Kubernetes send it, in the words of YAML: secrets and namespaces, as far as authors fill them in."""

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field

MAGIC = b"k8s\x00"
_MESSAGES: dict[str, list[tuple[str, int, str]]] = {
    "TypeMeta": [("apiVersion", 1, "string"), ("kind", 2, "string")],
    "Unknown": [("typeMeta", 1, "TypeMeta"), ("raw", 2, "bytes")],
    "ObjectMeta": [("name", 1, "string"), ("namespace", 3, "string"), ("labels", 11, "string*"), ("annotations", 12, "string*")],
    "Secret": [("metadata", 1, "ObjectMeta"), ("data", 2, "bytes*"), ("type", 3, "string"), ("stringData", 4, "string*")],
    "Namespace": [("metadata", 1, "ObjectMeta")],
}


def _file() -> descriptor_pb2.FileDescriptorProto:
    made = descriptor_pb2.FileDescriptorProto(name="kubernetes.proto", package="k", syntax="proto3")
    plain = {"string": Field.TYPE_STRING, "bytes": Field.TYPE_BYTES}
    for name, fields in _MESSAGES.items():
        message = made.message_type.add(name=name)
        for label, number, kind in fields:
            field = message.field.add(name=label, number=number, label=Field.LABEL_OPTIONAL, json_name=label)
            if kind.endswith("*"):
                entry = message.nested_type.add(name=f"{label[0].upper()}{label[1:]}Entry")
                entry.options.map_entry = True
                entry.field.add(name="key", number=1, type=Field.TYPE_STRING, label=Field.LABEL_OPTIONAL)
                entry.field.add(name="value", number=2, type=plain[kind[:-1]], label=Field.LABEL_OPTIONAL)
                field.type, field.type_name, field.label = Field.TYPE_MESSAGE, f".k.{name}.{entry.name}", Field.LABEL_REPEATED
            elif kind in plain:
                field.type = plain[kind]
            else:
                field.type, field.type_name = Field.TYPE_MESSAGE, f".k.{kind}"
    return made


_POOL = descriptor_pool.DescriptorPool()
_POOL.Add(_file())


def _read(name: str, content: bytes) -> Any:
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"k.{name}")).FromString(content)


def decoded(content: bytes) -> dict[str, Any]:
    """Return the object in a message that begins with MAGIC. Raises KeyError for a kind that is not known here."""
    outer = _read("Unknown", content.removeprefix(MAGIC))
    inner = json_format.MessageToDict(_read(outer.typeMeta.kind, outer.raw))
    return {"apiVersion": outer.typeMeta.apiVersion, "kind": outer.typeMeta.kind, **inner}
