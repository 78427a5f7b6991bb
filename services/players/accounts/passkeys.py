"""A player's passkeys (WebAuthn level 3): adding, naming and removing them. passkey_answers.py says whose an answer is."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import challenges, rows
from services.players.accounts.challenges import Purpose
from services.players.accounts.passkey_answers import PasskeyAnswers, ids_of
from services.players.accounts.proof_check import ProofCheck
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.accounts.tables import PASSKEYS
from services.players.calls import Answered, Caller, Handler
from services.runtime.player_text import NAME_BYTES, clean_text
from services.runtime.refusal import Refused, malformed

MAX_PASSKEYS = 20
"""How many passkeys a player can have."""


class Passkeys:
    """The calls about passkeys."""

    def __init__(
        self, store: Access, origins: OwnOrigins, answers: PasskeyAnswers, proofs: ProofCheck, now_ms: Callable[[], int]
    ) -> None:
        self._store = store
        self._origins = origins
        self._answers = answers
        self._proofs = proofs
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "start_passkey": self.start,
            "add_passkey": self.add,
            "rename_passkey": self.rename,
            "remove_passkey": self.remove,
        }

    async def start(self, request: accounts_pb2.StartPasskeyRequest, caller: Caller) -> Answered:
        """Return a challenge as the options that a browser's `navigator.credentials` takes (WebAuthn), with when it ends, in ms.

        Raises Refused: MALFORMED for an origin that is not listed, NO_TOKEN, FULL, UNKNOWN.
        """
        domain, now_ms = self._origins.passkey_domain(request.origin), self._now_ms()

        def write(connection: Connection) -> tuple[str, str]:
            from services.players.accounts import authenticators

            if request.purpose == accounts_pb2.StartPasskeyRequest.PURPOSE_SIGN_IN:
                code = challenges.make(connection, Purpose.SIGN_IN, "", request.origin.encode(), now_ms)
                return code, authenticators.options_to_sign_in(domain, code)
            rows.own(connection, caller)
            mine = ids_of(connection, caller.player_id)
            if request.purpose == accounts_pb2.StartPasskeyRequest.PURPOSE_PROVE:
                if not mine:
                    raise _no_passkey()
                code = challenges.make(connection, Purpose.PROVE, caller.player_id, request.origin.encode(), now_ms)
                return code, authenticators.options_to_sign_in(domain, code, mine)
            if request.purpose != accounts_pb2.StartPasskeyRequest.PURPOSE_ADD:
                raise malformed("purpose", "a challenge is for adding a passkey, for signing in, or for a fresh proof")
            if len(mine) >= MAX_PASSKEYS:
                raise _full()
            code = challenges.make(connection, Purpose.ADD_PASSKEY, caller.player_id, request.origin.encode(), now_ms)
            return code, authenticators.options_to_add(domain, code, caller.player_id, caller.name, mine)

        code, options = await self._store.run(write)
        until = now_ms + challenges.GOOD_MS
        return Answered(accounts_pb2.StartPasskeyResponse(challenge_id=code, options=options, expires_at_ms=until))

    async def add(self, request: accounts_pb2.AddPasskeyRequest, caller: Caller) -> Answered:
        """Add a passkey, which turns a guest into an account; return the account.

        Raises Refused: UNKNOWN, MALFORMED, FULL, PROOF_NEEDED.
        """
        caller.require_player()
        label, now_ms, code = clean_text(request.label, "label", NAME_BYTES), self._now_ms(), request.proof.challenge_id
        await self._proofs.require(request.fresh_proof, caller)
        origin = await self._answers.origin_of(Purpose.ADD_PASSKEY, caller.player_id, code, now_ms)
        from services.players.accounts import authenticators

        try:
            made = authenticators.added(request.proof.credential, code, origin, self._origins.passkey_domain(origin))
        except ValueError as error:
            raise malformed("credential", f"this is not a new passkey's answer: {error}") from None

        def write(connection: Connection) -> accounts_pb2.Account:
            rows.keep(connection, caller, now_ms)
            held = select(func.count()).select_from(PASSKEYS).where(PASSKEYS.c.player_id == caller.player_id)
            if connection.execute(held).scalar_one() >= MAX_PASSKEYS:
                raise _full()
            kept = {"credential_id": made.credential_id, "player_id": caller.player_id, "label": label, "created_at_ms": now_ms}
            kept |= {"public_key": made.credential_public_key, "sign_count": made.sign_count}
            connection.execute(PASSKEYS.insert().values(kept))
            return rows.account_of(connection, rows.find(connection, caller.player_id), caller)

        try:
            return Answered(accounts_pb2.AddPasskeyResponse(account=await self._store.run(write)))
        except IntegrityError:
            raise malformed("credential", "this passkey already belongs to a player") from None

    async def rename(self, request: accounts_pb2.RenamePasskeyRequest, caller: Caller) -> Answered:
        """Give a passkey another name; return the account.

        Raises Refused: UNKNOWN for one that the caller does not have, MALFORMED.
        """
        changing = update(PASSKEYS).values(label=clean_text(request.label, "label", NAME_BYTES))
        return Answered(accounts_pb2.RenamePasskeyResponse(account=await self._change(changing, request.id, caller)))

    async def remove(self, request: accounts_pb2.RemovePasskeyRequest, caller: Caller) -> Answered:
        """Remove a passkey; return the account. Raises Refused: UNKNOWN for one that the caller does not have, PROOF_NEEDED."""
        await self._proofs.require(request.proof, caller)
        account = await self._change(delete(PASSKEYS), request.id, caller)
        return Answered(accounts_pb2.RemovePasskeyResponse(account=account))

    async def _change(self, changing: Any, id_: str, caller: Caller) -> accounts_pb2.Account:
        try:
            credential_id = base64.urlsafe_b64decode(id_ + "=" * (-len(id_) % 4))
        except ValueError:
            raise _no_passkey() from None

        def write(connection: Connection) -> accounts_pb2.Account:
            row = rows.own(connection, caller)
            one = (PASSKEYS.c.player_id == caller.player_id) & (PASSKEYS.c.credential_id == credential_id)
            if connection.execute(changing.where(one)).rowcount != 1:
                raise _no_passkey()
            return rows.account_of(connection, row, caller)

        return await self._store.run(write)


def _full() -> Refused:
    message = f"a player has {MAX_PASSKEYS} passkeys at most"
    return Refused(errors_pb2.REASON_FULL, message, details={"bound": "passkeys"})


def _no_passkey() -> Refused:
    return Refused(errors_pb2.REASON_UNKNOWN, "there is no such passkey", details={"what": "no_passkey"}, field="id")
