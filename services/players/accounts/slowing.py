"""Slows down guesses: for each account and each network address, and for longer the more of them were wrong."""

import hashlib
import hmac

from sqlalchemy import Connection, delete, select

from brettwerk.v1 import errors_pb2
from services.archive.inserting import insert_into
from services.players.tables import ATTEMPTS
from services.runtime.refusal import Refused

FREE = {"account": 5, "address": 20}
"""How many wrong guesses are free before one has to wait."""
FIRST_WAIT_MS = 1_000
"""The first wait; each further one is twice as long."""
MAX_WAIT_MS = 15 * 60_000
FORGOTTEN_MS = 24 * 3_600_000
"""How long after the last wrong guess all of them are forgotten."""


def subjects(key: bytes, account: str, address: str) -> tuple[str, ...]:
    """Return the names for counting wrong guesses; an address is stored as a keyed hash. `account`: empty for unknown."""
    mark = hmac.digest(key, address.encode(), hashlib.sha256).hex()[:32]
    return (f"address:{mark}", *([f"account:{account}"] if account else []))


def check(connection: Connection, named: tuple[str, ...], now_ms: int) -> None:
    """Check that a guess may be made now. Raises Refused (TOO_MANY_REQUESTS) that says when to try again."""
    latest = connection.execute(
        select(ATTEMPTS).where(ATTEMPTS.c.subject.in_(named)).order_by(ATTEMPTS.c.until_ms.desc())
    ).first()
    wait_ms = 0 if latest is None else latest.until_ms - now_ms
    if wait_ms > 0:
        raise Refused(
            errors_pb2.REASON_TOO_MANY_REQUESTS,
            "too many wrong guesses",
            details={"limit": "guesses"},
            retry_after_ms=wait_ms,
        )


def failed(connection: Connection, named: tuple[str, ...], now_ms: int) -> None:
    """Count a wrong guess."""
    connection.execute(delete(ATTEMPTS).where(ATTEMPTS.c.until_ms < now_ms - FORGOTTEN_MS))
    for subject in named:
        adding = insert_into(connection, ATTEMPTS).values(subject=subject, failures=1, until_ms=now_ms)
        counted = adding.on_conflict_do_update(index_elements=[ATTEMPTS.c.subject], set_={"failures": ATTEMPTS.c.failures + 1})
        failures: int = connection.execute(counted.returning(ATTEMPTS.c.failures)).scalar_one()
        over = failures - FREE[subject.partition(":")[0]]
        wait_ms = 0 if over < 0 else min(MAX_WAIT_MS, FIRST_WAIT_MS << min(over, 20))
        connection.execute(ATTEMPTS.update().where(ATTEMPTS.c.subject == subject).values(until_ms=now_ms + wait_ms))


def succeeded(connection: Connection, named: tuple[str, ...]) -> None:
    """Forget the wrong guesses at an account. Those of an address stay: or the owner of one account could guess at others."""
    connection.execute(delete(ATTEMPTS).where(ATTEMPTS.c.subject.in_([one for one in named if one.startswith("account:")])))
    # the guess was counted before it was looked at
    here = ATTEMPTS.c.subject.in_([one for one in named if one.startswith("address:")]) & (ATTEMPTS.c.failures > 0)
    connection.execute(ATTEMPTS.update().where(here).values(failures=ATTEMPTS.c.failures - 1, until_ms=0))
