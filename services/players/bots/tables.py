"""The tables of bots and of API tokens."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, false

from services.players.accounts.tables import ACCOUNTS, METADATA

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
