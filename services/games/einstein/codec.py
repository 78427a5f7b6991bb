"""The game's values as messages of einstein.proto and back: the only module of the game that knows generated code."""

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message

from brettwerk.v1 import einstein_pb2 as pb
from services.games.einstein.actions import Action, Arrange, Arranged, Ended, Event, Move, Moved, Rolled
from services.games.einstein.board import SIZE, STONES
from services.games.einstein.options import First, Options, Setup
from services.games.einstein.position import GONE, End, Position, Side, View, fault, squares, stone_of
from services.games.interface import Kind
from services.games.refusals import Malformed

_MESSAGES: dict[Kind, type[Message]] = {
    Kind.OPTIONS: pb.EinsteinOptions,
    Kind.POSITION: pb.EinsteinPosition,
    Kind.VIEW: pb.EinsteinView,
    Kind.ACTION: pb.EinsteinAction,
    Kind.EVENT: pb.EinsteinEvent,
}
_NAMES = {kind: message.DESCRIPTOR.full_name for kind, message in _MESSAGES.items()}
_BOARD = SIZE * SIZE

N = TypeVar("N", bound=IntEnum)


class EinsteinCodec:
    """Carries the game's values."""

    def type_name(self, kind: Kind) -> str:
        """Return the full name of a kind's message."""
        return _NAMES[kind]

    def encode(self, kind: Kind, value: Any) -> bytes:
        """Return the canonical bytes of a value."""
        message: Message
        match kind:
            case Kind.OPTIONS:
                message = _options(value)
            case Kind.POSITION:
                message = _position(value)
            case Kind.VIEW:
                message = _view(value)
            case Kind.ACTION:
                message = _action(value)
            case Kind.EVENT:
                message = _event(value)
        return message.SerializeToString(deterministic=True)

    def decode(self, kind: Kind, data: bytes) -> Any:
        """Return the value of bytes. Raises Malformed with the field for what contradicts the contract or itself."""
        message: Any = _MESSAGES[kind]()
        try:
            message.ParseFromString(data)
        except DecodeError as error:
            raise Malformed(f"not a {_NAMES[kind]}") from error
        match kind:
            case Kind.OPTIONS:
                return _to_options(message)
            case Kind.POSITION:
                return _to_position(message, "")
            case Kind.VIEW:
                return _to_view(message)
            case Kind.ACTION:
                return _to_action(message)
            case Kind.EVENT:
                return _to_event(message)


def _first(first: First) -> pb.EinsteinFirst.ValueType:
    return pb.EinsteinFirst.ValueType(first)


def _setup(setup: Setup) -> pb.EinsteinSetup.ValueType:
    return pb.EinsteinSetup.ValueType(setup)


def _end(end: End | None) -> pb.EinsteinEnd.ValueType:
    return pb.EinsteinEnd.ValueType(end or 0)


def _options(options: Options) -> pb.EinsteinOptions:
    return pb.EinsteinOptions(first=_first(options.first), setup=_setup(options.setup), show_roll=options.show_roll)


@lru_cache(maxsize=64)
def _position(position: Position) -> pb.EinsteinPosition:
    """Return the message; nobody may change it. A position is soon asked for again, by the views of all seats."""
    return pb.EinsteinPosition(
        squares=squares(position),
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


def _view(view: View) -> pb.EinsteinView:
    return pb.EinsteinView(position=_position(view.position), seat=0 if view.seat is None else view.seat + 1)


def _action(action: Action) -> pb.EinsteinAction:
    if isinstance(action, Arrange):
        return pb.EinsteinAction(arrange=pb.EinsteinArrange(stones=action.stones))
    return pb.EinsteinAction(move=pb.EinsteinMove(stone=action.stone, target=action.target))


def _event(event: Event) -> pb.EinsteinEvent:
    match event:
        case Moved():
            return pb.EinsteinEvent(moved=pb.EinsteinMoved(**event._asdict()))
        case Rolled(roll=roll):
            return pb.EinsteinEvent(rolled=roll)
        case Arranged(seat=seat, stones=stones):
            return pb.EinsteinEvent(arranged=pb.EinsteinArranged(seat=seat, stones=stones))
        case Ended(winner=winner, end=end):
            return pb.EinsteinEvent(ended=pb.EinsteinEnded(winner=winner, end=_end(end)))


def _number(value: int, least: int, most: int, field: str) -> int:
    if not least <= value <= most:
        raise Malformed(f"{field} is {value}, not from {least} to {most}", field=field)
    return value


def _one_of(values: type[N], number: int, field: str) -> N:
    try:
        return values(number)
    except ValueError as error:
        raise Malformed(f"{field} has no value {number}", field=field) from error


def _to_options(message: pb.EinsteinOptions) -> Options:
    first = _one_of(First, message.first or First.WHITE, "first")
    return Options(first, _one_of(Setup, message.setup or Setup.STANDARD, "setup"), message.show_roll)


def _to_sides(codes: Sequence[int], path: str) -> tuple[Side, Side]:
    if len(codes) != _BOARD:
        raise Malformed(f"there are {_BOARD} squares, not {len(codes)}", field=f"{path}squares")
    sides = ([GONE] * STONES, [GONE] * STONES)
    for square, code in enumerate(codes):
        if not code:
            continue
        field = f"{path}squares[{square}]"
        seat, stone = stone_of(_number(code, 0, 2 * STONES, field))
        if sides[seat][stone - 1] != GONE:
            raise Malformed(f"{field} repeats a stone", field=field)
        sides[seat][stone - 1] = square
    return tuple(sides[0]), tuple(sides[1])


def _to_position(message: pb.EinsteinPosition, path: str) -> Position:
    winner = _number(message.winner, 0, 2, f"{path}winner")
    position = Position(
        _to_sides(message.squares, path),
        _number(message.to_move, 0, 1, f"{path}to_move"),
        _number(message.roll, 0, 6, f"{path}roll"),
        _number(message.first, 0, 1, f"{path}first"),
        _number(message.arranging, 0, 3, f"{path}arranging"),
        winner - 1 if winner else None,
        _one_of(End, message.end, f"{path}end") if message.end else None,
        message.show_roll,
        _one_of(First, message.first_option or First.WHITE, f"{path}first_option"),
        _one_of(Setup, message.setup or Setup.STANDARD, f"{path}setup"),
    )
    wrong = fault(position)
    if wrong:
        raise Malformed(wrong[1], field=path + wrong[0])
    return position


def _to_view(message: pb.EinsteinView) -> View:
    if not message.HasField("position"):
        raise Malformed("a view has a position", field="position")
    seat = _number(message.seat, 0, 2, "seat")
    return View(_to_position(message.position, "position."), seat - 1 if seat else None)


def _to_numbers(numbers: Sequence[int], field: str) -> tuple[int, ...]:
    if sorted(numbers) != list(range(1, STONES + 1)):
        raise Malformed(f"{field} must hold each number from 1 to {STONES} once", field=field)
    return tuple(numbers)


def _to_action(message: pb.EinsteinAction) -> Action:
    match message.WhichOneof("kind"):
        case "move":
            move = message.move
            return Move(_number(move.stone, 1, STONES, "move.stone"), _number(move.target, 0, _BOARD - 1, "move.target"))
        case "arrange":
            return Arrange(_to_numbers(message.arrange.stones, "arrange.stones"))
        case _:
            raise Malformed("an action moves a stone or arranges them; nobody passes", rule="EWN-TURN-6", field="kind")


def _to_event(message: pb.EinsteinEvent) -> Event:
    match message.WhichOneof("kind"):
        case "moved":
            moved = message.moved
            return Moved(
                _number(moved.seat, 0, 1, "moved.seat"),
                _number(moved.stone, 1, STONES, "moved.stone"),
                _number(moved.source, 0, _BOARD - 1, "moved.source"),
                _number(moved.target, 0, _BOARD - 1, "moved.target"),
                _number(moved.captured, 0, 2 * STONES, "moved.captured"),
            )
        case "rolled":
            return Rolled(_number(message.rolled, 1, 6, "rolled"))
        case "arranged":
            seat = _number(message.arranged.seat, 0, 1, "arranged.seat")
            return Arranged(seat, _to_numbers(message.arranged.stones, "arranged.stones"))
        case "ended":
            return Ended(_number(message.ended.winner, 0, 1, "ended.winner"), _one_of(End, message.ended.end, "ended.end"))
        case _:
            raise Malformed("an event says what happened", field="kind")
