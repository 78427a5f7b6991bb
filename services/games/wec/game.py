"""Weaponized Chess as the platform knows it: its modules behind the game interface."""

from services.games.wec import (
    boards,
    editing,
    listing,
    reaching,
    reading,
    repeating,
    rules,
    sampling,
    scene,
    start,
    telling,
    texts,
    writing,
)
from services.games.wec import view as perspective
from services.games.wec.codec import WecCodec
from services.games.wec.options import FACTS
from services.games.wec.position import Position


class WeaponizedChess:
    """The game; services/games/interface.py says what each method does."""

    facts = FACTS
    codec = WecCodec()
    new = staticmethod(start.new)
    new_by = staticmethod(start.new_by)
    to_act = staticmethod(rules.to_act)
    actions = staticmethod(rules.actions)
    first_actions = staticmethod(rules.first_actions)
    groups = staticmethod(listing.groups)
    apply = staticmethod(rules.apply)
    system_action = staticmethod(rules.system_action)
    outcome = staticmethod(rules.outcome)
    expire = staticmethod(rules.expire)
    view = staticmethod(perspective.view)
    show = staticmethod(perspective.show)
    sample = staticmethod(sampling.sample)
    board = staticmethod(boards.board)
    draw_votes = staticmethod(repeating.draw_votes)
    start_warnings = staticmethod(editing.start_warnings)
    write = staticmethod(writing.write)
    read_by = staticmethod(rules.read_by)
    unaware = staticmethod(telling.unaware)
    can_hide = staticmethod(telling.can_hide)
    is_open = staticmethod(perspective.is_open)
    read = staticmethod(reading.read)
    line = staticmethod(texts.line)
    ends_line = staticmethod(texts.ends_line)
    notations = staticmethod(texts.notations)
    require_consistent = staticmethod(texts.require_consistent)
    open_to_all = staticmethod(texts.open_to_all)
    choice = staticmethod(scene.choice)
    choices = staticmethod(scene.choices)
    scene = staticmethod(scene.scene)
    reaches = staticmethod(reaching.reaches)

    def seats(self, position: Position) -> int:
        """Return 2."""
        return len(self.facts.seats)
