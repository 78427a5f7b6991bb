"""The public contract as pages: each file with its services, messages and enumerations, their comments and bounds."""

import re
from collections.abc import Iterator, Mapping, Sequence

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto

from brettwerk.v1 import errors_pb2, limits_pb2

PACKAGE = "brettwerk.v1"
_SCALARS = {value: name.removeprefix("TYPE_").lower() for name, value in FieldDescriptorProto.Type.items()}
_REPEATED = FieldDescriptorProto.LABEL_REPEATED
# Where comments stand (descriptor.proto, SourceCodeInfo.Location.path): numbers of the fields of descriptors.
_MESSAGE, _ENUM, _SERVICE, _NESTED, _NESTED_ENUM, _FIELD, _VALUE, _METHOD = 4, 5, 6, 3, 4, 2, 2, 2


def pages(contract: descriptor_pb2.FileDescriptorSet) -> Mapping[str, str]:
    """Return the Markdown of each file of the contract, by its name without ending; the descriptors need their comments."""
    ours = [file for file in contract.file if file.package == PACKAGE]
    where = {full: _name(file) for file in ours for full in _types(file)}
    return {_name(file): "\n".join(_Page(file, where).lines()) for file in ours}


def index(contract: descriptor_pb2.FileDescriptorSet) -> str:
    """Return the page that lists the files of the contract."""
    lines = ["# Contract", "", "Every service, message and field that clients use, made from the contract itself.", ""]
    lines += ["| file | what it is about |", "| --- | --- |"]
    for file in contract.file:
        if file.package == PACKAGE:
            lines.append(f"| [{_name(file)}.proto]({_name(file)}.md) | {comments(file).get((12,), '').splitlines()[0]} |")
    return "\n".join([*lines, ""])


def _name(file: FileDescriptorProto) -> str:
    return file.name.rpartition("/")[2].removesuffix(".proto")


def _types(file: FileDescriptorProto) -> Iterator[str]:
    def of(message: DescriptorProto, prefix: str) -> Iterator[str]:
        yield (name := f"{prefix}.{message.name}")
        yield from (f"{name}.{each.name}" for each in message.enum_type)
        for each in message.nested_type:
            yield from of(each, name)

    yield from (f".{PACKAGE}.{each.name}" for each in file.enum_type)
    for message in file.message_type:
        yield from of(message, f".{PACKAGE}")


def comments(file: FileDescriptorProto) -> dict[tuple[int, ...], str]:
    """Return comments by the path of what they stand at; that of the whole file stands at its syntax (12)."""
    located = {tuple(each.path): each.leading_comments.strip() for each in file.source_code_info.location}
    return {path: re.sub(r"^ ", "", text, flags=re.MULTILINE) for path, text in located.items() if text}


class _Page:
    """One file of the contract, as it is written out."""

    def __init__(self, file: FileDescriptorProto, where: Mapping[str, str]) -> None:
        self._file, self._where, self._comments = file, where, comments(file)

    def lines(self) -> Iterator[str]:
        yield f"# {_name(self._file)}.proto"
        yield from ("", self._said((12,)), "")
        for number, service in enumerate(self._file.service):
            yield from (f"## {service.name} {{ #{service.name} }}", "", self._said((_SERVICE, number)), "")
            yield from ("| method | takes | answers | |", "| --- | --- | --- | --- |")
            for place, method in enumerate(service.method):
                takes = ("stream of " if method.client_streaming else "") + self._link(method.input_type)
                gives = ("stream of " if method.server_streaming else "") + self._link(method.output_type)
                yield f"| `{method.name}` | {takes} | {gives} | {self._cell((_SERVICE, number, _METHOD, place))} |"
            yield ""
        for number, message in enumerate(self._file.message_type):
            yield from self._message(message, "", (_MESSAGE, number))
        for number, enum in enumerate(self._file.enum_type):
            yield from self._enum(enum, "", (_ENUM, number))

    def _message(self, message: DescriptorProto, prefix: str, path: tuple[int, ...]) -> Iterator[str]:
        if message.options.map_entry:
            return
        name = prefix + message.name
        yield from (f"## {name} {{ #{name} }}", "", self._said(path), "")
        if message.field:
            yield from ("| field | number | type | bounds | |", "| --- | --- | --- | --- | --- |")
        maps = {f".{PACKAGE}.{name}.{each.name}": each for each in message.nested_type if each.options.map_entry}
        for number, field in enumerate(message.field):
            kind, bounds = self._type(field, maps), _bounds(field)
            if field.HasField("oneof_index") and not field.proto3_optional:
                kind += f" (one of `{message.oneof_decl[field.oneof_index].name}`)"
            yield f"| `{field.name}` | {field.number} | {kind} | {bounds} | {self._cell((*path, _FIELD, number))} |"
        yield ""
        for number, enum in enumerate(message.enum_type):
            yield from self._enum(enum, f"{name}.", (*path, _NESTED_ENUM, number))
        for number, nested in enumerate(message.nested_type):
            yield from self._message(nested, f"{name}.", (*path, _NESTED, number))

    def _enum(self, enum: EnumDescriptorProto, prefix: str, path: tuple[int, ...]) -> Iterator[str]:
        name = prefix + enum.name
        yield from (f"## {name} {{ #{name} }}", "", self._said(path), "", "| value | number | |", "| --- | --- | --- |")
        for number, value in enumerate(enum.value):
            code = value.options.Extensions[errors_pb2.grpc_code]
            text = self._cell((*path, _VALUE, number)) + (f" (`{code}`)" if code else "")
            yield f"| `{value.name}` | {value.number} | {text} |"
        yield ""

    def _type(self, field: FieldDescriptorProto, maps: Mapping[str, DescriptorProto]) -> str:
        if entry := maps.get(field.type_name):
            key, value = entry.field
            return f"map from {self._one(key)} to {self._one(value)}"
        kind = self._one(field)
        if field.label == _REPEATED:
            return f"list of {kind}"
        return f"optional {kind}" if field.proto3_optional else kind

    def _one(self, field: FieldDescriptorProto) -> str:
        return self._link(field.type_name) if field.type_name else _SCALARS[field.type]

    def _link(self, type_name: str) -> str:
        short = type_name.removeprefix(f".{PACKAGE}.")
        file = self._where.get(type_name)
        return f"[{short}]({file}.md#{short})" if file else short.lstrip(".")

    def _said(self, path: Sequence[int]) -> str:
        return self._comments.get(tuple(path), "")

    def _cell(self, path: Sequence[int]) -> str:
        return " ".join(self._said(path).split()).replace("|", "\\|")


def _bounds(field: FieldDescriptorProto) -> str:
    """Return the limits of a field in words (limits.proto)."""
    limit = field.options.Extensions[limits_pb2.limit]
    said = []
    if limit.items:
        said.append(f"at most {limit.items} elements")
    if limit.length:
        said.append(f"at most {limit.length} bytes")
    if limit.min or limit.max:
        said.append(f"{limit.min} to {limit.max}" if limit.max else f"{limit.min} or more")
    return ", ".join(said)
