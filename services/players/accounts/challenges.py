"""Challenges: random codes, each valid once, for a short time and for one purpose, with what they were made for.

Links, passkeys and providers use them. The table holds a hash of the code: whoever reads it can answer nothing.
"""

from enum import StrEnum

from sqlalchemy import Connection, delete, select, update

from brettwerk.v1 import errors_pb2
from services.players.accounts.secrets_kept import digest, new_code
from services.players.accounts.tables import TICKETS
from services.runtime.refusal import Refused

GOOD_MS = 5 * 60_000
"""How long a challenge is valid: as long as somebody may look for their phone."""
KEPT_MS = 24 * 3_600_000
"""How long it is kept after that, so that a late or repeated answer gets a fitting refusal."""


class Purpose(StrEnum):
    """The purpose of a challenge."""

    ADD_PASSKEY = "add_passkey"
    SIGN_IN = "passkey"
    PROVE = "prove_passkey"
    PROVIDER = "provider"


def make(connection: Connection, purpose: Purpose, player_id: str, payload: bytes, now_ms: int) -> str:
    """Create a challenge and return its code."""
    connection.execute(delete(TICKETS).where(TICKETS.c.expires_at_ms < now_ms - KEPT_MS))
    code = new_code()
    made = {"digest": digest(code), "kind": purpose, "player_id": player_id, "payload": payload}
    connection.execute(TICKETS.insert().values(**made, expires_at_ms=now_ms + GOOD_MS))
    return code


def use(connection: Connection, purpose: Purpose, player_id: str | None, code: str, now_ms: int) -> bytes | Refused:
    """Return what a challenge was made for, once; or why it is not valid. `player_id`: of its player; None for anybody's."""
    ticket = (TICKETS.c.digest == digest(code)) & (TICKETS.c.kind == purpose)
    if player_id is not None:
        ticket &= TICKETS.c.player_id == player_id
    # one statement decides who was first
    using = update(TICKETS).where(ticket, TICKETS.c.used_at_ms.is_(None), TICKETS.c.expires_at_ms > now_ms)
    used = connection.execute(using.values(used_at_ms=now_ms).returning(TICKETS.c.payload)).first()
    if used is not None:
        return bytes(used.payload)
    there = connection.execute(select(TICKETS).where(ticket)).first()
    what = "challenge" if there is None else "used_challenge" if there.used_at_ms is not None else "old_challenge"
    return Refused(errors_pb2.REASON_UNKNOWN, _MESSAGES[what], details={"what": what}, field="challenge_id")


def give_back(connection: Connection, purpose: Purpose, code: str) -> None:
    """Make a challenge usable again, since its use had no effect."""
    ticket = (TICKETS.c.digest == digest(code)) & (TICKETS.c.kind == purpose)
    connection.execute(update(TICKETS).where(ticket).values(used_at_ms=None))


_MESSAGES = {
    "challenge": "this challenge is not one of ours",
    "used_challenge": "this challenge was answered already",
    "old_challenge": "this challenge is too old",
}
