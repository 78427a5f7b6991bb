"""Empire Plateau as the platform knows it: its modules on the base for games without secrets."""

from brettwerk_games.rules.plateau import notation, orders, position, rules, scene, start
from brettwerk_games.rules.plateau.actions import Action, Event
from brettwerk_games.rules.plateau.codec import PlateauCodec
from brettwerk_games.rules.plateau.options import FACTS, Options
from brettwerk_games.rules.plateau.position import Position, View
from brettwerk_games.rules.turn_game import OpenGame


class Plateau(OpenGame[Position, View, Action, Event, Options]):
    """The game; brettwerk_games/rules/interface.py says what each method does."""

    facts = FACTS
    codec = PlateauCodec()
    turns = rules.TURNS
    view_type = View
    new = staticmethod(start.new)
    new_by = staticmethod(start.new_by)
    rematch_options = staticmethod(start.rematch_options)
    sides = staticmethod(position.sides)
    legal = staticmethod(rules.legal)
    first_actions = staticmethod(rules.first_actions)
    act = staticmethod(rules.act)
    leave = staticmethod(rules.leave)
    over = staticmethod(rules.over)
    reoption = staticmethod(rules.reoption)
    outcome = staticmethod(rules.outcome)
    due = staticmethod(rules.due)
    listed = staticmethod(rules.as_listed)
    write = staticmethod(notation.write)
    parse = staticmethod(notation.parse)
    find = staticmethod(notation.find)
    board_of = staticmethod(scene.board_of)
    choice = staticmethod(scene.choice)
    scene = staticmethod(scene.scene)
    require_order = staticmethod(orders.require_order)
    next_action = staticmethod(orders.next_action)

    def seats(self, position: Position) -> int:
        """Return how many play."""
        return len(position.armies)
