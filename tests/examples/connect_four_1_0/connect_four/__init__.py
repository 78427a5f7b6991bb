"""Connect Four: `rules.py` has the game, `en.md` and `de.md` all of its words."""

from pathlib import Path

from connect_four.rules import ConnectFour, Drop, Options, Position

GAME = ConnectFour(Path(__file__).parent, Options, Position, Drop)
"""The game."""
