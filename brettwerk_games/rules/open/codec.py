"""The codec of a game made from this package, derived from its values and its contract, and a contract made of the values."""

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

_TWO = 2


def derived_codec(
    folder: Path,
    options: type,
    position: type,
    action: Any,
    require_sound: Callable[[Any], None],
    require_seat: Callable[[Any], None] | None = None,
) -> MessageCodec:
    """Return the codec of a game in a folder with its contract.

    `require_sound` raises Malformed for a position that cannot be, and `require_seat` for a view of a seat that there is not.
    Raises ValueError where values and contract do not fit together, and what `add_contract` raises.
    """
    messages = add_contract(folder).message_types_by_name
    own = [name.removesuffix("Options") for name in messages if name.endswith("Options")]
    if len(own) != 1:
        raise ValueError(f"the contract in {folder} has one message <Game>Options, not {len(own)}")
    known = {interface.P: position, interface.A: action}
    checks = {position: require_sound} | ({View: require_seat} if require_seat else {})
    pairs = Pairs(own[0], messages, Differences(checks=checks), known)

    class DerivedCodec(MessageCodec):
        """Carries the values of this game."""

        forms: ClassVar[Mapping[Kind, Form]] = pairs.forms(options, position, View, action, Played | OpenEnding)

    return DerivedCodec()


def contract_of(game: str, options: type[Any], position: type[Any], action: Any, seats: int = 2) -> bytes:
    """Return a FileDescriptorSet: the messages of a game with this id, these kinds of value and at most so many seats.

    An ending of a game of two is Brettwerk's message, which knows no other seats. Raises ValueError for a field of a type that no
    message has.
    """
    file = FileDescriptorProto(name=f"{game}/{game}.proto", package=f"{game}.v1", syntax="proto3")
    file.dependency.extend((limits_pb2.DESCRIPTOR.name, open_game_pb2.DESCRIPTOR.name))
    name = "".join(part.capitalize() for part in game.split("_"))
    ending: str = open_game_pb2.OpenEnding.DESCRIPTOR.full_name
    elsewhere: dict[type, str] = {OpenEnding: ending} if seats == _TWO else {}
    made = ContractFile(file, name, {interface.P: position, interface.A: action}, elsewhere, seats)
    kinds = {"Options": options, "Position": position, "View": View, "Action": action, "Event": Played | OpenEnding}
    made.named.update({kind: f"{name}{suffix}" for suffix, kind in kinds.items()})
    for kind in kinds.values():
        made.add(kind)
    return FileDescriptorSet(file=[file]).SerializeToString(deterministic=True)
