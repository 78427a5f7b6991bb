"""EMPERADO as the platform knows it: its modules on the base for games in which one seat at a time is to act."""

from brettwerk_games.rules.emperado import (
    deal,
    game_end,
    legal,
    notation,
    orders,
    play,
    scene,
    seat_kinds,
    strength,
    system_actions,
)
from brettwerk_games.rules.emperado import view as views
from brettwerk_games.rules.emperado.actions import Action, Event
from brettwerk_games.rules.emperado.codec import EmperadoCodec
from brettwerk_games.rules.emperado.odds_tables import odds_tables
from brettwerk_games.rules.emperado.options import FACTS, Options
from brettwerk_games.rules.emperado.position import Position, View, hold
from brettwerk_games.rules.emperado.survey import survey
from brettwerk_games.rules.turn_game import TurnGame


class Emperado(TurnGame[Position, View, Action, Event, Options]):
    """The game; brettwerk_games/rules/interface.py says what each method does."""

    facts = FACTS
    codec = EmperadoCodec()
    turns = game_end.TURNS
    new = staticmethod(deal.new)
    new_by = staticmethod(deal.new_by)
    actions = staticmethod(legal.actions)
    groups = staticmethod(legal.groups)
    act = staticmethod(play.act)
    leave = staticmethod(system_actions.leave)
    over = staticmethod(system_actions.over)
    reoption = staticmethod(system_actions.reoption)
    outcome = staticmethod(game_end.outcome)
    due = staticmethod(legal.due)
    view = staticmethod(views.view)
    show = staticmethod(views.show)
    sample = staticmethod(views.sample)
    write = staticmethod(notation.write)
    parse = staticmethod(notation.parse)
    find = staticmethod(notation.find)
    board_of = staticmethod(scene.board_of)
    choice = staticmethod(scene.choice)
    scene = staticmethod(scene.scene)
    seated = staticmethod(seat_kinds.seated)
    hold = staticmethod(hold)
    draw_votes = staticmethod(strength.draw_votes)
    odds_tables = staticmethod(odds_tables)
    survey = staticmethod(survey)
    require_order = staticmethod(orders.require_order)
    next_action = staticmethod(orders.next_action)

    def seats(self, position: Position) -> int:
        """Return how many play."""
        return len(position.parties)
