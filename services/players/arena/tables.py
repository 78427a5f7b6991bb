"""The tables of the arena: which bots play there, and who was paired with whom."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, false

from services.players.store import METADATA

ARENA_ENTRIES = Table(
    "players_arena_entries",
    METADATA,
    # a bot
    Column("player_id", String(64), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("at_once", Integer, nullable=False),
    # how often in a row it has not come
    Column("misses", Integer, nullable=False, server_default="0"),
    # until when it is not paired because of that
    Column("rests_until_ms", BigInteger, nullable=False, server_default="0"),
)

ARENA_GAMES = Table(
    "players_arena_games",
    METADATA,
    Column("arrangement_id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    # of ratings (results/rating_kind.py)
    Column("kind", String(8), nullable=False),
    # who plays, in seat order, with spaces between them: player ids, and levels as level:normal
    Column("line_up", String(400), nullable=False),
    # empty until it is made
    Column("session_id", String(40), nullable=False, server_default=""),
    Column("paired_at_ms", BigInteger, nullable=False),
    # 0 until it is over
    Column("ended_at_ms", BigInteger, nullable=False, server_default="0"),
    Column("unplayed", Boolean, nullable=False, server_default=false()),
    Index("players_arena_games_list", "game", "paired_at_ms"),
    Index("players_arena_games_session", "session_id"),
    Index("players_arena_games_live", "ended_at_ms"),
)

ARENA_LEASES = Table(
    "players_arena_leases",
    METADATA,
    # arena
    Column("name", String(8), primary_key=True),
    # the process that pairs
    Column("holder", String(32), nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)
