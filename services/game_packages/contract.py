"""The contract of an installed game: descriptors in its folder, made known to protobuf so that its messages can be read.

Brettwerk's own games have generated code instead. All processes that read messages of games ask for this: the rules service
through the game's codec, the gateway (which knows no rules) for the JSON of what an `Any` holds.
"""

from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FileDescriptor

from brettwerk.v1 import limits_pb2, open_game_pb2
from services.game_packages.finding import folder, installed
from services.game_packages.interface_version import require_interface

FILE = "contract.binpb"
"""An encoded google.protobuf.FileDescriptorSet of the game's own files; what they import is Brettwerk's."""

_IMPORTED = (limits_pb2.DESCRIPTOR, open_game_pb2.DESCRIPTOR)
"""The files that games may import; loading them has made them known."""


def add_contract(game: Path) -> FileDescriptor:
    """Make the messages of the game in a folder known, and return the descriptor of its last file: the game's own.

    Raises OSError for a folder without a contract, TypeError for one that contradicts what is known, ValueError for none.
    """
    pool = descriptor_pool.Default()
    files = descriptor_pb2.FileDescriptorSet.FromString((game / FILE).read_bytes()).file
    if not files:
        raise ValueError(f"{game / FILE} has no files")
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    return pool.FindFileByName(files[-1].name)


def add_installed() -> list[FileDescriptor]:
    """Make the messages of all installed games known that have a contract of their own, and return the files of those games.

    Raises ValueError where one is written for another version of the interface.
    """
    for game in installed():
        require_interface(game)
    return [add_contract(folder(game)) for game in installed() if (folder(game) / FILE).is_file()]
