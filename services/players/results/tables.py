"""The tables of finished games, and of what they came to for those who sat there."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, text

from services.players.store import METADATA

GAMES = Table(
    "players_games",
    METADATA,
    Column("session_id", String(40), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("finished_at_ms", BigInteger, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("rule", String(64), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("competitive", Boolean, nullable=False),
    # finished, closed, or unreadable
    Column("standing", String(16), key="status", nullable=False),
    # the key of the sentence that says how it ended (reason.corner.0), in the game's catalogue
    Column("reason", String(100), nullable=False, server_default=""),
    # two or many: the ratings that it counts for; empty where it counts for none
    Column("kind", String(8), nullable=False, server_default=""),
    # whether it has been counted for ratings; NULL for not yet, so that an index holds what is left to do and nothing else
    Column("rated", Boolean),
    Index("players_games_age", "game", "finished_at_ms", "session_id"),
    Index("players_games_kind", "game", "kind", "finished_at_ms", "session_id"),
    Index(
        "players_games_unrated",
        "game",
        "kind",
        "finished_at_ms",
        "session_id",
        sqlite_where=text("rated IS NULL"),
        postgresql_where=text("rated IS NULL"),
    ),
)

RESULTS = Table(
    "players_results",
    METADATA,
    Column("session_id", String(40), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    # empty for a computer
    Column("player_id", String(64), nullable=False),
    # of a computer
    Column("level", String(32), nullable=False),
    # won, lost, drawn, abandoned or unfinished
    Column("result", String(16), nullable=False),
    # from 1; 0 where nobody has one
    Column("place", Integer, nullable=False),
    Column("side", Integer, nullable=False),
    # whether the seat was theirs when the game began
    Column("began", Boolean, nullable=False),
    # as the player was called then, and as a search compares it; empty for a computer
    Column("name", String(40), nullable=False, server_default=""),
    Column("sought", String(160), nullable=False, server_default=""),
    # the search depth that a computer was given, where its level has no depth of its own
    Column("depth", Integer, nullable=False, server_default="0"),
    # of a substitute: how many thousandths of the plies were played since they sat down
    Column("share", Integer, nullable=False, server_default="0"),
    # the achievements that it counts for, with spaces between them: the game's by name, those over all games as overall/name
    Column("feats", String(1000), nullable=False, server_default=""),
    # stored twice, so that one index holds a player's list in its order
    Column("game", String(32), nullable=False),
    Column("finished_at_ms", BigInteger, nullable=False),
    Index("players_results_list", "player_id", "finished_at_ms", "session_id"),
    Index("players_results_game", "player_id", "game", "finished_at_ms", "session_id"),
)
