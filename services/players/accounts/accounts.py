"""Answers the calls about accounts."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, delete, update
from sqlalchemy.exc import IntegrityError

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import known_devices, rows
from services.players.accounts.hash_queue import Rank
from services.players.accounts.mutes import Mutes
from services.players.accounts.passkey_answers import PasskeyAnswers
from services.players.accounts.passkeys import Passkeys
from services.players.accounts.proof_check import ProofCheck
from services.players.accounts.provider import Provider
from services.players.accounts.provider_sign_in import Heard, ProviderSignIn
from services.players.accounts.secrets_kept import (
    Hashes,
    check_password,
    digest,
    new_code,
    new_phrase,
    phrase_finder,
    read_login,
)
from services.players.accounts.sign_in import LINK, SignIn
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.accounts.tables import ACCOUNTS, TICKETS
from services.players.calls import Answered, Caller, Handler
from services.runtime.refusal import Refused, malformed
from services.runtime.wall_clock import wall_ms

LINK_MS = 10 * 60_000
"""How long a link is valid."""


class Accounts:
    """The calls about accounts."""

    def __init__(
        self,
        store: Access,
        key: bytes,
        origins: OwnOrigins,
        now_ms: Callable[[], int] = wall_ms,
        provider: Provider | None = None,
        heard: Heard = lambda _connection, _player_id, _values, _now_ms: None,
        appeal: str = "",
    ) -> None:
        """`key`: of hashes of network addresses; `origins`: of the pages that players sign in at; `provider`: if there is one.

        `heard`: is told which roles it gives; `appeal`: where suspended players can object.
        """
        self._store = store
        self._now_ms = now_ms
        self._hashes = Hashes()
        self._origins = origins
        answers = PasskeyAnswers(store, key, origins, now_ms)
        self.proofs = ProofCheck(store, self._hashes, answers, now_ms)
        """The check of the proof that a change of the ways to sign in needs."""
        self._passkeys = Passkeys(store, origins, answers, self.proofs, now_ms)
        self._provider_sign_in = ProviderSignIn(store, key, origins, provider, self.proofs, now_ms, heard)
        self._signing_in = SignIn(store, self._hashes, key, answers, self._provider_sign_in, appeal)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "get_account": self.get_account,
            "start_link": self.start_link,
            "set_phrase": self.set_phrase,
            "set_password": self.set_password,
            "get_sign_in_ways": self.get_sign_in_ways,
            "sign_in": self.sign_in,
            "start_provider_sign_in": self._provider_sign_in.start,
            **self._passkeys.handlers(),
            **Mutes(self._store, self._now_ms).handlers(),
        }

    async def get_account(self, request: accounts_pb2.GetAccountRequest, caller: Caller) -> Answered:
        """Return the caller's account."""

        def read(connection: Connection) -> accounts_pb2.Account:
            return rows.account_of(connection, rows.own(connection, caller), caller)

        return Answered(accounts_pb2.GetAccountResponse(account=await self._store.run(read)))

    async def get_sign_in_ways(self, request: accounts_pb2.GetSignInWaysRequest, caller: Caller) -> Answered:
        """Return the ways in which players can sign in."""
        has_passkeys = self._origins.has_passkeys(request.origin)
        provider = self._provider_sign_in.name_at(request.origin)
        return Answered(accounts_pb2.GetSignInWaysResponse(passkeys=has_passkeys, provider=provider))

    async def start_link(self, request: accounts_pb2.StartLinkRequest, caller: Caller) -> Answered:
        """Return a link that signs the caller in on another device, with when it ends, in ms; it turns a guest into an account.

        Raises Refused: NO_TOKEN, PROOF_NEEDED.
        """
        await self.proofs.require(request.proof, caller)
        code, now_ms = new_code(), self._now_ms()

        def write(connection: Connection) -> None:
            rows.keep(connection, caller, now_ms)
            mine = (TICKETS.c.player_id == caller.player_id) & (TICKETS.c.kind == LINK) & TICKETS.c.used_at_ms.is_(None)
            # used ones stay a while, so that using one again gets a fitting refusal
            connection.execute(delete(TICKETS).where(mine | (TICKETS.c.expires_at_ms < now_ms - 24 * 3_600_000)))
            ticket = {"digest": digest(code), "kind": LINK, "player_id": caller.player_id, "payload": b""}
            connection.execute(TICKETS.insert().values(**ticket, expires_at_ms=now_ms + LINK_MS))

        await self._store.run(write)
        return Answered(accounts_pb2.StartLinkResponse(code=code, expires_at_ms=now_ms + LINK_MS))

    async def set_phrase(self, request: accounts_pb2.SetPhraseRequest, caller: Caller) -> Answered:
        """Return a new recovery phrase, which replaces the one before; it turns a guest into an account.

        Raises Refused: NO_TOKEN, PROOF_NEEDED, FULL while too many secrets are being hashed.
        """
        rank = await self.proofs.require(request.proof, caller)
        phrase = new_phrase()
        kept = await self._hashes.make(phrase, rank, caller.address)

        def write(connection: Connection) -> None:
            rows.keep(connection, caller, self._now_ms())
            mine = update(ACCOUNTS).where(ACCOUNTS.c.player_id == caller.player_id)
            connection.execute(mine.values(phrase=kept, phrase_finder=phrase_finder(phrase)))

        await self._store.run(write)
        return Answered(accounts_pb2.SetPhraseResponse(phrase=phrase))

    async def set_password(self, request: accounts_pb2.SetPasswordRequest, caller: Caller) -> Answered:
        """Set login and password; return the account and a new device token.

        Earlier device tokens are void from then on, for a guesser may have had one. Raises Refused: MALFORMED for a login in
        use, a wrong `current_password` or an invalid value, PROOF_NEEDED.
        """
        login, password, now_ms = read_login(request.login), check_password(request.password), self._now_ms()
        rank = await self._prove_for_password(request, caller)
        kept = await self._hashes.make(password, rank, caller.address)

        def write(connection: Connection) -> accounts_pb2.SetPasswordResponse:
            rows.keep(connection, caller, now_ms)
            mine = update(ACCOUNTS).where(ACCOUNTS.c.player_id == caller.player_id)
            connection.execute(mine.values(login=login, login_shown=request.login.strip(), password=kept))
            known_devices.forget(connection, caller.player_id)
            token = known_devices.remember(connection, caller.player_id, (), now_ms)
            account = rows.account_of(connection, rows.find(connection, caller.player_id), caller)
            return accounts_pb2.SetPasswordResponse(account=account, device_token=token)

        try:
            return Answered(await self._store.run(write))
        # The column is unique, and decides: another player may take the name between a look and this.
        except IntegrityError:
            raise malformed("login", "another player signs in with this name") from None

    async def _prove_for_password(self, request: accounts_pb2.SetPasswordRequest, caller: Caller) -> Rank:
        """Return what ProofCheck does: clients of release 1.0 give the current password in a field of its own."""
        if request.HasField("proof") or not request.current_password:
            return await self.proofs.require(request.proof, caller)
        try:
            return await self.proofs.require(accounts_pb2.FreshProof(password=request.current_password), caller)
        except Refused as refused:
            if refused.reason != errors_pb2.REASON_PROOF_NEEDED:
                raise
            raise malformed("current_password", "the current password is wrong") from None

    async def sign_in(self, request: accounts_pb2.SignInRequest, caller: Caller) -> Answered:
        """Return the player whom a proof names, with a new device token (sign_in.py).

        Raises Refused: UNKNOWN for a proof of nobody, TOO_MANY_REQUESTS, FULL, MALFORMED.
        """
        return await self._signing_in.answer(request, caller, self._now_ms())
