"""Empire Plateau as the platform knows it: its modules behind the game interface."""

from services.games.plateau import notation, position, rules, scene, start
from services.games.plateau import view as views
from services.games.plateau.codec import PlateauCodec
from services.games.plateau.options import FACTS


class Plateau:
    """The game; services/games/interface.py says what each method does."""

    facts = FACTS
    codec = PlateauCodec()
    new = staticmethod(start.new)
    rematch_options = staticmethod(start.rematch_options)
    seats = staticmethod(rules.seats)
    sides = staticmethod(position.sides)
    to_act = staticmethod(rules.to_act)
    actions = staticmethod(rules.actions)
    first_actions = staticmethod(rules.first_actions)
    apply = staticmethod(rules.apply)
    system_action = staticmethod(rules.system_action)
    outcome = staticmethod(rules.outcome)
    expire = staticmethod(rules.expire)
    view = staticmethod(views.view)
    show = staticmethod(views.show)
    sample = staticmethod(views.sample)
    listed = staticmethod(rules.as_listed)
    write = staticmethod(notation.write)
    read = staticmethod(notation.read)
    choice = staticmethod(scene.choice)
    scene = staticmethod(scene.scene)
