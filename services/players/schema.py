"""All tables of the players service: whoever goes through every one takes METADATA from here, so that none is missing.

docs/personal-data.md says of each column that is about a person what it is for and how long it is kept.
"""

from services.players.accounts.tables import ACCOUNTS
from services.players.arena.tables import ARENA_GAMES
from services.players.clubs.tables import CLUBS
from services.players.conduct.tables import CONDUCT
from services.players.moderation.tables import ACTS
from services.players.news.tables import NEWS
from services.players.notifications.mail_counts import MAIL_COUNTS
from services.players.opponents.tables import ARRANGEMENTS
from services.players.puzzles.tables import PUZZLES
from services.players.ratings.tables import RATINGS
from services.players.results.tables import RESULTS
from services.players.store import METADATA
from services.players.tournaments.series_tables import SERIES
from services.players.tournaments.tables import TOURNAMENTS

__all__ = ["METADATA"]

# they are there once their modules are imported
ONE_OF_EACH_ROOM = (
    ACCOUNTS,
    ACTS,
    ARENA_GAMES,
    ARRANGEMENTS,
    CLUBS,
    CONDUCT,
    MAIL_COUNTS,
    NEWS,
    PUZZLES,
    RATINGS,
    RESULTS,
    SERIES,
    TOURNAMENTS,
)
assert all(table.metadata is METADATA for table in ONE_OF_EACH_ROOM)
