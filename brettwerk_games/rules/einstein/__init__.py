"""EinStein würfelt nicht, by Ingo Althöfer (2004): six stones a side, a die, and a race to the opposite corner.

board.py has the squares, position.py what stands on them, rules.py the turn, start.py the beginning. notation.py, scene.py and
codec.py carry all that outside. `rules.en.md` and `rules.de.md` are the rules page.
"""

from brettwerk_games.rules.einstein.actions import Action, Event
from brettwerk_games.rules.einstein.game import Einstein
from brettwerk_games.rules.einstein.options import Options
from brettwerk_games.rules.einstein.position import Position, View
from brettwerk_games.rules.interface import Game

GAME: Game[Position, View, Action, Event, Options] = Einstein()
"""The game."""
