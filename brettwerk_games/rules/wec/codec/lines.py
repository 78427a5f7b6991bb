"""The line of a Turn as a position holds it: mostly everybody reads it in full, and then it is there once.

Up to the fourth revision of the rules it was there four times, in full and for each eye, which made up most of a position. The
hash of a position stands in records, so games that began then keep those bytes; both forms are read alike. A position that has
come from elsewhere has all of its lines read, and then written, so both are done by hand.
"""

from collections.abc import Sequence
from typing import Any

from brettwerk.v1 import wec_pb2 as pb
from brettwerk_games.protobuf_wire.fields import block, block_tag, number_tag, varint
from brettwerk_games.rules.bounds import number
from brettwerk_games.rules.derived.fields import each, most_elements
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec.codec.pairs import PAIRS
from brettwerk_games.rules.wec.position import EYES, Line

WITH_ALL_TEXTS = 4
"""The last revision whose positions hold every text."""
_EVERYBODY = 7
_SHORT = 1000
"""Characters that keep the contract's bound in bytes, whichever they are and of whichever text."""
_PAIR = PAIRS.pair(Line)
_HISTORY = block_tag(10)
_FULL, _TEXTS = block_tag(1), block_tag(2)
_BY_EYE = tuple(block_tag(1 + eye) for eye in EYES)
_IN_FULL = tuple(number_tag(3) + varint(eyes) if eyes else b"" for eyes in range(_EVERYBODY + 1))


def lines(history: Sequence[Line], revision: int) -> list[bytes]:
    """Return the fields of the history in a position; each is kept with its line."""
    if revision > WITH_ALL_TEXTS:
        return [line.encoded or _write(line) for line in history]
    return [line.encoded_formerly or _write_formerly(line) for line in history]


def _write(line: Line) -> bytes:
    full, texts = line
    whole = full.encode()
    body = block(_FULL, whole) if whole else b""
    if texts == (full, full, full):
        body += _IN_FULL[_EVERYBODY]
    else:
        others = [block(_BY_EYE[eye], texts[eye].encode()) for eye in EYES if texts[eye] not in (full, "")]
        body += block(_TEXTS, b"".join(others)) if others else b""
        body += _IN_FULL[sum(1 << eye for eye in EYES if texts[eye] == full)]
    line.encoded = block(_HISTORY, body)
    return line.encoded


def _write_formerly(line: Line) -> bytes:
    line.encoded_formerly = block(_HISTORY, _PAIR.write(line))
    return line.encoded_formerly


def _read(message: Any) -> Line:
    """Return the line of a WecLine. Raises Malformed for one out of bounds, and where an eye has both a text and its bit."""
    full, in_full, texts = message.full, message.in_full, message.texts
    black, white, public = texts.black, texts.white, texts.spectator
    if len(full) + len(black) + len(white) + len(public) > _SHORT:
        _PAIR.read(message)
    if in_full:
        number(in_full, 0, _EVERYBODY, "in_full")
        if (black and in_full & 1) or (white and in_full & 2) or (public and in_full & 4):
            raise Malformed("a line has a text for those who read it in full", field="in_full")
        black, white, public = full if in_full & 1 else black, full if in_full & 2 else white, full if in_full & 4 else public
    return Line(full, (black, white, public))


_read_all = each("history", most_elements(pb.WecPosition.DESCRIPTOR.fields_by_name["history"]), _read, numbered=True)


def taken_lines(message: Any) -> tuple[Line, ...]:
    """Take the history out of a WecPosition and return it. Raises Malformed for a line that there cannot be."""
    history = _read_all(message)
    message.ClearField("history")
    return history
