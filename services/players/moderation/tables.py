"""The tables of the moderators."""

from sqlalchemy import JSON, BigInteger, Column, Index, Integer, String, Table

from services.players.store import METADATA

ROLES = Table(
    "players_roles",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    # command or provider: what one has given the other does not take
    Column("source", String(8), primary_key=True),
    # ModerationRole
    Column("role", Integer, nullable=False),
    # 0 for as long as nobody takes it
    Column("until_ms", BigInteger, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
)

REPORTS = Table(
    "players_reports",
    METADATA,
    Column("report_id", String(32), primary_key=True),
    # ReportKind
    Column("kind", Integer, nullable=False),
    # the same for all reports of the same thing
    Column("matter", String(32), nullable=False),
    Column("player_id", String(64), nullable=False),
    # what they were called then
    Column("name", String(40), nullable=False),
    Column("session_id", String(40), nullable=False),
    Column("game", String(32), nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("club_id", String(32), nullable=False),
    Column("said", String(400), nullable=False),
    Column("said_at_ms", BigInteger, nullable=False),
    Column("room", String(16), nullable=False),
    # what was around it, as texts
    Column("context", JSON, nullable=False),
    Column("comment", String(300), nullable=False),
    Column("reporter_id", String(64), nullable=False),
    Column("reported_at_ms", BigInteger, nullable=False),
    # the act that decided it; 0 while it is open
    Column("act", Integer, nullable=False, server_default="0"),
    Column("decided_at_ms", BigInteger, nullable=False, server_default="0"),
    Index("players_reports_open", "act", "reported_at_ms", "report_id"),
    Index("players_reports_decided", "decided_at_ms", "report_id"),
    Index("players_reports_matter", "matter", "reporter_id"),
    Index("players_reports_player", "player_id", "reported_at_ms"),
    Index("players_reports_reporter", "reporter_id", "reported_at_ms"),
    Index("players_reports_age", "reported_at_ms"),
)

ACTS = Table(
    "players_acts",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    # what a repeat has, too
    Column("act_id", String(32), nullable=False),
    # ModerationAct
    Column("act", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    # a player, or command, provider or server
    Column("actor_id", String(64), nullable=False),
    # empty for words
    Column("player_id", String(64), nullable=False),
    Column("reason", String(80), nullable=False),
    Column("note", String(300), nullable=False),
    # 0 for good, and for what does not last
    Column("until_ms", BigInteger, nullable=False),
    Column("report_id", String(32), nullable=False),
    # the word, the role or the former name
    Column("subject", String(80), nullable=False),
    Index("players_acts_id", "act_id", unique=True),
    Index("players_acts_player", "player_id", "number"),
    Index("players_acts_actor", "actor_id"),
    Index("players_acts_age", "at_ms"),
)

WORDS = Table(
    "players_words",
    METADATA,
    Column("word", String(80), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
)

MARKS = Table(
    "players_moderation_marks",
    METADATA,
    # talk: the version of the rules of talk; reports: up to when the archive's reports were taken, in ms since 1970
    Column("name", String(8), primary_key=True),
    Column("number", BigInteger, nullable=False),
)
