"""EinStein würfelt nicht as the platform knows it: its modules on the base for games without secrets."""

from collections.abc import Sequence

from brettwerk_games.rules.einstein import notation, orders, rules, scene, start, texts
from brettwerk_games.rules.einstein.actions import Action, Event
from brettwerk_games.rules.einstein.codec import EinsteinCodec
from brettwerk_games.rules.einstein.options import FACTS, Options
from brettwerk_games.rules.einstein.position import Position, View
from brettwerk_games.rules.optional import Group
from brettwerk_games.rules.turn_game import OpenGame


class Einstein(OpenGame[Position, View, Action, Event, Options]):
    """The game; brettwerk_games/rules/interface.py says what each method does."""

    facts = FACTS
    codec = EinsteinCodec()
    turns = rules.TURNS
    view_type = View
    new = staticmethod(start.new)
    legal = staticmethod(rules.legal)
    act = staticmethod(rules.act)
    over = staticmethod(rules.over)
    reoption = staticmethod(rules.reoption)
    due = staticmethod(rules.due)
    write = staticmethod(notation.write)
    parse = staticmethod(notation.parse)
    find = staticmethod(notation.find)
    line = staticmethod(texts.line)
    ends_line = staticmethod(texts.ends_line)
    notations = staticmethod(texts.notations)
    require_consistent = staticmethod(texts.require_consistent)
    open_to_all = staticmethod(texts.open_to_all)
    board_of = staticmethod(scene.board_of)
    choice = staticmethod(scene.choice)
    scene = staticmethod(scene.scene)
    odds_tables = staticmethod(rules.odds_tables)
    require_order = staticmethod(orders.require_order)
    next_action = staticmethod(orders.next_action)

    def groups(self, view: View) -> Sequence[Group]:
        """Return the actions of the view's seat in groups."""
        return scene.groups(view.position) if view.seat in self.to_act(view.position) else ()
