"""EMPERADO as the platform knows it: its modules behind the game interface."""

from services.games.emperado import deal, ending, legal, notation, play, scene, seating, strength, system_actions
from services.games.emperado import view as views
from services.games.emperado.codec import EmperadoCodec
from services.games.emperado.odds_tables import odds_tables
from services.games.emperado.options import FACTS
from services.games.emperado.position import Position, hold
from services.games.emperado.survey import survey


def _seats(position: Position) -> int:
    return len(position.parties)


class Emperado:
    """The game; services/games/interface.py says what each method does."""

    facts = FACTS
    codec = EmperadoCodec()
    new = staticmethod(deal.new)
    seats = staticmethod(_seats)
    to_act = staticmethod(play.to_act)
    actions = staticmethod(legal.actions)
    groups = staticmethod(legal.groups)
    apply = staticmethod(play.apply)
    system_action = staticmethod(system_actions.system_action)
    outcome = staticmethod(ending.outcome)
    expire = staticmethod(legal.expire)
    view = staticmethod(views.view)
    show = staticmethod(views.show)
    sample = staticmethod(views.sample)
    write = staticmethod(notation.write)
    read = staticmethod(notation.read)
    choice = staticmethod(scene.choice)
    scene = staticmethod(scene.scene)
    seated = staticmethod(seating.seated)
    hold = staticmethod(hold)
    draw_votes = staticmethod(strength.draw_votes)
    odds_tables = staticmethod(odds_tables)
    survey = staticmethod(survey)
