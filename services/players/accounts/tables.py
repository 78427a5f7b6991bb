"""The tables as the queries use them. migrations/ makes them; a test compares the two. Those of notifications are with these.

docs/personal-data.md says of each column that is about a person what it is for and how long it is kept.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    false,
    text,
)

METADATA = MetaData()

ACCOUNTS = Table(
    "players_accounts",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    # tokens of earlier generations are void
    Column("generation", Integer, nullable=False),
    # as compared: in one case, normal form; unique, and NULL where there is no password
    Column("login", String(120), unique=True),
    Column("login_shown", String(40)),
    Column("password", String(200), comment="Argon2id"),
    # finds the account of a phrase, and does not tell the phrase: a part of a hash of 128 random bits
    Column("phrase_finder", LargeBinary, unique=True),
    Column("phrase", String(200), comment="Argon2id"),
    # the name as a search compares it
    Column("sought", String(160), nullable=False, server_default=""),
    # the name as others see it: names that look alike have the same one (UTS 39)
    Column("skeleton", String(160), nullable=False, server_default=""),
    Index("players_accounts_sought", "sought"),
    Index("players_accounts_skeleton", "skeleton"),
)

SIGN_OUTS = Table(
    "players_sign_outs",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("player_id", String(64), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Index("players_sign_outs_age", "at_ms"),
)

TICKETS = Table(
    "players_tickets",
    METADATA,
    # SHA-256 of a secret of 128 bits: whoever reads the table cannot use what is in it
    Column("digest", LargeBinary, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("player_id", String(64), nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("expires_at_ms", BigInteger, nullable=False),
    Column("used_at_ms", BigInteger),
    Index("players_tickets_age", "expires_at_ms"),
    Index("players_tickets_player", "player_id", "kind"),
)

PASSKEYS = Table(
    "players_passkeys",
    METADATA,
    Column("credential_id", LargeBinary, primary_key=True),
    Column("player_id", String(64), ForeignKey(ACCOUNTS.c.player_id, ondelete="CASCADE"), nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", String(40), nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    Index("players_passkeys_player", "player_id"),
)

IDENTITIES = Table(
    "players_identities",
    METADATA,
    # SHA-256 of an OpenID provider's name and its id of the player: enough to recognise who returns
    Column("digest", LargeBinary, primary_key=True),
    Column("player_id", String(64), ForeignKey(ACCOUNTS.c.player_id, ondelete="CASCADE"), nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    Index("players_identities_player", "player_id"),
)

ATTEMPTS = Table(
    "players_tries",
    METADATA,
    # `account:` or `holder:` and a player's id, `address:` and a keyed hash of a network address, `device:` and a token's hash
    Column("subject", String(100), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Index("players_tries_age", "until_ms"),
)

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
    # the achievements that it counts for, with spaces between them: the game's by name, those over all games as overall/name
    Column("feats", String(1000), nullable=False, server_default=""),
    # stored twice, so that one index holds a player's list in its order
    Column("game", String(32), nullable=False),
    Column("finished_at_ms", BigInteger, nullable=False),
    Index("players_results_list", "player_id", "finished_at_ms", "session_id"),
    Index("players_results_game", "player_id", "game", "finished_at_ms", "session_id"),
)

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

FEEDS = Table(
    "players_feeds",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    # the version of the newest news
    Column("head", BigInteger, nullable=False),
)

NEWS = Table(
    "players_news",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("session_id", String(40), nullable=False),
    # the version of the session's log that it comes from
    Column("session_version", BigInteger, nullable=False),
    # News.Kind
    Column("kind", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("title", String(80), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    # when the clock runs out; 0 where none runs
    Column("until_ms", BigInteger, nullable=False),
    # empty where it is about none
    Column("challenge_id", String(32), nullable=False, server_default=""),
    Column("tournament_id", String(32), nullable=False, server_default=""),
    # of the other player; empty where it is about none
    Column("name", String(40), nullable=False, server_default=""),
    # whether the player has seen to it: nobody needs to be told any more
    Column("handled", Boolean, nullable=False, server_default=false()),
    Index("players_news_age", "at_ms"),
)

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

MUTES = Table(
    "players_mutes",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("muted_id", String(64), primary_key=True),
    # what the muted player was called then
    Column("name", String(40), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Index("players_mutes_muted", "muted_id"),
)
