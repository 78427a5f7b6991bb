"""Messages of plateau.proto as the game's values.

Raises Malformed, naming the field, for what contradicts the contract or itself.
"""

from brettwerk.v1 import plateau_pb2 as pb
from services.games.bounds import number, one_of
from services.games.plateau import wire
from services.games.plateau.actions import Action, Ceased, Ended, EndTurn, Event, Fell, Move, Moved, Skipped
from services.games.plateau.board import Army, setup
from services.games.plateau.options import Fallen, First, Options, Shape, Size
from services.games.plateau.position import End, Order, Position, Turn, View
from services.games.refusals import Malformed

_SEATS = 3
_NODES = 263


def _seat(value: int, field: str) -> int:
    return number(value, 0, _SEATS, field)


def _seat_or_none(value: int, field: str) -> int | None:
    return number(value, 0, _SEATS + 1, field) - 1 if value else None


def to_options(message: pb.PlateauOptions, where: str = "") -> Options:
    """Return options."""
    return Options(
        one_of(Size, message.size or Size.FITTING, f"{where}size"),
        one_of(Shape, message.shape or Shape.ROUND, f"{where}shape"),
        one_of(First, message.first or First.LOT, f"{where}first"),
        one_of(Fallen, message.fallen or Fallen.TAKE_OVER, f"{where}fallen"),
        message.conquest_wins,
        message.alliance,
        message.jump_may_end,
        message.touch_move,
    )


def _to_turn(message: pb.PlateauTurn, where: str) -> Turn:
    moved = 0
    for node in message.moved:
        bit = 1 << number(node, 0, _NODES, f"{where}moved")
        if bit <= moved:
            raise Malformed(f"{where}moved names nodes in order, each once", field=f"{where}moved")
        moved |= bit
    return Turn(
        number(message.small, 0, 6, f"{where}small"),
        number(message.emblem, 0, 12, f"{where}emblem"),
        one_of(Order, message.order, f"{where}order"),
        moved,
        number(message.due, 0, 6, f"{where}due"),
    )


def to_position(message: pb.PlateauPosition, where: str = "") -> Position:
    """Return a position that the rules can be asked about."""
    options = to_options(message.options, f"{where}options.")
    seats = number(message.seats, 2, _SEATS + 1, f"{where}seats")
    there = setup(options.size, options.shape, seats)
    if there is None:
        raise Malformed("there is no such board for so many", field=f"{where}options.size")
    fallen = tuple(number(seat, 0, seats - 1, f"{where}fallen") for seat in message.fallen)
    if len(message.history) > wire.MAX_HISTORY:
        raise Malformed(f"{where}history is too long", field=f"{where}history")
    position = Position(
        options,
        wire.armies(message.nodes, there.board, seats, f"{where}nodes"),
        number(message.to_move, 0, seats - 1, f"{where}to_move"),
        _to_turn(message.turn, f"{where}turn."),
        fallen,
        tuple(message.history),
        number(message.winner, 0, seats, f"{where}winner") - 1 if message.winner else None,
        one_of(End, message.end, f"{where}end") if message.end else None,
    )
    wrong = wire.fault(position)
    if wrong:
        raise Malformed(wrong[1], field=where + wrong[0])
    return position


def to_view(message: pb.PlateauView) -> View:
    """Return a view; what it is told besides the position is ignored."""
    if not message.HasField("position"):
        raise Malformed("a view has a position", field="position")
    position = to_position(message.position, "position.")
    seat = number(message.seat, 0, len(position.armies), "seat")
    return View(position, seat - 1 if seat else None)


def to_action(message: pb.PlateauAction) -> Action:
    """Return an action."""
    match message.WhichOneof("kind"):
        case "move":
            move = message.move
            steps = number(move.steps, 1, 12, "move.steps")
            ends = number(move.source, 0, _NODES, "move.source"), number(move.target, 0, _NODES, "move.target")
            path = tuple(number(node, 0, _NODES, "move.path") for node in move.path)
            if path and (path[0], path[-1], len(path) - 1) != (*ends, steps):
                raise Malformed("the path leads from source to target in so many steps", field="move.path")
            return Move(*ends, steps, path if steps > 1 else ())
        case "end_turn":
            return EndTurn()
        case _:
            raise Malformed("an action moves an army or ends the turn", field="kind")


def to_event(message: pb.PlateauEvent) -> Event:
    """Return an event."""
    match message.WhichOneof("kind"):
        case "moved":
            moved = message.moved
            path = tuple(number(node, 0, _NODES, "moved.path") for node in moved.path)
            number(len(path), 2, 13, "moved.path")
            return Moved(
                _seat(moved.seat, "moved.seat"),
                Army(number(moved.army, 1, 4, "moved.army") - 1),
                path,
                wire.army_of(number(moved.captured, 1, 16, "moved.captured")) if moved.captured else None,
                _seat_or_none(moved.conquered, "moved.conquered"),
            )
        case "ceased":
            small, emblem = number(message.ceased.small, 0, 6, "ceased.small"), message.ceased.emblem
            return Ceased(_seat(message.ceased.seat, "ceased.seat"), small, number(emblem, 0, 12, "ceased.emblem"))
        case "skipped":
            return Skipped(_seat(message.skipped.seat, "skipped.seat"))
        case "fell":
            fell = message.fell
            by, inherited = _seat_or_none(fell.by, "fell.by"), number(fell.inherited, 0, 76, "fell.inherited")
            return Fell(_seat(fell.seat, "fell.seat"), by, inherited)
        case "ended":
            return Ended(_seat_or_none(message.ended.winner, "ended.winner"), one_of(End, message.ended.end, "ended.end"))
        case _:
            raise Malformed("an event says what happened", field="kind")
