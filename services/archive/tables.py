"""The tables as the queries use them. migrations/ makes them; a test compares the two."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, LargeBinary, MetaData, String, Table

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
    Index("archived_sessions_public", "public", "finished_at_ms", "session_id"),
    Index("archived_sessions_public_game", "public", "game", "finished_at_ms", "session_id"),
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
