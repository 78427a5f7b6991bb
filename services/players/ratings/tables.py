"""The tables of ratings: how they are, how they came to be, and up to which game they count."""

from sqlalchemy import BigInteger, Column, Double, Index, Integer, String, Table

from services.players.store import METADATA

RATINGS = Table(
    "players_ratings",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("game", String(32), primary_key=True),
    # two or many
    Column("kind", String(8), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    # when the last game ended
    Column("at_ms", BigInteger, nullable=False),
    # of the week of that game (pools.py): its number, what was gained in it, and the games in it
    Column("week", Integer, nullable=False),
    Column("week_gain", Double, nullable=False),
    Column("week_games", Integer, nullable=False),
    # until when the rating is no provisional one, unless there are further games; 0 where it is one
    Column("established_until_ms", BigInteger, nullable=False),
    Index("players_ratings_board", "game", "kind", "rating"),
)

RATING_EVENTS = Table(
    "players_rating_events",
    METADATA,
    Column("session_id", String(40), primary_key=True),
    Column("player_id", String(64), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("finished_at_ms", BigInteger, nullable=False),
    Column("rating_before", Double, nullable=False),
    Column("deviation_before", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    # with this one
    Column("games", Integer, nullable=False),
    Column("week_gain", Double, nullable=False),
    Column("week_games", Integer, nullable=False),
    Index("players_rating_events_order", "game", "kind", "finished_at_ms", "session_id"),
    Index("players_rating_events_player", "player_id", "game", "kind", "finished_at_ms", "session_id"),
)

RATING_WEEKS = Table(
    "players_rating_weeks",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("week", Integer, primary_key=True),
    Column("gain", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Index("players_rating_weeks_board", "game", "kind", "week", "gain"),
)

RATING_POOLS = Table(
    "players_rating_pools",
    METADATA,
    Column("game", String(32), primary_key=True),
    Column("kind", String(8), primary_key=True),
    # the last game that was counted, in order of their ends
    Column("at_ms", BigInteger, nullable=False),
    Column("session_id", String(40), nullable=False),
)
