"""The contract of an installed game: descriptors in its folder, made known to protobuf so that its messages can be read.

Brettwerk's own games have generated code instead. All processes that read messages of games ask for this: the rules service
through the game's codec, the gateway (which knows no rules) for the JSON of what an `Any` holds.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FileDescriptor

from brettwerk.v1 import limits_pb2, open_game_pb2
from brettwerk_games.packages import faults
from brettwerk_games.packages.discovery import folder, found

FILE = "contract.binpb"
"""An encoded google.protobuf.FileDescriptorSet of the game's own files; what they import is Brettwerk's."""

_IMPORTED = (limits_pb2.DESCRIPTOR, open_game_pb2.DESCRIPTOR)
"""The files that games may import; loading them has made them known."""
_RESERVED = ("brettwerk", "google")
"""Packages of messages that are not a game's, and folders of such files."""


class Contracts(NamedTuple):
    """The files of the installed games that have a contract of their own, and why games are left out."""

    files: Sequence[FileDescriptor]
    left_out: Mapping[str, str]


def add_contract(game: Path) -> FileDescriptor:
    """Make the messages of the game in a folder known, and return the descriptor of its last file: the game's own.

    Raises OSError for a folder without a contract, DecodeError for one that cannot be read, TypeError for one that contradicts
    what is known, Fault for one without files or with names that are not a game's.
    """
    pool = descriptor_pool.Default()
    files = descriptor_pb2.FileDescriptorSet.FromString((game / FILE).read_bytes()).file
    if not files:
        raise faults.Fault(f"its {FILE} has no files")
    for file in files:
        if file.name.partition("/")[0] in _RESERVED or file.package.partition(".")[0] in _RESERVED:
            raise faults.Fault(f"its contract has the file {file.name} of the package {file.package}, which is not a game's")
        pool.AddSerializedFile(file.SerializeToString())
    return pool.FindFileByName(files[-1].name)


@cache
def contracts() -> Contracts:
    """Make the messages of all installed games known that have a contract of their own, and return their files.

    Of two games whose messages clash, the second in order of id is left out; so all processes leave out the same, and must call
    this before they load games.
    """
    games, left_out = found()
    files, left_out = [], dict(left_out)
    for name, point in games.items():
        if (folder(name) / FILE).is_file():
            try:
                files.append(add_contract(folder(name)))
            except Exception as error:  # noqa: BLE001 - a package may be broken in any way
                left_out[name] = faults.sentence(name, f"its contract cannot be used ({faults.reason(error)})", point.module)
    return Contracts(tuple(files), MappingProxyType(left_out))
