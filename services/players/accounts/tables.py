"""The tables of accounts: ways to sign in, what becomes of them, and whose bots are."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, false

from services.players.store import METADATA

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

RESTRICTIONS = Table(
    "players_restrictions",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    # talk or account
    Column("what", String(8), primary_key=True),
    # 0 for good
    Column("until_ms", BigInteger, nullable=False),
    # as the player was told
    Column("reason", String(80), nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Index("players_restrictions_end", "until_ms"),
    Index("players_restrictions_list", "since_ms", "player_id"),
)

BOTS = Table(
    "players_bots",
    METADATA,
    # a bot has an account, with its name and without a way to sign in
    Column("player_id", String(64), ForeignKey(ACCOUNTS.c.player_id, ondelete="CASCADE"), primary_key=True),
    Column("owner_id", String(64), nullable=False),
    Column("suspended", Boolean, nullable=False, server_default=false()),
    Index("players_bots_owner", "owner_id"),
)

API_TOKENS = Table(
    "players_api_tokens",
    METADATA,
    # names the token and proves nothing: only a gateway's key can make the token of it
    Column("token_id", String(32), primary_key=True),
    # whom it acts for: the owner or a bot
    Column("player_id", String(64), nullable=False),
    Column("owner_id", String(64), nullable=False),
    Column("label", String(40), nullable=False),
    # the bit 1 << s for each Scope s
    Column("scopes", Integer, nullable=False),
    # the name and generation that it was signed with, so that a repeat gets the same
    Column("name", String(40), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    Column("expires_at_ms", BigInteger, nullable=False),
    # 0 for never
    Column("last_used_at_ms", BigInteger, nullable=False, server_default="0"),
    # 0 while it is valid
    Column("revoked_at_ms", BigInteger, nullable=False, server_default="0"),
    Index("players_api_tokens_owner", "owner_id", "created_at_ms"),
    Index("players_api_tokens_player", "player_id"),
    Index("players_api_tokens_age", "expires_at_ms"),
)

TOKEN_CHANGES = Table(
    "players_token_changes",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("token_id", String(32), nullable=False),
    Column("void", Boolean, nullable=False),
    # what its player is called since; empty for what the token says
    Column("name", String(40), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    # of the token: nobody needs to know afterwards
    Column("expires_at_ms", BigInteger, nullable=False),
    Index("players_token_changes_token", "token_id"),
    Index("players_token_changes_recent", "at_ms"),
    Index("players_token_changes_age", "expires_at_ms"),
)
