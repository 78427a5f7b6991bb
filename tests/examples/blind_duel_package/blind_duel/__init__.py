"""The blind duel as a package of others: with messages of its own, as installed games must have them."""

from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from brettwerk_games.rules.facts import read_facts
from brettwerk_games.rules.interface import Codec, Kind
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.blind_duel import game


class Packed(Codec):
    """Puts the bytes of the game into messages of its contract."""

    def __init__(self) -> None:
        self._bytes = game.Codec()

    def type_name(self, kind: Kind) -> str:
        return f"blind_duel.v1.BlindDuel{kind.name.title()}"

    def encode(self, kind: Kind, value: Any) -> bytes:
        data = self._bytes.encode(kind, value)
        return self._message(kind)(data=data).SerializeToString() if data else b""

    def decode(self, kind: Kind, data: bytes) -> Any:
        try:
            message: Any = self._message(kind).FromString(data)
        except DecodeError as error:
            raise Malformed(f"no {kind.value}", field=kind.value) from error
        return self._bytes.decode(kind, b"" if kind == Kind.OPTIONS else message.data)

    def _message(self, kind: Kind) -> Any:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(self.type_name(kind))
        return message_factory.GetMessageClass(descriptor)


class Duel(game.BlindDuel):
    facts = read_facts(Path(__file__).parent)
    codec = Packed()


GAME = Duel()
