"""A listed action with its words as an encoded ActionChoice (games.proto), put together from parts that come again."""

from collections.abc import Iterable
from functools import lru_cache

from brettwerk_games.protobuf_wire.fields import block, block_tag, varint
from brettwerk_games.rules.interface import Effect

_ACTION, _NOTATION, _PLACES, _LABEL, _EFFECTS = map(block_tag, range(1, 6))
_TYPE_URL, _VALUE = block_tag(1), block_tag(2)  # of the Any
_KEY, _ARGS = block_tag(1), block_tag(2)  # of the Text
_NAME, _WORD = block_tag(1), block_tag(2)  # of an entry of its map
_URL = block(_TYPE_URL, b"type.googleapis.com/brettwerk.v1.WecAction")
_ARG = block(_NAME, b"notation")


def choice_bytes(action: bytes, key: str, places: Iterable[str], notation: str, effects: tuple[Effect, ...]) -> bytes:
    """Return the message of an action, given as the bytes of its own: see scene.listed_actions."""
    text = notation.encode()
    size = len(text)
    written, labelled = _before_text(key, size)
    return b"".join(
        (_before_action(len(action)), action, written, text, *map(_place_bytes, places), labelled, text, _effects_bytes(effects))
    )


@lru_cache(maxsize=256)
def _before_action(size: int) -> bytes:
    """Return what stands before the bytes of an action, which are so many."""
    value = _URL + _VALUE + varint(size)
    return _ACTION + varint(len(value) + size) + value


@lru_cache(maxsize=4096)
def _before_text(key: str, size: int) -> tuple[bytes, bytes]:
    """Return what stands before a notation of so many bytes: where it is by itself, and in a label with this key."""
    word = _WORD + varint(size)
    arg = _ARGS + varint(len(_ARG) + len(word) + size) + _ARG + word
    label = block(_KEY, key.encode()) + arg
    return _NOTATION + varint(size), _LABEL + varint(len(label) + size) + label


@lru_cache(maxsize=1024)
def _place_bytes(place: str) -> bytes:
    return block(_PLACES, place.encode())


@lru_cache(maxsize=256)
def _effects_bytes(effects: tuple[Effect, ...]) -> bytes:
    return block(_EFFECTS, bytes(effects)) if effects else b""
