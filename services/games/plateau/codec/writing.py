"""The game's options, actions and events as messages of plateau.proto. For positions and views see pictures.py."""

from brettwerk.v1 import plateau_pb2 as pb
from services.games.plateau import wire
from services.games.plateau.actions import Action, Ceased, Ended, EndTurn, Event, Fell, Moved, Skipped
from services.games.plateau.options import Options
from services.games.plateau.position import End


def plus_one(seat: int | None) -> int:
    """Return the number of a seat in the contract; 0 for nobody."""
    return 0 if seat is None else seat + 1


def _end(end: End | None) -> pb.PlateauEnd.ValueType:
    return pb.PlateauEnd.ValueType(end or 0)


def options_message(options: Options) -> pb.PlateauOptions:
    """Return options."""
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


def action_message(action: Action) -> pb.PlateauAction:
    """Return an action."""
    if isinstance(action, EndTurn):
        return pb.PlateauAction(end_turn=pb.PlateauEndTurn())
    return pb.PlateauAction(move=pb.PlateauMove(**action._asdict()))


def event_message(event: Event) -> pb.PlateauEvent:
    """Return an event."""
    match event:
        case Moved(seat=seat, army=army, path=path, captured=captured, conquered=conquered):
            code = 0 if captured is None else wire.code(*captured)
            moved = pb.PlateauMoved(seat=seat, army=army + 1, path=path, captured=code, conquered=plus_one(conquered))
            return pb.PlateauEvent(moved=moved)
        case Ceased():
            return pb.PlateauEvent(ceased=pb.PlateauCeased(**event._asdict()))
        case Skipped(seat=seat):
            return pb.PlateauEvent(skipped=pb.PlateauSkipped(seat=seat))
        case Fell(seat=seat, by=by, inherited=inherited):
            return pb.PlateauEvent(fell=pb.PlateauFell(seat=seat, by=plus_one(by), inherited=inherited))
        case Ended(winner=winner, end=end):
            return pb.PlateauEvent(ended=pb.PlateauEnded(winner=plus_one(winner), end=_end(end)))
