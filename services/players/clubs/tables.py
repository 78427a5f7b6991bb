"""The tables of clubs: what they are, who is in them, by which links one joins, what is said and which tables are shown."""

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, String, Table

from services.players.store import METADATA

CLUBS = Table(
    "players_clubs",
    METADATA,
    # follows from the request that has made it
    Column("club_id", String(32), primary_key=True),
    # SHA-256 of that request: a repeat is told from another one
    Column("request", LargeBinary, nullable=False),
    Column("name", String(60), nullable=False),
    # the name as a search compares it
    Column("sought", String(160), nullable=False),
    Column("description", String(300), nullable=False),
    # Club.Entry
    Column("entry", Integer, nullable=False),
    # grows with each line that is said or removed
    Column("talk_version", BigInteger, nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    Index("players_clubs_list", "sought", "club_id"),
)

CLUB_MEMBERS = Table(
    "players_club_members",
    METADATA,
    Column("club_id", String(32), primary_key=True),
    Column("player_id", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    # Club.Role: also of those who ask, and of those who were removed
    Column("role", Integer, nullable=False),
    # since when they are in it, ask, or are removed
    Column("since_ms", BigInteger, nullable=False),
    Index("players_club_members_player", "player_id", "role"),
    Index("players_club_members_age", "role", "since_ms"),
)

CLUB_LINKS = Table(
    "players_club_links",
    METADATA,
    Column("code", String(32), primary_key=True),
    Column("club_id", String(32), nullable=False),
    # follows from the request that has made it
    Column("link_id", String(32), nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    Index("players_club_links_club", "club_id"),
    Index("players_club_links_request", "link_id", unique=True),
)

CLUB_TALK = Table(
    "players_club_talk",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    # follows from the request that has said it
    Column("line_id", String(32), nullable=False),
    Column("club_id", String(32), nullable=False),
    Column("player_id", String(64), nullable=False),
    Column("name", String(40), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Index("players_club_talk_request", "line_id", unique=True),
    Index("players_club_talk_club", "club_id", "number"),
    Index("players_club_talk_player", "player_id"),
    Index("players_club_talk_age", "at_ms"),
)

CLUB_TABLES = Table(
    "players_club_tables",
    METADATA,
    Column("club_id", String(32), primary_key=True),
    Column("session_id", String(40), primary_key=True),
    Column("player_id", String(64), nullable=False),
    Column("name", String(40), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Index("players_club_tables_player", "player_id"),
    Index("players_club_tables_age", "at_ms"),
)
