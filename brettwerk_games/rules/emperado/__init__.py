"""EMPERADO: two to six seats free the world from each other, with armies, dice and secret cards.

world.py has the countries, position.py what stands where, turn.py the course of the turns. deal.py, reinforcement.py, cards.py,
placement.py, battle.py, attack.py, moves.py and game_end.py are a chapter of the rules each; play.py, legal.py and
system_actions.py put them together. luck.py has throws that dice do not decide alone; chances.py, odds.py, long_battles.py and
outlook.py tell how attacks will go. notation.py, scene.py and codec/ carry all that outside. `rules.en.md` and `rules.de.md` are
the rules page.
"""

from brettwerk_games.rules.emperado.actions import Action, Event
from brettwerk_games.rules.emperado.game import Emperado
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import Position, View
from brettwerk_games.rules.interface import Game

GAME: Game[Position, View, Action, Event, Options] = Emperado()
"""The game."""
