"""Pages of long answers. A page token is opaque: it contains where to go on, and a mark of its list."""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from typing import TypeVar

from services.runtime.refusal import malformed

T = TypeVar("T")

_MARK_BYTES = 8
_PLACE_BYTES = 4


def page(elements: Sequence[T], token: str, size: int, preset: int, limit: int, about: bytes) -> tuple[Sequence[T], str]:
    """Return the elements of one page and the token of the next, empty at the end.

    `size` is what was asked for: 0 for `preset`, and never more than `limit`. `about` tells this list from others: a token of
    another list, or one that was not made here, raises Refused (MALFORMED).
    """
    mark = hashlib.sha256(about).digest()[:_MARK_BYTES]
    begin = _place(token, mark) if token else 0
    if begin > len(elements):
        raise malformed("page_token", "the page token does not belong to this list")
    end = begin + min(size or preset, limit)
    place = end.to_bytes(_PLACE_BYTES, "big") + mark
    return elements[begin:end], base64.urlsafe_b64encode(place).decode() if end < len(elements) else ""


def _place(token: str, mark: bytes) -> int:
    try:
        place = base64.b64decode(token, altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        place = b""
    if len(place) != _PLACE_BYTES + _MARK_BYTES or place[_PLACE_BYTES:] != mark:
        raise malformed("page_token", "the page token does not belong to this list")
    return int.from_bytes(place[:_PLACE_BYTES], "big")
