"""Devices on which a player has signed in before: wrong guesses from elsewhere do not slow them down (OWASP: device cookies).

Such a device has a token, which is bound to its player and proves nothing by itself. Of the token only a hash is stored, as a
ticket, so signing out everywhere and deleting the account remove it.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, delete, select, update

from services.players.accounts.secrets_kept import digest, new_code
from services.players.accounts.tables import TICKETS

KIND = "device"
GOOD_MS = 180 * 24 * 3_600_000
"""How long a device is known after the player has last signed in on it."""
MAX_DEVICES = 20
"""How many devices of a player are known; a further one takes the place of the one that was used longest ago."""


def known(connection: Connection, tokens: Sequence[str], now_ms: int) -> Mapping[str, str]:
    """Return which players these tokens are good for, each with their token."""
    by_digest = {digest(token): token for token in tokens}
    query = select(TICKETS.c.player_id, TICKETS.c.digest).where(
        TICKETS.c.digest.in_(by_digest), TICKETS.c.kind == KIND, TICKETS.c.expires_at_ms > now_ms
    )
    return {row.player_id: by_digest[bytes(row.digest)] for row in connection.execute(query)}


def remember(connection: Connection, player_id: str, tokens: Sequence[str], now_ms: int) -> str:
    """Return the token of the device on which a player has just proved who they are: one that it has, or a new one."""
    expires_at_ms = now_ms + GOOD_MS
    if (token := known(connection, tokens, now_ms).get(player_id)) is not None:
        mine = TICKETS.c.digest == digest(token)
        connection.execute(update(TICKETS).where(mine).values(expires_at_ms=expires_at_ms))
        return token
    devices = (TICKETS.c.player_id == player_id) & (TICKETS.c.kind == KIND)
    longest_unused = select(TICKETS.c.digest).where(devices).order_by(TICKETS.c.expires_at_ms.desc()).offset(MAX_DEVICES - 1)
    spare = [bytes(one) for one in connection.execute(longest_unused).scalars()]
    connection.execute(delete(TICKETS).where(TICKETS.c.digest.in_(spare)))
    token = new_code()
    made = {"digest": digest(token), "kind": KIND, "player_id": player_id, "payload": b"", "expires_at_ms": expires_at_ms}
    connection.execute(TICKETS.insert().values(made))
    return token


def forget(connection: Connection, player_id: str) -> None:
    """Forget all devices of a player."""
    connection.execute(delete(TICKETS).where(TICKETS.c.player_id == player_id, TICKETS.c.kind == KIND))
