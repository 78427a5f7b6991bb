"""The contract of a game that is installed as a package, for clients that have no generated code for its messages."""

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FileDescriptor

from brettwerk_games.rules.interface import Kind
from services.rules.any_codec import any_codec

_KNOWN = ("brettwerk/", "google/")
"""Files that every client has begin with these."""


def contract(game_id: str) -> bytes:
    """Return the encoded files of a game's messages that clients cannot know, each after those that it imports.

    Empty where there are none. Raises Refused (UNKNOWN) if there is no such game.
    """
    name = any_codec(game_id).game.codec.type_name(Kind.OPTIONS)
    try:
        file = descriptor_pool.Default().FindMessageTypeByName(name).file
    except KeyError:  # messages of another kind than protobuf's
        return b""
    found: dict[str, FileDescriptor] = {}
    _gather(file, found)
    files = descriptor_pb2.FileDescriptorSet()
    for each in found.values():
        each.CopyToProto(files.file.add())
    return files.SerializeToString(deterministic=True)


def _gather(file: FileDescriptor, found: dict[str, FileDescriptor]) -> None:
    if file.name.startswith(_KNOWN) or file.name in found:
        return
    for imported in file.dependencies:
        _gather(imported, found)
    found[file.name] = file
