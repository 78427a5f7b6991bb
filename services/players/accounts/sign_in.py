"""Signing in: a link, a phrase, a name and a password, a passkey or a provider prove who somebody is."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select, update

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import known_devices, login_throttle, restrictions, rows
from services.players.accounts.hash_queue import Rank
from services.players.accounts.passkey_answers import PasskeyAnswers
from services.players.accounts.provider_sign_in import ProviderSignIn
from services.players.accounts.secrets_kept import Hashes, digest, phrase_finder, read_login, read_password, read_phrase
from services.players.accounts.tables import ACCOUNTS, TICKETS
from services.players.calls import Answered, Caller
from services.runtime.refusal import Refused, malformed
from services.runtime.restriction import ACCOUNT

LINK = "link"


class SignIn:
    """Answers SignIn."""

    def __init__(
        self, store: Access, hashes: Hashes, key: bytes, passkeys: PasskeyAnswers, provider: ProviderSignIn, appeal: str
    ) -> None:
        """`key`: of hashes of network addresses; `appeal`: where suspended players can object."""
        self._store = store
        self._hashes = hashes
        self._key = key
        self._passkeys = passkeys
        self._provider = provider
        self._appeal = appeal

    async def answer(self, request: accounts_pb2.SignInRequest, caller: Caller, now_ms: int) -> Answered:
        """Return the player who signs in.

        Raises Refused: UNKNOWN for what proves nobody, TOO_MANY_REQUESTS, FULL, MALFORMED, RESTRICTED for a suspended account.
        """
        tokens = request.device_tokens
        match request.WhichOneof("proof"):
            case "link":
                row = await self._by_link(request.link, tokens, caller, now_ms)
            case "phrase":
                phrase = read_phrase(request.phrase)
                which = ACCOUNTS.c.phrase_finder == phrase_finder(phrase)
                row = await self._by_secret(which, "phrase", phrase, tokens, caller, now_ms)
            case "login":
                login = read_login(request.login.login)
                password = read_password(request.login.password)
                row = await self._by_secret(ACCOUNTS.c.login == login, "password", password, tokens, caller, now_ms)
            case "passkey":
                row = await self._passkeys.whose(request.passkey, tokens, caller, now_ms)
            case "provider":
                row = await self._provider.whose(request.provider, caller, now_ms)
            case _:
                raise malformed("proof", "there is no proof of who is signing in")

        def remember(connection: Connection) -> tuple[Row[Any] | None, str]:
            restrictions.check(connection, row.player_id, ACCOUNT, now_ms, self._appeal)
            # Once more: who was suspended while the proof was checked has another generation now.
            return rows.find(connection, row.player_id), known_devices.remember(connection, row.player_id, tokens, now_ms)

        player, token = await self._store.run(remember)
        return Answered(accounts_pb2.SignInResponse(device_token=token), rows.proved(player))

    async def _by_link(self, code: str, tokens: Sequence[str], caller: Caller, now_ms: int) -> Row[Any]:
        def use(connection: Connection) -> Row[Any] | str:
            named = login_throttle.of_caller(connection, self._key, tokens, caller.address, now_ms)
            login_throttle.check(connection, named, now_ms)
            ticket = (TICKETS.c.digest == digest(code)) & (TICKETS.c.kind == LINK)
            # one statement decides who was first
            using = update(TICKETS).where(ticket, TICKETS.c.used_at_ms.is_(None), TICKETS.c.expires_at_ms > now_ms)
            used = connection.execute(using.values(used_at_ms=now_ms).returning(TICKETS.c.player_id)).first()
            if used is not None:
                row = rows.find(connection, used.player_id)
                return "link" if row is None else row
            login_throttle.failed(connection, named, now_ms)
            there = connection.execute(select(TICKETS).where(ticket)).first()
            return "link" if there is None else "used_link" if there.used_at_ms is not None else "old_link"

        found = await self._store.run(use)
        if isinstance(found, str):
            raise _proves_nobody(found)
        return found

    async def _by_secret(
        self, which: Any, column: str, secret: str, tokens: Sequence[str], caller: Caller, now_ms: int
    ) -> Row[Any]:
        def look(connection: Connection) -> tuple[Row[Any] | None, tuple[str, ...], Rank]:
            row = connection.execute(select(ACCOUNTS).where(which)).first()
            account = row.player_id if row else ""
            device = known_devices.known(connection, tokens, now_ms).get(account)
            rank = Rank.SIGN_IN if device is None else Rank.KNOWN_DEVICE
            # a phrase has 128 random bits: nobody guesses it, and guesses at a password must not shut it out
            guessed = account if column == "password" else ""
            named = login_throttle.of_device(device) if device else login_throttle.of_stranger(self._key, guessed, caller.address)
            login_throttle.check(connection, named, now_ms)
            # Counted before the secret is looked at: many guesses at once are not one.
            login_throttle.failed(connection, named, now_ms)
            return row, named, rank

        row, named, rank = await self._store.run(look)
        kept = None if row is None else getattr(row, column)
        try:
            fits = await self._hashes.fits(kept, secret, rank, caller.address)
        except Refused:
            await self._store.run(lambda connection: login_throttle.undone(connection, named))
            raise
        if not fits or row is None:
            raise _proves_nobody(column)
        await self._store.run(lambda connection: login_throttle.succeeded(connection, named))
        return row


def _proves_nobody(what: str) -> Refused:
    messages = {
        "link": "this link is not one of ours",
        "used_link": "this link was used already",
        "old_link": "this link is too old",
        "phrase": "nobody has this recovery phrase",
        "password": "the name or the password is wrong",
    }
    return Refused(errors_pb2.REASON_UNKNOWN, messages[what], details={"what": what}, field=what)
