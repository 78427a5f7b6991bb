"""The tables as the queries use them. migrations/ makes them; a test compares the two."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, text

METADATA = MetaData()

# in the order of its bytes everywhere: PostgreSQL would else sort by the database's language
_ID = String(40).with_variant(String(40, collation="C"), "postgresql")

SESSIONS = Table(
    "archived_sessions",
    METADATA,
    Column("session_id", _ID, primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules_version", String(16), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("title", String(80), nullable=False),
    Column("scores", JSON, nullable=False),
    Column("finished_at_ms", BigInteger, nullable=False),
    Column("session", LargeBinary, nullable=False),
    Column("record", LargeBinary, nullable=False, comment="zlib"),
    # NULL in what 0.1.0 has archived; then they follow from the scores
    Column("winners", JSON(none_as_null=True)),
    Column("places", JSON(none_as_null=True)),
    # whether statistics have it; NULL for not yet, so that the index holds what is left to do and nothing else
    Column("counted", Boolean, nullable=True),
    # whether the players service has it; NULL for not yet, likewise
    Column("delivered", Boolean, nullable=True),
    Index("archived_sessions_public", "public", "finished_at_ms", "session_id"),
    Index("archived_sessions_public_game", "public", "game", "finished_at_ms", "session_id"),
    Index(
        "archived_sessions_uncounted",
        "session_id",
        sqlite_where=text("counted IS NULL"),
        postgresql_where=text("counted IS NULL"),
    ),
    Index(
        "archived_sessions_undelivered",
        "finished_at_ms",
        "session_id",
        sqlite_where=text("delivered IS NULL"),
        postgresql_where=text("delivered IS NULL"),
    ),
    Index("archived_sessions_age", "finished_at_ms", "session_id"),
)

PLAYERS = Table(
    "archived_players",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("session_id", _ID, ForeignKey(SESSIONS.c.session_id, ondelete="CASCADE"), primary_key=True),
    # stored twice, so that one index holds a player's list in its order
    Column("finished_at_ms", BigInteger, nullable=False),
    Column("seats", JSON, nullable=False),
    Index("archived_players_list", "player_id", "finished_at_ms", "session_id"),
)

TALLIES = Table(
    "archived_tallies",
    METADATA,
    # a player's id for their own games, empty for everybody's
    Column("scope", String(64), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("seats", Integer, primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("item", String(64), primary_key=True),
    Column("games", BigInteger, nullable=False),
    Column("wins", BigInteger, nullable=False),
)

SAVED_GAMES = Table(
    "saved_games",
    METADATA,
    Column("save_id", _ID, primary_key=True),
    Column("session_id", _ID, nullable=False),
    Column("game", String(32), nullable=False),
    Column("saved_by", String(64), nullable=False),
    Column("saved_at_ms", BigInteger, nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Column("record", LargeBinary, nullable=False, comment="zlib"),
    Index("saved_games_session", "session_id", "saved_by"),
)

SAVED_PLAYERS = Table(
    "saved_players",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("save_id", _ID, ForeignKey(SAVED_GAMES.c.save_id, ondelete="CASCADE"), primary_key=True),
    # stored twice, so that one index holds a player's list in its order
    Column("saved_at_ms", BigInteger, nullable=False),
    Index("saved_players_list", "player_id", "saved_at_ms", "save_id"),
    Index("saved_players_save", "save_id"),
)

TALK_REPORTS = Table(
    "talk_reports",
    METADATA,
    Column("session_id", _ID, primary_key=True),
    Column("line_id", String(32), primary_key=True),
    Column("reporter_id", String(64), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("reported_at_ms", BigInteger, nullable=False),
    # who said it, and what
    Column("player_id", String(64), nullable=False),
    Column("name", String(40), nullable=False),
    Column("said", String(300), nullable=False),
    Column("said_at_ms", BigInteger, nullable=False),
    # table, watchers or private
    Column("room", String(16), nullable=False),
    Column("comment", String(300), nullable=False),
    # what was said just before, oldest first
    Column("before", JSON, nullable=False),
    Index("talk_reports_age", "reported_at_ms"),
    Index("talk_reports_reporter", "reporter_id", "reported_at_ms"),
)
