"""A board as a message, with a bound of bytes: whatever an installed game tells, the answer stays one that clients can take."""

from itertools import chain

from brettwerk.v1 import games_pb2
from brettwerk_games.rules.board import Board, BoardGroup, BoardPattern, BoardPlace
from services.rules.texts import key
from services.runtime.refusal import malformed

MAX_BYTES = 65_536
"""The most that a board may take, as the contract says (Board in games.proto)."""


def board(known: Board) -> games_pb2.Board:
    """Return the board. Raises Refused (MALFORMED) for options that make it larger than MAX_BYTES."""
    message = games_pb2.Board(
        places=map(_place, known.places),
        groups=map(_group, known.groups),
        patterns=map(_pattern, known.patterns),
        width=known.width,
        height=known.height,
        one_way=known.one_way,
    )
    if (size := message.ByteSize()) > MAX_BYTES:
        raise malformed("options", f"the board of these options takes {size} bytes, and {MAX_BYTES} are allowed")
    return message


def _place(place: BoardPlace) -> games_pb2.BoardPlace:
    label = key(place.label) if place.label else None
    outlines = [games_pb2.BoardOutline(points=chain.from_iterable(outline)) for outline in place.outlines]
    return games_pb2.BoardPlace(
        number=place.number, name=place.name, label=label, x=place.x, y=place.y, neighbours=place.neighbours, outlines=outlines
    )


def _group(group: BoardGroup) -> games_pb2.BoardGroup:
    label = key(group.label) if group.label else None
    return games_pb2.BoardGroup(
        id=group.id, label=label, places=group.places, bonus=group.bonus, owner_seat=group.owner, colour=group.colour
    )


def _pattern(pattern: BoardPattern) -> games_pb2.BoardPattern:
    lines = (games_pb2.BoardLine(right=[right for right, _ in line], down=[down for _, down in line]) for line in pattern.lines)
    return games_pb2.BoardPattern(id=pattern.id, seats=pattern.seats, hits=pattern.hits, lines=lines)
