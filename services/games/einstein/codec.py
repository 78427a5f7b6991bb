"""The game's values as messages of einstein.proto and back: the only module of the game that knows generated code."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from brettwerk.v1 import einstein_pb2 as pb
from services.games.bounds import number, one_of
from services.games.einstein.actions import Action, Arrange, Arranged, Ended, Event, Move, Moved, Rolled
from services.games.einstein.board import SIZE, STONES
from services.games.einstein.options import First, Options, Setup
from services.games.einstein.position import ALL_GONE, GONE, End, Position, Side, View, fault, squares, stone_of
from services.games.fields import block, block_tag
from services.games.interface import Kind
from services.games.messages import Form, MessageCodec
from services.games.refusals import Malformed

_BOARD = SIZE * SIZE


def _first(first: First) -> pb.EinsteinFirst.ValueType:
    return pb.EinsteinFirst.ValueType(first)


def _setup(setup: Setup) -> pb.EinsteinSetup.ValueType:
    return pb.EinsteinSetup.ValueType(setup)


def _end(end: End | None) -> pb.EinsteinEnd.ValueType:
    return pb.EinsteinEnd.ValueType(end or 0)


def _options(options: Options) -> pb.EinsteinOptions:
    return pb.EinsteinOptions(first=_first(options.first), setup=_setup(options.setup), show_roll=options.show_roll)


def _position(position: Position) -> bytes:
    return _SQUARES + bytes(squares(position)) + _beside_squares(position[1:])


@lru_cache(maxsize=4096)
def _beside_squares(rest: tuple[Any, ...]) -> bytes:
    """Return what is encoded of a position behind its squares: few things, which come again all the time."""
    position = Position((ALL_GONE, ALL_GONE), *rest)
    message = pb.EinsteinPosition(
        to_move=position.to_move,
        roll=position.roll,
        first=position.first,
        arranging=position.arranging,
        winner=0 if position.winner is None else position.winner + 1,
        end=_end(position.end),
        show_roll=position.show_roll,
        first_option=_first(position.first_option),
        setup=_setup(position.setup),
    )
    return message.SerializeToString(deterministic=True)


def _view(view: View) -> bytes:
    return block(_WHOLE, _position(view.position)) + _LOOKING[view.seat]


def _action(action: Action) -> pb.EinsteinAction:
    if isinstance(action, Arrange):
        return pb.EinsteinAction(arrange=pb.EinsteinArrange(stones=action.stones))
    return pb.EinsteinAction(move=pb.EinsteinMove(stone=action.stone, target=action.target))


@lru_cache(maxsize=2048)
def _event(event: Event) -> bytes:
    """Return the bytes. There are few events, and most come again and again."""
    return _event_message(event).SerializeToString(deterministic=True)


def _event_message(event: Event) -> pb.EinsteinEvent:
    match event:
        case Moved():
            return pb.EinsteinEvent(moved=pb.EinsteinMoved(**event._asdict()))
        case Rolled(roll=roll):
            return pb.EinsteinEvent(rolled=roll)
        case Arranged(seat=seat, stones=stones):
            return pb.EinsteinEvent(arranged=pb.EinsteinArranged(seat=seat, stones=stones))
        case Ended(winner=winner, end=end):
            return pb.EinsteinEvent(ended=pb.EinsteinEnded(winner=winner, end=_end(end)))


def _to_options(message: pb.EinsteinOptions) -> Options:
    first = one_of(First, message.first or First.WHITE, "first")
    return Options(first, one_of(Setup, message.setup or Setup.STANDARD, "setup"), message.show_roll)


def _to_sides(codes: Sequence[int], path: str) -> tuple[Side, Side]:
    if len(codes) != _BOARD:
        raise Malformed(f"there are {_BOARD} squares, not {len(codes)}", field=f"{path}squares")
    sides = ([GONE] * STONES, [GONE] * STONES)
    for square, code in enumerate(codes):
        if not code:
            continue
        field = f"{path}squares[{square}]"
        seat, stone = stone_of(number(code, 0, 2 * STONES, field))
        if sides[seat][stone - 1] != GONE:
            raise Malformed(f"{field} repeats a stone", field=field)
        sides[seat][stone - 1] = square
    return tuple(sides[0]), tuple(sides[1])


def _to_position(message: pb.EinsteinPosition, path: str = "") -> Position:
    winner = number(message.winner, 0, 2, f"{path}winner")
    position = Position(
        _to_sides(message.squares, path),
        number(message.to_move, 0, 1, f"{path}to_move"),
        number(message.roll, 0, 6, f"{path}roll"),
        number(message.first, 0, 1, f"{path}first"),
        number(message.arranging, 0, 3, f"{path}arranging"),
        winner - 1 if winner else None,
        one_of(End, message.end, f"{path}end") if message.end else None,
        message.show_roll,
        one_of(First, message.first_option or First.WHITE, f"{path}first_option"),
        one_of(Setup, message.setup or Setup.STANDARD, f"{path}setup"),
    )
    wrong = fault(position)
    if wrong:
        raise Malformed(wrong[1], field=path + wrong[0])
    return position


def _to_view(message: pb.EinsteinView) -> View:
    if not message.HasField("position"):
        raise Malformed("a view has a position", field="position")
    seat = number(message.seat, 0, 2, "seat")
    return View(_to_position(message.position, "position."), seat - 1 if seat else None)


def _to_numbers(numbers: Sequence[int], field: str) -> tuple[int, ...]:
    if sorted(numbers) != list(range(1, STONES + 1)):
        raise Malformed(f"{field} must hold each number from 1 to {STONES} once", field=field)
    return tuple(numbers)


def _to_action(message: pb.EinsteinAction) -> Action:
    match message.WhichOneof("kind"):
        case "move":
            move = message.move
            return Move(number(move.stone, 1, STONES, "move.stone"), number(move.target, 0, _BOARD - 1, "move.target"))
        case "arrange":
            return Arrange(_to_numbers(message.arrange.stones, "arrange.stones"))
        case _:
            raise Malformed("an action moves a stone or arranges them; nobody passes", rule="EWN-TURN-6", field="kind")


def _to_event(message: pb.EinsteinEvent) -> Event:
    match message.WhichOneof("kind"):
        case "moved":
            moved = message.moved
            return Moved(
                number(moved.seat, 0, 1, "moved.seat"),
                number(moved.stone, 1, STONES, "moved.stone"),
                number(moved.source, 0, _BOARD - 1, "moved.source"),
                number(moved.target, 0, _BOARD - 1, "moved.target"),
                number(moved.captured, 0, 2 * STONES, "moved.captured"),
            )
        case "rolled":
            return Rolled(number(message.rolled, 1, 6, "rolled"))
        case "arranged":
            seat = number(message.arranged.seat, 0, 1, "arranged.seat")
            return Arranged(seat, _to_numbers(message.arranged.stones, "arranged.stones"))
        case "ended":
            return Ended(number(message.ended.winner, 0, 1, "ended.winner"), one_of(End, message.ended.end, "ended.end"))
        case _:
            raise Malformed("an event says what happened", field="kind")


class EinsteinCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Kind, Form]] = {
        Kind.OPTIONS: Form(pb.EinsteinOptions, _options, _to_options),
        Kind.POSITION: Form(pb.EinsteinPosition, _position, _to_position),
        Kind.VIEW: Form(pb.EinsteinView, _view, _to_view),
        Kind.ACTION: Form(pb.EinsteinAction, _action, _to_action),
        Kind.EVENT: Form(pb.EinsteinEvent, _event, _to_event),
    }

    def encode_views(self, views: Sequence[View], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return each view in two parts: the position, which everybody sees whole, and who looks at it."""
        whole = block(_WHOLE, position)
        return [(whole, _LOOKING[view.seat]) for view in views]


_SQUARES = block(block_tag(pb.EinsteinPosition.SQUARES_FIELD_NUMBER), bytes(_BOARD))[:-_BOARD]
_WHOLE = block_tag(pb.EinsteinView.POSITION_FIELD_NUMBER)
_LOOKING: Mapping[int | None, bytes] = {
    seat: pb.EinsteinView(seat=0 if seat is None else seat + 1).SerializeToString() for seat in (0, 1, None)
}
