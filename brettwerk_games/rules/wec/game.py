"""Weaponized Chess as the platform knows it: its modules on the base for games in which one seat at a time is to act."""

from brettwerk_games.rules.turn_game import TurnGame
from brettwerk_games.rules.wec import (
    action_list,
    boards,
    disclosure,
    edited_start,
    notation_reader,
    notation_writer,
    orders,
    patterns,
    reach_map,
    repetition,
    rules,
    sampler,
    scene,
    start,
    texts,
)
from brettwerk_games.rules.wec import view as perspective
from brettwerk_games.rules.wec.actions import Action, Event
from brettwerk_games.rules.wec.codec import WecCodec
from brettwerk_games.rules.wec.options import FACTS, Options
from brettwerk_games.rules.wec.position import Position, View


class WeaponizedChess(TurnGame[Position, View, Action, Event, Options]):
    """The game; brettwerk_games/rules/interface.py says what each method does."""

    facts = FACTS
    codec = WecCodec()
    turns = rules.TURNS
    new = staticmethod(start.new)
    new_by = staticmethod(start.new_by)
    actions = staticmethod(rules.actions)
    first_actions = staticmethod(rules.first_actions)
    groups = staticmethod(action_list.groups)
    act = staticmethod(rules.act)
    over = staticmethod(rules.over)
    reoption = staticmethod(rules.reoption)
    due = staticmethod(rules.due)
    view = staticmethod(perspective.view)
    show = staticmethod(perspective.show)
    sample = staticmethod(sampler.sample)
    board = staticmethod(boards.board)
    draw_votes = staticmethod(repetition.draw_votes)
    start_warnings = staticmethod(edited_start.start_warnings)
    write = staticmethod(notation_writer.write)
    read_by = staticmethod(rules.read_by)
    unaware = staticmethod(disclosure.unaware)
    can_hide = staticmethod(disclosure.can_hide)
    is_open = staticmethod(perspective.is_open)
    read = staticmethod(notation_reader.read)
    line = staticmethod(texts.line)
    ends_line = staticmethod(texts.ends_line)
    notations = staticmethod(texts.notations)
    require_consistent = staticmethod(texts.require_consistent)
    open_to_all = staticmethod(texts.open_to_all)
    choice = staticmethod(scene.choice)
    choices = staticmethod(scene.choices)
    scene = staticmethod(scene.scene)
    board_of = staticmethod(patterns.board_of)
    reaches = staticmethod(reach_map.reaches)
    require_order = staticmethod(orders.require_order)
    next_action = staticmethod(orders.next_action)

    def known(self, view: View) -> tuple[View, int]:
        """Return the view, which knows turn and end itself, and its eye."""
        return view, view.eye
