"""The actions from outside turns: seats that give up, agreed draws, changed options (EMP-END-8, EMP-END-4, EMP-PARAM-1)."""

from brettwerk_games.rules.emperado.actions import Event
from brettwerk_games.rules.emperado.game_end import eliminate, end
from brettwerk_games.rules.emperado.options import Options, require_change
from brettwerk_games.rules.emperado.position import End, Position, seats_in
from brettwerk_games.rules.emperado.turn import pass_on
from brettwerk_games.rules.emperado.world import LETTERS
from brettwerk_games.rules.interface import Step
from brettwerk_games.rules.refusals import Illegal


def over(position: Position, how: End, winner: int | None) -> Step[Position, Event]:
    """Return the step in which the game is over: a draw that was agreed (EMP-END-4).

    >>> over(position, End.AGREED, None).events
    (Ended(winner=None, end=<End.AGREED: 2>),)
    """
    after, event = end(position, winner, how)
    return Step(after, (event,))


def reoption(position: Position, options: Options) -> Step[Position, Event]:
    """Return the step with other options (EMP-PARAM-1). Raises Malformed or Illegal for those that cannot be, or are settled.

    The kinds of players are no option that seats agree on; seat_kinds.py has it.

    >>> reoption(position, Options(info_time=9)).position.options.info_time
    9
    >>> reoption(position, Options(start_armies=9))
    Traceback (most recent call last):
        ...
    brettwerk_games.rules.refusals.Illegal: start_armies is settled before the start
    """
    require_change(position.options, options)
    return Step(position._replace(options=options._replace(computers=position.options.computers)))


def leave(position: Position, seat: int, how: End, seed: bytes) -> Step[Position, Event]:
    """Return the step in which a seat goes: its countries turn white, and its turn, if it is its turn, is over (EMP-END-8).

    Raises Illegal for a seat that is out.

    >>> leave(position, 2, End.RESIGNED, bytes(32)).events
    (Eliminated(seat=2, by=None, cards=0),)
    """
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
