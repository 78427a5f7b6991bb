"""The game's values as messages of plateau.proto and back: the only module of the game that knows generated code."""

from collections.abc import Mapping
from typing import ClassVar

from brettwerk.v1 import plateau_pb2 as pb
from services.games.bounds import one_of
from services.games.interface import Kind
from services.games.messages import Form, MessageCodec
from services.games.plateau import wire
from services.games.plateau.actions import Action, Ceased, Ended, EndTurn, Event, Fell, Move, Moved, Skipped
from services.games.plateau.board import Army, bits, setup
from services.games.plateau.guide import outlook, tally
from services.games.plateau.options import Fallen, First, Options, Shape, Size
from services.games.plateau.position import End, Order, Position, Turn, View
from services.games.refusals import Malformed

_SEATS = 3
_NODES = 263


def _plus_one(seat: int | None) -> int:
    return 0 if seat is None else seat + 1


def _end(end: End | None) -> pb.PlateauEnd.ValueType:
    return pb.PlateauEnd.ValueType(end or 0)


def _options(options: Options) -> pb.PlateauOptions:
    return pb.PlateauOptions(
        size=pb.PlateauSize.ValueType(options.size),
        shape=pb.PlateauShape.ValueType(options.shape),
        first=pb.PlateauFirst.ValueType(options.first),
        fallen=pb.PlateauFallen.ValueType(options.fallen),
        conquest_wins=options.conquest_wins,
        alliance=options.alliance,
        jump_may_end=options.jump_may_end,
        touch_move=options.touch_move,
    )


def _position(position: Position) -> pb.PlateauPosition:
    small, emblem, order, moved, due = position.turn
    return pb.PlateauPosition(
        options=_options(position.options),
        seats=len(position.armies),
        nodes=wire.codes(position),
        to_move=position.to_move,
        turn=pb.PlateauTurn(small=small, emblem=emblem, order=pb.PlateauOrder.ValueType(order), moved=bits(moved), due=due),
        fallen=position.fallen,
        history=position.history,
        winner=_plus_one(position.winner),
        end=_end(position.end),
    )


def _guide(view: View) -> pb.PlateauGuide:
    position = view.position
    board = position.board
    red = bits(~board.nodes & (1 << len(board.names)) - 1)
    guide = pb.PlateauGuide(bases=position.setup.bases, red=red)
    if position.end is None:
        guide.tally.CopyFrom(pb.PlateauTally(**tally(position)._asdict()))
    sight = outlook(view)
    if sight is not None:
        size = (len(board.names) + 7) // 8
        guide.ready.extend(sight.ready)
        guide.open = (sight.passable & ~sight.home).to_bytes(size, "little")
        guide.open_to_emblem = sight.passable.to_bytes(size, "little")
        guide.ways.extend(pb.PlateauWay(nodes=nodes) for nodes in sight.ways)
        guide.threats.extend(pb.PlateauWay(nodes=nodes) for nodes in sight.threats)
    return guide


def _view(view: View) -> pb.PlateauView:
    return pb.PlateauView(position=_position(view.position), seat=_plus_one(view.seat), guide=_guide(view))


def _action(action: Action) -> pb.PlateauAction:
    if isinstance(action, EndTurn):
        return pb.PlateauAction(end_turn=pb.PlateauEndTurn())
    return pb.PlateauAction(move=pb.PlateauMove(**action._asdict()))


def _event(event: Event) -> pb.PlateauEvent:
    match event:
        case Moved(seat=seat, army=army, path=path, captured=captured, conquered=conquered):
            code = 0 if captured is None else wire.code(*captured)
            moved = pb.PlateauMoved(seat=seat, army=army + 1, path=path, captured=code, conquered=_plus_one(conquered))
            return pb.PlateauEvent(moved=moved)
        case Ceased():
            return pb.PlateauEvent(ceased=pb.PlateauCeased(**event._asdict()))
        case Skipped(seat=seat):
            return pb.PlateauEvent(skipped=pb.PlateauSkipped(seat=seat))
        case Fell(seat=seat, by=by, inherited=inherited):
            return pb.PlateauEvent(fell=pb.PlateauFell(seat=seat, by=_plus_one(by), inherited=inherited))
        case Ended(winner=winner, end=end):
            return pb.PlateauEvent(ended=pb.PlateauEnded(winner=_plus_one(winner), end=_end(end)))


def _number(value: int, least: int, most: int, field: str) -> int:
    if not least <= value <= most:
        raise Malformed(f"{field} is {value}, not from {least} to {most}", field=field)
    return value


def _seat(value: int, field: str) -> int:
    return _number(value, 0, _SEATS, field)


def _seat_or_none(value: int, field: str) -> int | None:
    return _number(value, 0, _SEATS + 1, field) - 1 if value else None


def _to_options(message: pb.PlateauOptions, where: str = "") -> Options:
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
        bit = 1 << _number(node, 0, _NODES, f"{where}moved")
        if bit <= moved:
            raise Malformed(f"{where}moved names nodes in order, each once", field=f"{where}moved")
        moved |= bit
    return Turn(
        _number(message.small, 0, 6, f"{where}small"),
        _number(message.emblem, 0, 12, f"{where}emblem"),
        one_of(Order, message.order, f"{where}order"),
        moved,
        _number(message.due, 0, 6, f"{where}due"),
    )


def _to_position(message: pb.PlateauPosition, where: str = "") -> Position:
    options = _to_options(message.options, f"{where}options.")
    seats = _number(message.seats, 2, _SEATS + 1, f"{where}seats")
    there = setup(options.size, options.shape, seats)
    if there is None:
        raise Malformed("there is no such board for so many", field=f"{where}options.size")
    fallen = tuple(_number(seat, 0, seats - 1, f"{where}fallen") for seat in message.fallen)
    if len(message.history) > wire.MOST_HISTORY:
        raise Malformed(f"{where}history is too long", field=f"{where}history")
    position = Position(
        options,
        wire.armies(message.nodes, there.board, seats, f"{where}nodes"),
        _number(message.to_move, 0, seats - 1, f"{where}to_move"),
        _to_turn(message.turn, f"{where}turn."),
        fallen,
        tuple(message.history),
        _number(message.winner, 0, seats, f"{where}winner") - 1 if message.winner else None,
        one_of(End, message.end, f"{where}end") if message.end else None,
    )
    wrong = wire.fault(position)
    if wrong:
        raise Malformed(wrong[1], field=where + wrong[0])
    return position


def _to_view(message: pb.PlateauView) -> View:
    if not message.HasField("position"):
        raise Malformed("a view has a position", field="position")
    position = _to_position(message.position, "position.")
    seat = _number(message.seat, 0, len(position.armies), "seat")
    return View(position, seat - 1 if seat else None)


def _to_action(message: pb.PlateauAction) -> Action:
    match message.WhichOneof("kind"):
        case "move":
            move = message.move
            steps = _number(move.steps, 1, 12, "move.steps")
            ends = _number(move.source, 0, _NODES, "move.source"), _number(move.target, 0, _NODES, "move.target")
            path = tuple(_number(node, 0, _NODES, "move.path") for node in move.path)
            if path and (path[0], path[-1], len(path) - 1) != (*ends, steps):
                raise Malformed("the path leads from source to target in so many steps", field="move.path")
            return Move(*ends, steps, path if steps > 1 else ())
        case "end_turn":
            return EndTurn()
        case _:
            raise Malformed("an action moves an army or ends the turn", field="kind")


def _to_event(message: pb.PlateauEvent) -> Event:
    match message.WhichOneof("kind"):
        case "moved":
            moved = message.moved
            path = tuple(_number(node, 0, _NODES, "moved.path") for node in moved.path)
            _number(len(path), 2, 13, "moved.path")
            return Moved(
                _seat(moved.seat, "moved.seat"),
                Army(_number(moved.army, 1, 4, "moved.army") - 1),
                path,
                wire.army_of(_number(moved.captured, 1, 16, "moved.captured")) if moved.captured else None,
                _seat_or_none(moved.conquered, "moved.conquered"),
            )
        case "ceased":
            small, emblem = _number(message.ceased.small, 0, 6, "ceased.small"), message.ceased.emblem
            return Ceased(_seat(message.ceased.seat, "ceased.seat"), small, _number(emblem, 0, 12, "ceased.emblem"))
        case "skipped":
            return Skipped(_seat(message.skipped.seat, "skipped.seat"))
        case "fell":
            fell = message.fell
            by, inherited = _seat_or_none(fell.by, "fell.by"), _number(fell.inherited, 0, 76, "fell.inherited")
            return Fell(_seat(fell.seat, "fell.seat"), by, inherited)
        case "ended":
            return Ended(_seat_or_none(message.ended.winner, "ended.winner"), one_of(End, message.ended.end, "ended.end"))
        case _:
            raise Malformed("an event says what happened", field="kind")


class PlateauCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Kind, Form]] = {
        Kind.OPTIONS: Form(pb.PlateauOptions, _options, _to_options),
        Kind.POSITION: Form(pb.PlateauPosition, _position, _to_position),
        Kind.VIEW: Form(pb.PlateauView, _view, _to_view),
        Kind.ACTION: Form(pb.PlateauAction, _action, _to_action),
        Kind.EVENT: Form(pb.PlateauEvent, _event, _to_event),
    }
