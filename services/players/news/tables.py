"""The tables of news, and of how far they were told: what players want to know, their devices and their mail addresses."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, String, Table, false

from services.players.store import METADATA

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
    # of an arbiter, as its message is encoded; NULL where it is about none
    Column("ruling", LargeBinary),
    # whether the player has seen to it: nobody needs to be told any more
    Column("handled", Boolean, nullable=False, server_default=false()),
    Index("players_news_age", "at_ms"),
)

PREFERENCES = Table(
    "players_preferences",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    # kinds of news that are not pushed, and not mailed: the bit of each News.Kind (BITS in backlog.py)
    Column("unpushed", BigInteger, nullable=False),
    Column("unmailed", BigInteger, nullable=False),
    # quiet hours, in minutes after midnight in the time zone; both the same for none
    Column("quiet_from", Integer, nullable=False),
    Column("quiet_until", Integer, nullable=False),
    # an IANA name; empty for UTC
    Column("time_zone", String(64), nullable=False),
    # minutes
    Column("mail_wait", Integer, nullable=False),
    # of mail
    Column("language", String(8), nullable=False),
)


SEAT_WISHES = Table(
    "players_seat_wishes",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    # the game of whose open seats the player wants to hear
    Column("game", String(32), primary_key=True),
    # when they were last told of any; 0 for never
    Column("informed_at_ms", BigInteger, nullable=False),
    Index("players_seat_wishes_game", "game", "informed_at_ms"),
)


def _delivery() -> tuple[Column[int], ...]:
    """Return what is known of how news come to a device or a mail address."""
    return (
        # the version of the last news that were told, or were not to be told
        Column("sent_version", BigInteger, nullable=False),
        # when to check whether there is something to send; NULL for not before the next news
        Column("due_at_ms", BigInteger),
        # until when somebody is at it
        Column("claimed_until_ms", BigInteger, nullable=False),
        # failures since the last success
        Column("attempts", Integer, nullable=False),
        Column("failing_since_ms", BigInteger),
    )


DEVICES = Table(
    "players_devices",
    METADATA,
    # SHA-256 of the endpoint
    Column("digest", LargeBinary, primary_key=True),
    Column("player_id", String(64), nullable=False),
    # endpoint and keys, sealed: whoever reads the table cannot send anything
    Column("subscription", LargeBinary, nullable=False),
    Column("label", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    *_delivery(),
    Index("players_devices_player", "player_id"),
    Index("players_devices_due", "due_at_ms"),
)

WEBHOOKS = Table(
    "players_webhooks",
    METADATA,
    # of the owner's id and the URL, hashed, and of the table if there is one
    Column("webhook_id", String(32), primary_key=True),
    Column("player_id", String(64), nullable=False),
    # the table whose turns are sent; empty for the player's news
    Column("session_id", String(40), nullable=False, server_default=""),
    # the seats whose turn was told last, as bits; 0 for none
    Column("sent_seats", Integer, nullable=False, server_default="0"),
    # URL and secrets, sealed: whoever reads the table cannot send anything
    Column("sealed", LargeBinary, nullable=False),
    Column("host", String(253), nullable=False),
    Column("label", String(40), nullable=False),
    # WebhookForm
    Column("form", Integer, nullable=False),
    # kinds of news that are not sent: the bit of each News.Kind
    Column("unsent", BigInteger, nullable=False),
    Column("language", String(8), nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    # NULL while it is on
    Column("off_at_ms", BigInteger),
    # of the last failure
    Column("why", String(40), nullable=False),
    *_delivery(),
    Index("players_webhooks_player", "player_id"),
    Index("players_webhooks_due", "due_at_ms"),
)

MAILBOXES = Table(
    "players_mailboxes",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    Column("address", String(254), nullable=False),
    Column("asked_at_ms", BigInteger, nullable=False),
    # NULL until the owner has confirmed it
    Column("confirmed_at_ms", BigInteger),
    # what the links in mails end with that end mails; it opens nothing else, and so is kept as it is
    Column("stop_code", String(64), nullable=False, unique=True),
    # times in a row that the mail server has refused the address for good
    Column("refusals", Integer, nullable=False),
    *_delivery(),
    Index("players_mailboxes_due", "due_at_ms"),
)
