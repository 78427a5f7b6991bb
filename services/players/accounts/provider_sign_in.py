"""Signing in through the operator's OpenID provider. The first time, the caller's guest becomes the account.

One way there and back is held together by a challenge, which belongs to the caller: a code that another browser brings is
refused. Nonce and verifier are made of it with a key, and so nothing secret is stored.
"""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Row, select
from sqlalchemy.exc import IntegrityError

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import challenges, login_throttle, rows
from services.players.accounts.challenges import Purpose
from services.players.accounts.proof_check import ProofCheck
from services.players.accounts.provider import Passage, Provider
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.accounts.tables import ACCOUNTS, IDENTITIES
from services.players.calls import Answered, Caller
from services.runtime.refusal import Refused

Heard = Callable[[Connection, str, frozenset[str], int], None]
"""Is told of a player, with the values of the claim of roles and the time."""
PAGE = "/signed-in"
"""The page that the provider sends browsers to."""


class ProviderSignIn:
    """Takes players to the provider and back."""

    def __init__(
        self,
        store: Access,
        key: bytes,
        origins: OwnOrigins,
        provider: Provider | None,
        proofs: ProofCheck,
        now_ms: Callable[[], int],
        heard: Heard = lambda _connection, _player_id, _values, _now_ms: None,
    ) -> None:
        """`key`: of hashes of network addresses, and of what holds a way together; `heard`: is told of those who sign in."""
        self._store = store
        self._proofs = proofs
        self._key = key
        self._origins = origins
        self._provider = provider
        self._now_ms = now_ms
        self._heard = heard

    def name_at(self, origin: str) -> str:
        """Return the provider's name, for pages of an origin; empty if they cannot use one."""
        return self._provider.client.name if self._provider is not None and self._origins.lists(origin) else ""

    async def start(self, request: accounts_pb2.StartProviderSignInRequest, caller: Caller) -> Answered:
        """Return the address to go to.

        Raises Refused: MALFORMED for an origin that is not listed, UNKNOWN without a provider, UNAVAILABLE while it is away,
        NO_TOKEN for who is no player, and what ProofCheck raises: the provider may become a way to sign in as the caller.
        """
        caller.require_player()
        self._origins.check(request.origin)
        provider, now_ms = self._given(), self._now_ms()
        await self._proofs.require(request.proof, caller)

        def write(connection: Connection) -> str:
            rows.own(connection, caller)
            return challenges.make(connection, Purpose.PROVIDER, caller.player_id, request.origin.encode(), now_ms)

        code = await self._store.run(write)
        address = await provider.address(self._passage(code, request.origin))
        return Answered(accounts_pb2.StartProviderSignInResponse(address=address, expires_at_ms=now_ms + challenges.GOOD_MS))

    async def whose(self, proof: accounts_pb2.ProviderProof, caller: Caller, now_ms: int) -> Row[Any]:
        """Return the account of whom the provider names; the caller's own when it is the first time.

        Raises Refused: UNKNOWN, UNAVAILABLE, TOO_MANY_REQUESTS, NO_TOKEN.
        """
        caller.require_player()
        provider, named = self._given(), login_throttle.of_stranger(self._key, "", caller.address)

        def use(connection: Connection) -> bytes | Refused:
            rows.own(connection, caller)
            login_throttle.check(connection, named, now_ms)
            login_throttle.failed(connection, named, now_ms)
            return challenges.use(connection, Purpose.PROVIDER, caller.player_id, proof.state, now_ms)

        origin = await self._store.run(use)
        if isinstance(origin, Refused):
            raise origin
        try:
            proved = await provider.proved(proof.code, self._passage(proof.state, origin.decode()))
        except Refused as refused:
            if refused.reason == errors_pb2.REASON_UNAVAILABLE:
                await self._store.run(lambda connection: self._again(connection, proof.state, named))
            raise
        identity = hashlib.sha256(f"{provider.client.issuer}\0{proved.subject}".encode()).digest()

        def find(connection: Connection) -> Row[Any] | None:
            login_throttle.succeeded(connection, named)
            known = select(ACCOUNTS).join(IDENTITIES, IDENTITIES.c.player_id == ACCOUNTS.c.player_id)
            return connection.execute(known.where(IDENTITIES.c.digest == identity)).first()

        def join(connection: Connection) -> Row[Any]:
            row = rows.keep(connection, caller, now_ms)
            made = {"digest": identity, "player_id": caller.player_id, "created_at_ms": now_ms}
            connection.execute(IDENTITIES.insert().values(made))
            return row

        row = await self._store.run(find)
        if row is None:
            try:
                row = await self._store.run(join)
            except IntegrityError:
                # the same person on two devices, for the first time, at the same moment
                row = await self._store.run(find)
                if row is None:
                    raise
        player_id: str = row.player_id
        await self._store.run(lambda connection: self._heard(connection, player_id, proved.roles, now_ms))
        return row

    def _again(self, connection: Connection, state: str, named: tuple[str, ...]) -> None:
        """Allow a trip to be repeated that ended because the provider could not be reached."""
        challenges.give_back(connection, Purpose.PROVIDER, state)
        login_throttle.succeeded(connection, named)

    def _given(self) -> Provider:
        if self._provider is None:
            message = "nobody signs in through a provider here"
            raise Refused(errors_pb2.REASON_UNKNOWN, message, details={"what": "no_provider"})
        return self._provider

    def _passage(self, code: str, origin: str) -> Passage:
        return Passage(origin + PAGE, code, self._made("nonce", code), self._made("verifier", code))

    def _made(self, purpose: str, code: str) -> str:
        return hmac.digest(self._key, f"openid {purpose}\0{code}".encode(), hashlib.sha256).hex()
