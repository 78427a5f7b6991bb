"""Empire Plateau, by Stefan Frances (2022): empires of nineteen armies that step along longitudes and latitudes to conquer bases.

A turn is a number of moves and its end. board.py has the nodes and boards.json the boards, position.py what stands on them.
terrain.py, reach.py and route.py know where an army can go, journey.py why it cannot; budget.py counts the steps of a turn and
finish.py sees to it that the turn can be finished. play.py does a move, turns.py passes the turn on; rules.py is what the
platform asks. start.py, notation.py, scene.py, codec/ and wire.py carry all that in and out. `rules.en.md` and `rules.de.md`
are the rules page.
"""

from brettwerk_games.rules.interface import Game
from brettwerk_games.rules.plateau.actions import Action, Event
from brettwerk_games.rules.plateau.game import Plateau
from brettwerk_games.rules.plateau.options import Options
from brettwerk_games.rules.plateau.position import Position, View

GAME: Game[Position, View, Action, Event, Options] = Plateau()
"""The game."""
