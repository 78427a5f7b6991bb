"""Weaponized Chess: three levels, hidden pieces, neutral articles that arm whoever carries them, and two governments to protect.

board.py has squares and places, kinds.py and pieces.py what a piece is and can do, field.py the pieces by place. paths.py and
movement.py say where pieces may go, move_execution.py and doze_push.py carry it out; weapons.py, weapon_fire.py, transits.py,
items.py and reinforcement.py are the other actions, projectiles.py, hits.py and turn_end.py the end of a Turn, working_copy.py
what all work on. visibility.py, view.py, memory.py and sampler.py are about who knows what, piece_numbers.py about the numbers
that eyes have for pieces, disclosure.py about who may read what of a step that reports.py notes; notation_signs.py,
notation_writer.py, notation_reader.py and texts.py are the notation. start.py, edited_start.py and boards.py (with
`boards/`) make first positions, rules.py holds the Turn together; scene.py and codec/ carry it outside. `rules.en.md` and
`rules.de.md` are the rules page, `data/` has the tables.
"""

from brettwerk_games.rules.interface import Game
from brettwerk_games.rules.wec.actions import Action, Event
from brettwerk_games.rules.wec.game import WeaponizedChess
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.position import Position, View

GAME: Game[Position, View, Action, Event, Options] = WeaponizedChess()
"""The game."""
