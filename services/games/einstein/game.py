"""EinStein würfelt nicht as the platform knows it: its modules behind the game interface."""

from services.games.einstein import notation, rules, scene, start, texts
from services.games.einstein import view as views
from services.games.einstein.codec import EinsteinCodec
from services.games.einstein.mobility import odds_tables
from services.games.einstein.options import FACTS
from services.games.einstein.position import Position


class Einstein:
    """The game; services/games/interface.py says what each method does."""

    facts = FACTS
    codec = EinsteinCodec()
    new = staticmethod(start.new)
    to_act = staticmethod(rules.to_act)
    actions = staticmethod(rules.actions)
    apply = staticmethod(rules.apply)
    system_action = staticmethod(rules.system_action)
    outcome = staticmethod(rules.outcome)
    expire = staticmethod(rules.expire)
    view = staticmethod(views.view)
    show = staticmethod(views.show)
    sample = staticmethod(views.sample)
    write = staticmethod(notation.write)
    read = staticmethod(notation.read)
    line = staticmethod(texts.line)
    ends_line = staticmethod(texts.ends_line)
    notations = staticmethod(texts.notations)
    require_consistent = staticmethod(texts.require_consistent)
    open_to_all = staticmethod(texts.open_to_all)
    choice = staticmethod(scene.choice)
    groups = staticmethod(scene.groups)
    scene = staticmethod(scene.scene)
    odds_tables = staticmethod(odds_tables)

    def seats(self, position: Position) -> int:
        """Return 2."""
        return len(self.facts.seats)
