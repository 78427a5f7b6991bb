"""The tables of those who look for opponents, and of the sessions that are arranged for them."""

from sqlalchemy import BigInteger, Column, Double, Index, Integer, LargeBinary, String, Table

from services.players.store import METADATA

SEEKS = Table(
    "players_seeks",
    METADATA,
    # one search of a player at a time
    Column("player_id", String(64), primary_key=True),
    Column("seek_id", String(32), nullable=False),
    Column("name", String(40), nullable=False),
    # the game, the clock and whether it counts: those with the same are paired
    Column("pool", String(80), nullable=False),
    Column("rating", Double, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    # until when the player is believed to wait
    Column("lease_ms", BigInteger, nullable=False),
    # the session that it has led to; empty while it waits
    Column("arrangement_id", String(32), nullable=False, server_default=""),
    # how reliable an opponent is to be, in percent; 0 for anybody. And how reliable the player is; NULL where that is not known
    Column("least_reliability", Integer, nullable=False, server_default="0"),
    Column("reliability", Integer),
    Index("players_seeks_pool", "pool", "arrangement_id"),
)

CHALLENGES = Table(
    "players_challenges",
    METADATA,
    Column("challenge_id", String(32), primary_key=True),
    Column("player_id", String(64), nullable=False),
    Column("name", String(40), nullable=False),
    Column("challenged_id", String(64), nullable=False),
    Column("challenged_name", String(40), nullable=False),
    Column("game", String(32), nullable=False),
    # an encoded ChallengePlayerRequest: what the game is to be like
    Column("request", LargeBinary, nullable=False),
    # Challenge.State and DeclineReason
    Column("state", Integer, nullable=False),
    Column("decline_reason", Integer, nullable=False, server_default="0"),
    Column("created_at_ms", BigInteger, nullable=False),
    Column("expires_at_ms", BigInteger, nullable=False),
    # when it was answered, taken back or expired; 0 while it is open
    Column("ended_at_ms", BigInteger, nullable=False, server_default="0"),
    Column("arrangement_id", String(32), nullable=False, server_default=""),
    Index("players_challenges_sent", "player_id", "state"),
    Index("players_challenges_received", "challenged_id", "state"),
    Index("players_challenges_age", "state", "expires_at_ms"),
)

BLOCKS = Table(
    "players_blocks",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("blocked_id", String(64), primary_key=True),
    Column("created_at_ms", BigInteger, nullable=False),
    Index("players_blocks_blocked", "blocked_id"),
)

ARRANGEMENTS = Table(
    "players_arrangements",
    METADATA,
    Column("arrangement_id", String(32), primary_key=True),
    # pool, challenge or tournament
    Column("kind", String(16), nullable=False),
    # an encoded ArrangeSessionRequest
    Column("request", LargeBinary, nullable=False),
    # wanted, made, failed or over
    Column("state", String(8), nullable=False),
    # empty until it is made
    Column("session_id", String(40), nullable=False, server_default=""),
    Column("created_at_ms", BigInteger, nullable=False),
    # when it is looked at next
    Column("due_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    # how long the session waits for its players; 0 for as long as its kind does
    Column("join_timeout_ms", BigInteger, nullable=False, server_default="0"),
    Index("players_arrangements_due", "state", "due_ms"),
)
