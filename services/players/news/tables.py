"""The tables of notifications: what a player wants to be told, and the devices and mail addresses that it is sent to."""

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, String, Table

from services.players.accounts.tables import METADATA

PREFERENCES = Table(
    "players_preferences",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    # kinds of news that are not pushed, and not mailed: the bit of each News.Kind
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

MAIL_COUNTS = Table(
    "players_mail_counts",
    METADATA,
    # `by:` and a player's id, or `to:` and `from:` with a keyed hash of a mail address and of a network address
    Column("subject", String(100), primary_key=True),
    # mails that ask for a confirmation, within a day
    Column("mails", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Index("players_mail_counts_age", "until_ms"),
)
