"""What comes from outside of the turns: seats that give up, agreed draws, changed options (EMP-END-8, EMP-END-4, EMP-PARAM-1)."""

from services.games.emperado.actions import Event
from services.games.emperado.ending import END_RULE, eliminate, end
from services.games.emperado.options import Options, require_change
from services.games.emperado.position import End, Position, seats_in
from services.games.emperado.turn import pass_on
from services.games.emperado.world import LETTERS
from services.games.interface import Draw, Flag, Reoption, Resign, Step, SystemAction
from services.games.refusals import GameOver, Illegal, Malformed


def system_action(position: Position, system_action: SystemAction[Options], seed: bytes) -> Step[Position, Event]:
    """Return the step of a system action.

    Who plays which seat is no option that seats agree on; seating.py has it.

    Raises GameOver after the end, Illegal for a seat that is out or options that are settled, Malformed for what cannot be.
    """
    if position.end is not None:
        raise GameOver("the game is over", rule=END_RULE[position.end])
    match system_action:
        case Resign(seat=seat):
            return _leave(position, seat, End.RESIGNED)
        case Flag(seat=seat):
            return _leave(position, seat, End.TIME)
        case Draw():
            over, event = end(position, None, End.AGREED)
            return Step(over, (event,))
        case Reoption(options=options):
            require_change(position.options, options)
            return Step(position._replace(options=options._replace(computers=position.options.computers)))


def _leave(position: Position, seat: int, how: End) -> Step[Position, Event]:
    """Return the step in which a seat goes: its countries turn white, and its turn, if it is its turn, is over (EMP-END-8)."""
    if not 0 <= seat < len(position.parties):
        raise Malformed("there is no such seat", field="seat")
    if position.parties[seat].out:
        raise Illegal("the seat is out of the game", rule="EMP-END-1", details={"seat": LETTERS[seat]})
    position, gone = eliminate(position, seat, None)
    standing = seats_in(position)
    if len(standing) == 1:
        over, ended = end(position, standing[0], how)
        return Step(over, (gone, ended))
    if seat != position.to_move:
        return Step(position, (gone,))
    after, events = pass_on(position)
    return Step(after, (gone, *events), reveals=True)
