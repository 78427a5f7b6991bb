"""The line of a Turn as a position holds it: mostly everybody reads it in full, and then it is there once.

Up to the fourth revision of the rules it was there four times, in full and for each eye, which made up most of a position. The
hash of a position stands in records, so games that began then keep those bytes; both forms are read alike.
"""

from typing import NamedTuple

from brettwerk.v1 import wec_pb2 as pb
from brettwerk_games.protobuf_wire.fields import block, block_tag
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec.position import EYES, Line

WITH_ALL_TEXTS = 4
"""The last revision whose positions hold every text."""
_HISTORY = block_tag(10)


class Told(NamedTuple):
    """What a message holds of a line; `in_full` has a bit for each eye that reads it in full, whose text is left out."""

    full: str
    texts: tuple[str, str, str] | None
    in_full: int


def told(line: Line) -> Told:
    """Return a line without what it says twice; `texts` is None where nobody reads anything else."""
    in_full = sum(1 << eye for eye in EYES if line.texts[eye] == line.full)
    black, white, public = ("" if text == line.full else text for text in line.texts)
    return Told(line.full, (black, white, public) if black or white or public else None, in_full)


def line_of(message: Told) -> Line:
    """Return the line; its texts that are the same are one object. Raises Malformed where an eye has both a text and its bit."""
    given = message.texts or ("", "", "")
    for eye in EYES:
        if given[eye] and message.in_full >> eye & 1:
            raise Malformed("a line has a text for those who read it in full", field="in_full")
    black, white, public = (
        message.full if message.in_full >> eye & 1 or given[eye] == message.full else given[eye] for eye in EYES
    )
    return Line(message.full, (black, white, public))


def former_bytes(line: Line) -> bytes:
    """Return the field in positions of the first four revisions, and keep it."""
    black, white, public = line.texts
    message = pb.WecLine(full=line.full, texts=pb.WecTexts(black=black, white=white, spectator=public))
    line.encoded_formerly = block(_HISTORY, message.SerializeToString(deterministic=True))
    return line.encoded_formerly
