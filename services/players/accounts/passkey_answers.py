"""The answers of passkeys to challenges (WebAuthn level 3): authenticators.py checks them. Only public keys are stored here.

A challenge is good once and soon, for one origin that the operator lists. Keys are discoverable: nobody has to say a name to sign
in.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select, update

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import challenges, login_throttle, rows
from services.players.accounts.challenges import Purpose
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.accounts.tables import PASSKEYS
from services.players.calls import Caller
from services.runtime.refusal import Refused


class PasskeyAnswers:
    """Finds out whose passkey has answered."""

    def __init__(self, store: Access, key: bytes, origins: OwnOrigins, now_ms: Callable[[], int]) -> None:
        """`key`: of hashes of network addresses."""
        self._store = store
        self._key = key
        self._origins = origins
        self._now_ms = now_ms

    def has_any(self, connection: Connection, player_id: str) -> bool:
        """Return whether a player has passkeys that some page can use."""
        return self._origins.has_any_passkeys() and bool(ids_of(connection, player_id))

    async def whose(self, proof: accounts_pb2.PasskeyProof, tokens: Sequence[str], caller: Caller, now_ms: int) -> Row[Any]:
        """Return the account of the passkey that has answered. Raises Refused: UNKNOWN, TOO_MANY_REQUESTS."""

        def count(connection: Connection) -> tuple[str, ...]:
            named = login_throttle.of_caller(connection, self._key, tokens, caller.address, now_ms)
            login_throttle.check(connection, named, now_ms)
            # counted before the answer is looked at: many at once are not one
            login_throttle.failed(connection, named, now_ms)
            return named

        named = await self._store.run(count)
        origin = await self.origin_of(Purpose.SIGN_IN, None, proof.challenge_id, now_ms)
        row = await self._answered(proof, origin)
        if row is None:
            raise _proves_nobody()
        await self._store.run(lambda connection: login_throttle.succeeded(connection, named))
        return row

    async def proves(self, proof: accounts_pb2.PasskeyProof, caller: Caller) -> bool:
        """Return whether a passkey of the caller's has answered. Raises Refused (UNKNOWN) for no challenge of the caller's."""
        origin = await self.origin_of(Purpose.PROVE, caller.player_id, proof.challenge_id, self._now_ms())
        row = await self._answered(proof, origin)
        return row is not None and row.player_id == caller.player_id

    async def _answered(self, proof: accounts_pb2.PasskeyProof, origin: str) -> Row[Any] | None:
        """Return the account of the passkey that has answered a challenge for pages of an origin, None for no good answer."""
        from services.players.accounts import authenticators

        try:
            answer = authenticators.answer_of(proof.credential)
        except ValueError:
            return None
        by_id = PASSKEYS.c.credential_id == answer.raw_id
        kept = await self._store.run(lambda connection: connection.execute(select(PASSKEYS).where(by_id)).first())
        if kept is None or answer.response.user_handle not in (None, kept.player_id.encode()):
            return None
        try:
            domain = self._origins.passkey_domain(origin)
            count = authenticators.new_count(answer, proof.challenge_id, origin, domain, kept.public_key, kept.sign_count)
        except ValueError:
            return None

        def note(connection: Connection) -> Row[Any] | None:
            # Of two answers with the same count one comes from a copy of the key.
            counted = update(PASSKEYS).where(by_id, PASSKEYS.c.sign_count == kept.sign_count).values(sign_count=count)
            return rows.find(connection, kept.player_id) if connection.execute(counted).rowcount == 1 else None

        return await self._store.run(note)

    async def origin_of(self, purpose: Purpose, player_id: str | None, code: str, now_ms: int) -> str:
        """Return the origin that a challenge was made for. Raises Refused (UNKNOWN). It is used even if what follows fails."""
        found = await self._store.run(lambda connection: challenges.use(connection, purpose, player_id, code, now_ms))
        if isinstance(found, Refused):
            raise found
        return found.decode()


def ids_of(connection: Connection, player_id: str) -> list[bytes]:
    """Return the ids of a player's passkeys."""
    query = select(PASSKEYS.c.credential_id).where(PASSKEYS.c.player_id == player_id)
    return [bytes(one) for one in connection.execute(query).scalars()]


def _proves_nobody() -> Refused:
    message = "this passkey proves nobody here"
    return Refused(errors_pb2.REASON_UNKNOWN, message, details={"what": "passkey"}, field="passkey")
