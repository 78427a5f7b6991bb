"""Views as bytes, put together from parts that come again: the position, and what is told of a board.

All see the same position and most of the same guide; only the seat to move is told what it can do.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from brettwerk.v1 import plateau_pb2 as pb
from brettwerk_games.protobuf_wire.fields import block, block_tag, number, number_tag, packed, varint
from brettwerk_games.rules.plateau.board import Setup, bits
from brettwerk_games.rules.plateau.codec.pairs import PAIRS
from brettwerk_games.rules.plateau.guide import outlook, tally
from brettwerk_games.rules.plateau.position import Position, View

_WAYS_KEPT = 4096
"""How many encoded ways are kept, each of which takes a few hundred bytes."""

_POSITION = block_tag(pb.PlateauView.POSITION_FIELD_NUMBER)
_SEAT = number_tag(pb.PlateauView.SEAT_FIELD_NUMBER)
_GUIDE = block_tag(pb.PlateauView.GUIDE_FIELD_NUMBER)
_VIEWER = number_tag(pb.PlateauView.VIEWER_SEAT_FIELD_NUMBER)
_WINNER = number_tag(pb.PlateauPosition.WINNER_SEAT_FIELD_NUMBER)

_BASES = block_tag(pb.PlateauGuide.BASES_FIELD_NUMBER)
_RED = block_tag(pb.PlateauGuide.RED_FIELD_NUMBER)
_TALLY = block_tag(pb.PlateauGuide.TALLY_FIELD_NUMBER)
_READY = block_tag(pb.PlateauGuide.READY_FIELD_NUMBER)
_OPEN = block_tag(pb.PlateauGuide.OPEN_FIELD_NUMBER)
_OPEN_TO_EMBLEM = block_tag(pb.PlateauGuide.OPEN_TO_EMBLEM_FIELD_NUMBER)
_WAYS = block_tag(pb.PlateauGuide.WAYS_FIELD_NUMBER)
_THREATS = block_tag(pb.PlateauGuide.THREATS_FIELD_NUMBER)

_STEPS = tuple(
    number_tag(field)
    for field in (
        pb.PlateauTally.CALLED_FIELD_NUMBER,
        pb.PlateauTally.OWED_FIELD_NUMBER,
        pb.PlateauTally.SMALL_LEFT_FIELD_NUMBER,
        pb.PlateauTally.EMBLEM_LEFT_FIELD_NUMBER,
        pb.PlateauTally.EMBLEM_CLOSES_FIELD_NUMBER,
    )
)
_WAY_NODES = block_tag(pb.PlateauWay.NODES_FIELD_NUMBER)


_position_bytes = PAIRS.pair(Position).write


def view_bytes(view: View) -> bytes:
    """Return a view as a client is sent it."""
    return b"".join(_parts(view, block(_POSITION, _position_bytes(view.position)), _common(view.position)))


def views_in_parts(views: Sequence[View], position: bytes) -> list[tuple[bytes, bytes, bytes, bytes]]:
    """Return each view of a position, given as bytes too, in four parts; the first and the third are the same objects."""
    winner = views[0].position.winner if views else None
    position = position if winner is None else position + _WINNER + varint(winner)
    whole, common, made = block(_POSITION, position), b"", []
    for view in views:
        common = common or _common(view.position)
        made.append(_parts(view, whole, common))
    return made


def _parts(view: View, whole: bytes, common: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    own = _own(view)
    head = number(_SEAT, 0 if view.seat is None else view.seat + 1) + _GUIDE + varint(len(common) + len(own))
    return whole, head, common, own if view.seat is None else own + _VIEWER + varint(view.seat)


def _common(position: Position) -> bytes:
    """Return what everybody is told of what follows from a position."""
    if position.end is not None:
        return _ground(position.setup)
    made = b"".join(map(number, _STEPS, tally(position)))
    return _ground(position.setup) + block(_TALLY, made)


def _own(view: View) -> bytes:
    """Return what only the seat to move is told."""
    ahead = outlook(view)
    if ahead is None:
        return b""
    size = (len(view.position.board.names) + 7) // 8
    return b"".join(
        (
            _numbers(_READY, ahead.ready),
            block(_OPEN, (ahead.passable & ~ahead.home).to_bytes(size, "little")),
            block(_OPEN_TO_EMBLEM, ahead.passable.to_bytes(size, "little")),
            *(_way(_WAYS, nodes) for nodes in ahead.ways),
            *(_way(_THREATS, nodes) for nodes in ahead.threats),
        )
    )


@cache
def _ground(setup: Setup) -> bytes:
    red = tuple(bits(~setup.board.nodes & (1 << len(setup.board.names)) - 1))
    return _numbers(_BASES, setup.bases) + _numbers(_RED, red)


@lru_cache(maxsize=_WAYS_KEPT)
def _way(tag: bytes, nodes: tuple[int, ...]) -> bytes:
    return block(tag, _numbers(_WAY_NODES, nodes))


def _numbers(tag: bytes, values: tuple[int, ...]) -> bytes:
    return block(tag, packed(values)) if values else b""
