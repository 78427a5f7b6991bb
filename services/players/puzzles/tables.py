"""The tables of puzzles: those that there are, which day has which, and what players have done with them."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, String, Table, false

from services.players.store import METADATA

PUZZLES = Table(
    "players_puzzles",
    METADATA,
    # made of what the seat sees, so that the same puzzle is not kept twice
    Column("puzzle_id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules_version", String(16), nullable=False),
    Column("made_at_ms", BigInteger, nullable=False),
    # the last day that it was for, as 2026-11-26; empty for none yet
    Column("last_day", String(10), nullable=False, server_default=""),
    # an encoded MadePuzzle
    Column("made", LargeBinary, nullable=False, comment="zlib"),
    Index("players_puzzles_stock", "game", "last_day", "made_at_ms"),
)

PUZZLE_DAYS = Table(
    "players_puzzle_days",
    METADATA,
    Column("game", String(32), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("puzzle_id", String(32), nullable=False),
    Column("seat", Integer, nullable=False),
    Index("players_puzzle_days_puzzle", "puzzle_id"),
)

PUZZLE_PROGRESS = Table(
    "players_puzzle_progress",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("attempts", Integer, nullable=False),
    Column("solved", Boolean, nullable=False, server_default=false()),
    # whether the solution was shown before
    Column("shown", Boolean, nullable=False, server_default=false()),
    Index("players_puzzle_progress_age", "day"),
)

PUZZLE_GAMES = Table(
    "players_puzzle_games",
    METADATA,
    # a finished game that workers were given to look for puzzles in
    Column("session_id", String(40), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("asked_at_ms", BigInteger, nullable=False),
    # how many puzzles it gave; NULL while it is not looked through
    Column("found", Integer),
    Index("players_puzzle_games_age", "game", "asked_at_ms"),
)
