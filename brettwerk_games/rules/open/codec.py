"""The codec of a game of two without secrets, derived from its values and its contract, and a contract made of the values."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from brettwerk.v1 import limits_pb2, open_game_pb2
from brettwerk_games.packages.contract import add_contract
from brettwerk_games.rules import interface
from brettwerk_games.rules.derived.contract import ContractFile
from brettwerk_games.rules.derived.differences import Differences
from brettwerk_games.rules.derived.pairs import Pairs
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.messages import Form, MessageCodec
from brettwerk_games.rules.open.values import OpenEnding, Played, View


def derived_codec(folder: Path, options: type, position: type, action: Any, require_sound: Callable[[Any], None]) -> MessageCodec:
    """Return the codec of a game in a folder with its contract. `require_sound` raises Malformed for a position that cannot be.

    Raises ValueError where values and contract do not fit together, and what `add_contract` raises.
    """
    messages = add_contract(folder).message_types_by_name
    own = [name.removesuffix("Options") for name in messages if name.endswith("Options")]
    if len(own) != 1:
        raise ValueError(f"the contract in {folder} has one message <Game>Options, not {len(own)}")
    known = {interface.P: position, interface.A: action}
    pairs = Pairs(own[0], messages, Differences(checks={position: require_sound}), known)

    class DerivedCodec(MessageCodec):
        """Carries the values of this game."""

        forms: ClassVar[Mapping[Kind, Form]] = pairs.forms(options, position, View, action, Played | OpenEnding)

    return DerivedCodec()


def contract_of(game: str, options: type[Any], position: type[Any], action: Any) -> bytes:
    """Return a FileDescriptorSet: the messages of a game with this id and these kinds of value.

    Raises ValueError for a field of a type that no message has.
    """
    file = FileDescriptorProto(name=f"{game}/{game}.proto", package=f"{game}.v1", syntax="proto3")
    file.dependency.extend((limits_pb2.DESCRIPTOR.name, open_game_pb2.DESCRIPTOR.name))
    name = "".join(part.capitalize() for part in game.split("_"))
    ending: str = open_game_pb2.OpenEnding.DESCRIPTOR.full_name
    made = ContractFile(file, name, {interface.P: position, interface.A: action}, {OpenEnding: ending})
    kinds = {"Options": options, "Position": position, "View": View, "Action": action, "Event": Played | OpenEnding}
    made.named.update({kind: f"{name}{suffix}" for suffix, kind in kinds.items()})
    for kind in kinds.values():
        made.add(kind)
    return FileDescriptorSet(file=[file]).SerializeToString(deterministic=True)
