"""Slows down guesses, and for longer the more of them were wrong.

Strangers are counted by the account that they guess at and by their network address. A device that is known to the account is
counted by itself, and so are fresh proofs, which need the player's token: strangers must not be able to lock the owner out.
"""

import hashlib
import hmac
from collections.abc import Sequence

from sqlalchemy import Connection, delete, select

from brettwerk.v1 import errors_pb2
from services.archive.upsert import insert_into
from services.players.accounts import known_devices
from services.players.accounts.secrets_kept import digest
from services.players.accounts.tables import ATTEMPTS
from services.runtime.refusal import Refused

FREE = {"account": 5, "address": 20, "device": 5, "holder": 5}
"""How many wrong guesses are free before one has to wait."""
FIRST_WAIT_MS = 1_000
"""The first wait; each further one is twice as long."""
MAX_WAIT_MS = 15 * 60_000
FORGOTTEN_MS = 24 * 3_600_000
"""How long after the last wrong guess all of them are forgotten."""


def of_stranger(key: bytes, account: str, address: str) -> tuple[str, ...]:
    """Return the names for counting a stranger's wrong guesses, with a keyed hash of the address. `account`: empty for none."""
    mark = hmac.digest(key, address.encode(), hashlib.sha256).hex()[:32]
    return (f"address:{mark}", *([f"account:{account}"] if account else []))


def of_device(token: str) -> tuple[str, ...]:
    """Return the name for counting wrong guesses of a known device."""
    return (f"device:{digest(token).hex()}",)


def of_caller(connection: Connection, key: bytes, tokens: Sequence[str], address: str, now_ms: int) -> tuple[str, ...]:
    """Return the names for counting what proves nobody and is no guess at an account: links and answers of passkeys."""
    known = known_devices.known(connection, tokens, now_ms)
    return of_device(next(iter(known.values()))) if known else of_stranger(key, "", address)


def of_holder(player_id: str) -> tuple[str, ...]:
    """Return the name for counting wrong proofs of those who have a player's token."""
    return (f"holder:{player_id}",)


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
    """Forget the wrong guesses. Those of an address stay: or the owner of one account could guess at others."""
    addresses = tuple(one for one in named if one.startswith("address:"))
    connection.execute(delete(ATTEMPTS).where(ATTEMPTS.c.subject.in_(set(named) - set(addresses))))
    undone(connection, addresses)  # the guess was counted before it was looked at


def undone(connection: Connection, named: tuple[str, ...]) -> None:
    """Take back a guess that was counted and then not looked at."""
    counted = ATTEMPTS.c.subject.in_(named) & (ATTEMPTS.c.failures > 0)
    connection.execute(ATTEMPTS.update().where(counted).values(failures=ATTEMPTS.c.failures - 1, until_ms=0))
