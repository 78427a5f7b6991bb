"""All tables of the players service: whoever goes through every one takes METADATA from here, so that none is missing."""

from services.players.accounts.tables import METADATA
from services.players.arena.tables import ARENA_GAMES
from services.players.bots.tables import BOTS
from services.players.news.tables import DEVICES
from services.players.puzzles.tables import PUZZLES
from services.players.tournaments.tables import TOURNAMENTS

__all__ = ["METADATA"]

# they are there once their modules are imported
assert ARENA_GAMES.metadata is METADATA
assert BOTS.metadata is METADATA
assert DEVICES.metadata is METADATA
assert TOURNAMENTS.metadata is METADATA
assert PUZZLES.metadata is METADATA
