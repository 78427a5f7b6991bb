"""The game's values as messages of einstein.proto and back: the only module of the game that knows generated code."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from brettwerk.v1 import einstein_pb2 as pb
from brettwerk_games.protobuf_wire.fields import block, block_tag
from brettwerk_games.rules.derived.differences import As, Differences, Fault
from brettwerk_games.rules.derived.pairs import Pairs
from brettwerk_games.rules.einstein.actions import Action, Arrange, Arranged, Event
from brettwerk_games.rules.einstein.board import SIZE, STONES
from brettwerk_games.rules.einstein.options import Options
from brettwerk_games.rules.einstein.position import GONE, Position, Side, View, codes, fault, stone_of
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.messages import Form, MessageCodec
from brettwerk_games.rules.refusals import Malformed

_BOARD = SIZE * SIZE


def _to_sides(squares: Sequence[int]) -> tuple[Side, Side]:
    if len(squares) != _BOARD:
        raise Malformed(f"there are {_BOARD} squares, not {len(squares)}")
    sides = ([GONE] * STONES, [GONE] * STONES)
    for square, code in enumerate(squares):
        if not code:
            continue
        seat, stone = stone_of(code)
        if sides[seat][stone - 1] != GONE:
            raise Malformed(f"square {square} repeats a stone", field=f"[{square}]")
        sides[seat][stone - 1] = square
    return tuple(sides[0]), tuple(sides[1])


def _all_numbers(arrangement: Arrange | Arranged) -> Fault | None:
    if sorted(arrangement.stones) == list(range(1, STONES + 1)):
        return None
    return "stones", f"stones must hold each number from 1 to {STONES} once"


_PAIRS = Pairs(
    "Einstein",
    pb.DESCRIPTOR.message_types_by_name,
    Differences(
        ways={"EinsteinPosition.squares": As(tuple[int, ...], codes, _to_sides, of="stones")},
        checks={Position: fault, Arrange: _all_numbers, Arranged: _all_numbers},
        rules={"EinsteinAction": "EWN-TURN-6"},
        kept={"EinsteinEvent": 2048},
        unnumbered=frozenset({"EinsteinArrange.stones", "EinsteinArranged.stones"}),
    ),
)


class EinsteinCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Kind, Form]] = _PAIRS.forms(Options, Position, View, Action, Event)

    def encode_views(self, views: Sequence[View], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return each view in two parts: the position, which everybody sees whole, and who looks at it."""
        whole = block(_WHOLE, position + _WON[views[0].position.winner]) if views else b""
        return [(whole, _LOOKING[view.seat]) for view in views]


_WHOLE = block_tag(pb.EinsteinView.POSITION_FIELD_NUMBER)
_LOOKING: Mapping[int | None, bytes] = {
    None: b"",
    **{seat: pb.EinsteinView(seat=seat + 1, viewer_seat=seat).SerializeToString(deterministic=True) for seat in (0, 1)},
}
_WON: Mapping[int | None, bytes] = {
    None: b"",
    **{seat: pb.EinsteinPosition(winner_seat=seat).SerializeToString() for seat in (0, 1)},
}
