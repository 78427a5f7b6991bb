"""A listed action with its words as an encoded ActionChoice (games.proto), put together from parts that come again."""

from collections.abc import Iterable
from functools import lru_cache

from brettwerk_games.protobuf_wire.fields import block, block_tag
from brettwerk_games.rules.interface import Effect

_ACTION, _NOTATION, _PLACES, _LABEL, _EFFECTS = map(block_tag, range(1, 6))
_TYPE_URL, _VALUE = block_tag(1), block_tag(2)  # of the Any
_KEY, _ARGS = block_tag(1), block_tag(2)  # of the Text
_NAME, _WORD = block_tag(1), block_tag(2)  # of an entry of its map
_URL = block(_TYPE_URL, b"type.googleapis.com/brettwerk.v1.WecAction")
_ARG = block(_NAME, b"notation")


def choice_bytes(action: bytes, key: str, places: Iterable[str], notation: str, effects: Iterable[Effect]) -> bytes:
    """Return the message of an action, given as the bytes of its own: see scene.listed_actions."""
    text = notation.encode()
    return b"".join(
        (
            block(_ACTION, _URL + block(_VALUE, action)),
            block(_NOTATION, text),
            *map(_place_bytes, places),
            block(_LABEL, _key_bytes(key) + block(_ARGS, _ARG + block(_WORD, text))),
            block(_EFFECTS, bytes(effects)) if effects else b"",
        )
    )


@lru_cache(maxsize=1024)
def _place_bytes(place: str) -> bytes:
    return block(_PLACES, place.encode())


@lru_cache(maxsize=256)
def _key_bytes(key: str) -> bytes:
    return block(_KEY, key.encode())
