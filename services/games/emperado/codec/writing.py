"""Messages of options, actions and events; positions and views are in pictures.py."""

from typing import Any

from brettwerk.v1 import emperado_pb2 as pb
from services.games.emperado.actions import (
    Action,
    Attack,
    Done,
    Drew,
    Eliminated,
    Ended,
    Enter,
    Entered,
    Event,
    Exchange,
    Exchanged,
    Fought,
    Move,
    Moved,
    Place,
    Placed,
    Received,
)
from services.games.emperado.options import Options

_BODIES: dict[type, tuple[str, Any]] = {
    Exchange: ("exchange", pb.EmperadoExchange),
    Place: ("place", pb.EmperadoPlace),
    Attack: ("attack", pb.EmperadoAttack),
    Enter: ("enter", pb.EmperadoEnter),
    Move: ("move", pb.EmperadoMove),
    Done: ("done", pb.EmperadoDone),
    Received: ("received", pb.EmperadoReceived),
    Exchanged: ("exchanged", pb.EmperadoExchanged),
    Placed: ("placed", pb.EmperadoPlaced),
    Fought: ("fought", pb.EmperadoFought),
    Entered: ("entered", pb.EmperadoEntered),
    Moved: ("moved", pb.EmperadoMoved),
    Eliminated: ("eliminated", pb.EmperadoEliminated),
    Drew: ("drew", pb.EmperadoDrew),
    Ended: ("ended", pb.EmperadoEnded),
}
"""By kind of action and event: the field of the oneof and the message in it."""


def plus_one(seat: int | None) -> int:
    """Return a seat as messages name it, 0 for nobody."""
    return 0 if seat is None else seat + 1


def options_message(options: Options) -> pb.EmperadoOptions:
    """Return options as a message."""
    return pb.EmperadoOptions(**{**options._asdict(), "computers": map(int, options.computers)})


def action_message(action: Action) -> pb.EmperadoAction:
    """Return an action as a message."""
    return pb.EmperadoAction(**_body(action))


def event_message(event: Event) -> pb.EmperadoEvent:
    """Return an event as a message."""
    return pb.EmperadoEvent(**_body(event))


def _body(value: Action | Event) -> dict[str, Any]:
    """Return the body of an action or event by the name of its field."""
    name, message = _BODIES[type(value)]
    fields = {field: getattr(value, field) for field in value.__slots__}
    match value:
        case Fought(defender=defender, last=last):
            throws = [pb.EmperadoThrow(**throw._asdict()) for throw in last]
            return {name: message(**{**fields, "defender": defender + 1, "last": throws})}
        case Eliminated(by=by):
            return {name: message(**{**fields, "by": plus_one(by)})}
        case Ended(winner=winner):
            return {name: message(**{**fields, "winner": plus_one(winner)})}
        case _:
            return {name: message(**fields)}
