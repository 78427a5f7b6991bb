"""The kind of player at a seat, a person or a computer (EMP-PLAYER-2). Only two parameters make use of it (EMP-AI-3)."""

from collections.abc import Sequence

from brettwerk_games.rules.emperado.actions import Event
from brettwerk_games.rules.emperado.game_end import TURNS
from brettwerk_games.rules.emperado.options import MAX_SEATS
from brettwerk_games.rules.emperado.position import Position
from brettwerk_games.rules.emperado.turn import begin
from brettwerk_games.rules.interface import Step


def seated(position: Position, computers: Sequence[bool], seed: bytes) -> Step[Position, Event]:
    """Return the step in which the game learns which seats computers play. Raises GameOver after the end.

    It holds at once (EMP-PLAYER-3). The armies that the seat to act has received stay, but before the very first action: the game
    began before it could be told, so the first seat's armies are counted anew (EMP-REINF-6).
    """
    TURNS.require_on(position)
    marks = tuple(computers) + (False,) * (MAX_SEATS - len(computers))
    after = position._replace(options=position.options._replace(computers=marks))
    if position.played or position.round > 1:
        return Step(after)
    again, events = begin(after._replace(to_place=0))
    return Step(again, events if again.to_place != position.to_place else ())
