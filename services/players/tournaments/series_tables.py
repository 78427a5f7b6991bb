"""The tables of series: what they are, who has joined them as a whole, and what their tournaments count."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, String, Table

from services.players.store import METADATA

SERIES = Table(
    "players_series",
    METADATA,
    Column("series_id", String(32), primary_key=True),
    Column("owner_id", String(64), nullable=False),
    Column("owner_name", String(40), nullable=False),
    Column("request_id", String(64), nullable=False),
    # an encoded CreateSeriesRequest: what its tournaments are like, and when they are
    Column("request", LargeBinary, nullable=False),
    Column("public", Boolean, nullable=False),
    # whose members it is for; empty for everybody
    Column("club_id", String(32), nullable=False),
    # Series.State
    Column("state", Integer, nullable=False),
    # the tournaments that have been made, or left out
    Column("made", Integer, nullable=False),
    # when the next one is to be made; 0 if there is none
    Column("make_at_ms", BigInteger, nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    # 0 until it is over
    Column("ended_at_ms", BigInteger, nullable=False),
    Index("players_series_request", "owner_id", "request_id", unique=True),
    Index("players_series_owner", "owner_id", "state"),
    Index("players_series_club", "club_id", "state"),
    Index("players_series_list", "state", "created_at_ms", "series_id"),
)

SERIES_PLAYERS = Table(
    "players_series_players",
    METADATA,
    Column("series_id", String(32), primary_key=True),
    Column("player_id", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("joined_at_ms", BigInteger, nullable=False),
    Index("players_series_players_player", "player_id"),
)

SERIES_RESULTS = Table(
    "players_series_results",
    METADATA,
    Column("series_id", String(32), primary_key=True),
    # of the tournament in the series
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player_id", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("place", Integer, nullable=False),
    # in the table, in hundredths
    Column("points", Integer, nullable=False),
    Index("players_series_results_player", "player_id"),
)
"""They outlast the tournaments, which are removed before a long series is over."""
