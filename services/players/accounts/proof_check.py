"""Fresh proofs: what changes the ways to sign in, or ends the account, needs more than a token, which can be lost with a device.

A password, a recovery phrase or a passkey is such a proof. A player who has none of them needs none: a guest, and an account that
only links or the operator's OpenID provider let in.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import login_throttle, rows
from services.players.accounts.hash_queue import Rank
from services.players.accounts.passkey_answers import PasskeyAnswers
from services.players.accounts.secrets_kept import Hashes, read_password, spaced_phrase
from services.players.calls import Caller
from services.runtime.refusal import Refused


class ProofCheck:
    """Checks fresh proofs."""

    def __init__(self, store: Access, hashes: Hashes, passkeys: PasskeyAnswers, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._hashes = hashes
        self._passkeys = passkeys
        self._now_ms = now_ms

    async def require(self, proof: accounts_pb2.FreshProof, caller: Caller) -> Rank:
        """Return how urgent the caller's further hashes are, once the caller is proved or has nothing to prove it with.

        Raises Refused: PROOF_NEEDED for a missing or wrong proof, TOO_MANY_REQUESTS after many wrong ones, FULL, NO_TOKEN, and
        UNKNOWN for a passkey's answer to no challenge of the caller's.
        """
        now_ms, named = self._now_ms(), login_throttle.of_holder(caller.player_id)

        def look(connection: Connection) -> tuple[Row[Any] | None, list[str]]:
            row = rows.own(connection, caller)
            ways = [] if row is None else self._ways(connection, row)
            if ways and proof.WhichOneof("proof"):
                login_throttle.check(connection, named, now_ms)
                # counted before the proof is looked at: many guesses at once are not one
                login_throttle.failed(connection, named, now_ms)
            return row, ways

        row, ways = await self._store.run(look)
        if row is None:
            return Rank.GUEST
        if ways:
            if not proof.WhichOneof("proof"):
                raise _needed(ways, "missing")
            try:
                fits = await self._fits(proof, row, caller)
            except Refused:
                await self._store.run(lambda connection: login_throttle.undone(connection, named))
                raise
            if not fits:
                raise _needed(ways, "wrong")
            await self._store.run(lambda connection: login_throttle.succeeded(connection, named))
        return Rank.PLAYER

    def _ways(self, connection: Connection, row: Row[Any]) -> list[str]:
        has = {
            "password": row.password is not None,
            "passkey": self._passkeys.has_any(connection, row.player_id),
            "phrase": row.phrase is not None,
        }
        return [way for way, is_there in has.items() if is_there]

    async def _fits(self, proof: accounts_pb2.FreshProof, row: Row[Any], caller: Caller) -> bool:
        match proof.WhichOneof("proof"):
            case "password":
                kept, secret = row.password, read_password(proof.password)
            case "phrase":
                kept, secret = row.phrase, spaced_phrase(proof.phrase)
            case _:
                return await self._passkeys.proves(proof.passkey, caller)
        return await self._hashes.fits(kept, secret, Rank.PLAYER, caller.address)


def _needed(ways: list[str], proof: str) -> Refused:
    message = f"this needs a fresh proof ({', '.join(ways)}), which is {proof}"
    return Refused(errors_pb2.REASON_PROOF_NEEDED, message, details={"ways": ",".join(ways), "proof": proof}, field="proof")
