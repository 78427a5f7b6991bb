"""How many mails a stranger can cause to an unconfirmed address: a few a day, however they go about it."""

import hashlib
import hmac

from sqlalchemy import BigInteger, Column, Connection, Index, Integer, String, Table, delete, select

from brettwerk.v1 import errors_pb2
from services.archive.upsert import insert_into
from services.players.store import METADATA
from services.runtime.refusal import Refused

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

DAY_MS = 86_400_000
MAX_A_DAY = {"to": 3, "by": 10, "from": 30, "all": 5_000}
"""Mails per day: to an address, by a player, from a network address, and by this server."""


def count(connection: Connection, key: bytes, player_id: str, network_address: str, address: str, now_ms: int) -> None:
    """Count a mail that asks for a confirmation. Raises Refused (TOO_MANY_REQUESTS) that says when the next one may be sent."""
    connection.execute(delete(MAIL_COUNTS).where(MAIL_COUNTS.c.until_ms <= now_ms))
    named = {"to": _mark(key, address.lower()), "by": player_id, "from": _mark(key, network_address), "all": ""}
    subjects = [f"{kind}:{name}" for kind, name in named.items()]
    rows = connection.execute(select(MAIL_COUNTS).where(MAIL_COUNTS.c.subject.in_(subjects))).all()
    full = [row.until_ms for row in rows if row.mails >= MAX_A_DAY[row.subject.partition(":")[0]]]
    if full:
        message = "too many mails to confirm an address"
        details = {"limit": "mails"}
        raise Refused(errors_pb2.REASON_TOO_MANY_REQUESTS, message, details=details, retry_after_ms=max(full) - now_ms)
    for subject in subjects:
        adding = insert_into(connection, MAIL_COUNTS).values(subject=subject, mails=1, until_ms=now_ms + DAY_MS)
        more = {"mails": MAIL_COUNTS.c.mails + 1}
        connection.execute(adding.on_conflict_do_update(index_elements=[MAIL_COUNTS.c.subject], set_=more))


def _mark(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode(), hashlib.sha256).hex()[:32]
