"""The common parts of the codecs of all games: values to the bytes of their messages and back."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from google.protobuf.message import DecodeError, Message

from brettwerk_games.rules.interface import Codec, Kind
from brettwerk_games.rules.refusals import Malformed


class Form(NamedTuple):
    """How values of a kind are carried: their message, how it is made of a value, and how a value is made of it."""

    message: type[Message]
    write: Callable[[Any], Message | bytes]
    """Returns the message, or its canonical bytes where they are made without it."""
    read: Callable[[Any], Any]
    """Raises Malformed, naming the field, for what contradicts the contract or itself."""


class MessageCodec(Codec):
    """Carries a game's values; a game says in `forms` how (brettwerk_games/rules/interface.py, Codec)."""

    forms: ClassVar[Mapping[Kind, Form]]

    def type_name(self, kind: Kind) -> str:
        """Return the full name of a kind's message."""
        name: str = self.forms[kind].message.DESCRIPTOR.full_name
        return name

    def encode(self, kind: Kind, value: Any) -> bytes:
        """Return the canonical bytes of a value."""
        written = self.forms[kind].write(value)
        return written if isinstance(written, bytes) else written.SerializeToString(deterministic=True)

    def decode(self, kind: Kind, data: bytes) -> Any:
        """Return the value of bytes. Raises Malformed with the field for what contradicts the contract or itself."""
        form = self.forms[kind]
        message = form.message()
        try:
            message.ParseFromString(data)
        except DecodeError as error:
            raise Malformed(f"not a {self.type_name(kind)}") from error
        return form.read(message)

    def knows_all(self, kind: Kind, data: bytes) -> bool:
        """Return whether every field in the bytes of a value is known here. Unreadable bytes are left to `decode`."""
        message = self.forms[kind].message()
        try:
            message.ParseFromString(data)
        except DecodeError:
            return True
        size = message.ByteSize()
        message.DiscardUnknownFields()
        return bool(message.ByteSize() == size)
