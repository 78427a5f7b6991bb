"""Passkeys (WebAuthn level 3): a device proves with its own key who somebody is. Only public keys are stored here.

A challenge is good once and soon, for one origin that the operator lists; what authenticators answer, py_webauthn checks.
Keys are discoverable: whoever signs in needs to say no name.
"""

from collections.abc import Callable, Mapping
from typing import Any

import webauthn
from sqlalchemy import Connection, Row, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from webauthn.helpers import base64url_to_bytes, parse_authentication_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.access import Access
from services.players.accounts import challenges, rows, slowing
from services.players.accounts.challenges import Purpose
from services.players.accounts.own_origins import OwnOrigins
from services.players.calls import Answered, Caller, Handler
from services.players.tables import PASSKEYS
from services.runtime.refusal import Refused, malformed

MAX_PASSKEYS = 20
"""How many passkeys a player can have."""
LABEL_BYTES = range(1, 41)
_NAME = "Brettwerk"
_FAULTS = (WebAuthnException, ValueError, KeyError, TypeError)
"""What py_webauthn raises for an invalid answer, and what it lets through of the libraries below it."""


class Passkeys:
    """The calls about passkeys, and signing in with one."""

    def __init__(self, store: Access, key: bytes, origins: OwnOrigins, now_ms: Callable[[], int]) -> None:
        """`key`: of hashes of network addresses."""
        self._store = store
        self._key = key
        self._origins = origins
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
        """Make a challenge. Raises Refused: MALFORMED for an origin that is not listed, NO_TOKEN, FULL."""
        domain, now_ms = self._origins.passkey_domain(request.origin), self._now_ms()

        def write(connection: Connection) -> tuple[str, str]:
            if request.purpose == accounts_pb2.StartPasskeyRequest.PURPOSE_SIGN_IN:
                code = challenges.make(connection, Purpose.SIGN_IN, "", request.origin.encode(), now_ms)
                return code, _options_to_sign_in(domain, code)
            if request.purpose != accounts_pb2.StartPasskeyRequest.PURPOSE_ADD:
                raise malformed("purpose", "a challenge is for adding a passkey, or for signing in")
            rows.own(connection, caller)
            mine = _ids(connection, caller.player_id)
            if len(mine) >= MAX_PASSKEYS:
                raise _full()
            code = challenges.make(connection, Purpose.ADD_PASSKEY, caller.player_id, request.origin.encode(), now_ms)
            return code, _options_to_add(domain, code, caller, mine)

        code, options = await self._store.run(write)
        until = now_ms + challenges.GOOD_MS
        return Answered(accounts_pb2.StartPasskeyResponse(challenge_id=code, options=options, expires_at_ms=until))

    async def add(self, request: accounts_pb2.AddPasskeyRequest, caller: Caller) -> Answered:
        """Add a passkey; this turns the guest into an account. Raises Refused: UNKNOWN, MALFORMED, FULL."""
        caller.must_be_a_player()
        label, now_ms, code = _read_label(request.label), self._now_ms(), request.proof.challenge_id
        origin = await self._used(Purpose.ADD_PASSKEY, caller.player_id, code, now_ms)
        try:
            made = webauthn.verify_registration_response(
                credential=request.proof.credential,
                expected_challenge=code.encode(),
                expected_origin=origin,
                expected_rp_id=self._origins.passkey_domain(origin),
            )
        except _FAULTS as error:
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
        """Give a passkey another name. Raises Refused: UNKNOWN for one that the caller does not have, MALFORMED."""
        changing = update(PASSKEYS).values(label=_read_label(request.label))
        return Answered(accounts_pb2.RenamePasskeyResponse(account=await self._change(changing, request.id, caller)))

    async def remove(self, request: accounts_pb2.RemovePasskeyRequest, caller: Caller) -> Answered:
        """Remove a passkey. Raises Refused (UNKNOWN) for one that the caller does not have."""
        account = await self._change(delete(PASSKEYS), request.id, caller)
        return Answered(accounts_pb2.RemovePasskeyResponse(account=account))

    async def whose(self, proof: accounts_pb2.PasskeyProof, caller: Caller, now_ms: int) -> Row[Any]:
        """Return the account of the passkey that has answered. Raises Refused: UNKNOWN, TOO_MANY_REQUESTS."""
        named = slowing.subjects(self._key, "", caller.address)

        def count(connection: Connection) -> None:
            slowing.check(connection, named, now_ms)
            # counted before the answer is looked at: many at once are not one
            slowing.failed(connection, named, now_ms)

        await self._store.run(count)
        origin = await self._used(Purpose.SIGN_IN, None, proof.challenge_id, now_ms)
        try:
            answer = parse_authentication_credential_json(proof.credential)
        except _FAULTS:
            raise _proves_nobody() from None
        by_id = PASSKEYS.c.credential_id == answer.raw_id
        kept = await self._store.run(lambda connection: connection.execute(select(PASSKEYS).where(by_id)).first())
        if kept is None or answer.response.user_handle not in (None, kept.player_id.encode()):
            raise _proves_nobody()
        try:
            proved = webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=proof.challenge_id.encode(),
                expected_origin=origin,
                expected_rp_id=self._origins.passkey_domain(origin),
                credential_public_key=kept.public_key,
                credential_current_sign_count=kept.sign_count,
            )
        except _FAULTS:
            raise _proves_nobody() from None

        def note(connection: Connection) -> Row[Any] | None:
            # Of two answers with the same count one comes from a copy of the key.
            counted = (
                update(PASSKEYS).where(by_id, PASSKEYS.c.sign_count == kept.sign_count).values(sign_count=proved.new_sign_count)
            )
            if connection.execute(counted).rowcount != 1:
                return None
            slowing.succeeded(connection, named)
            return rows.find(connection, kept.player_id)

        row = await self._store.run(note)
        if row is None:
            raise _proves_nobody()
        return row

    async def _used(self, purpose: Purpose, player_id: str | None, code: str, now_ms: int) -> str:
        """Return the origin that a challenge was made for. Raises Refused (UNKNOWN). It is used even if what follows fails."""
        found = await self._store.run(lambda connection: challenges.use(connection, purpose, player_id, code, now_ms))
        if isinstance(found, Refused):
            raise found
        return found.decode()

    async def _change(self, changing: Any, id_: str, caller: Caller) -> accounts_pb2.Account:
        try:
            credential_id = base64url_to_bytes(id_)
        except ValueError:
            raise _no_passkey() from None

        def write(connection: Connection) -> accounts_pb2.Account:
            row = rows.own(connection, caller)
            one = (PASSKEYS.c.player_id == caller.player_id) & (PASSKEYS.c.credential_id == credential_id)
            if connection.execute(changing.where(one)).rowcount != 1:
                raise _no_passkey()
            return rows.account_of(connection, row, caller)

        return await self._store.run(write)


def _options_to_add(domain: str, code: str, caller: Caller, mine: list[bytes]) -> str:
    options = webauthn.generate_registration_options(
        rp_id=domain,
        rp_name=_NAME,
        user_id=caller.player_id.encode(),
        user_name=caller.name,
        challenge=code.encode(),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=one) for one in mine],
    )
    return str(webauthn.options_to_json(options))


def _options_to_sign_in(domain: str, code: str) -> str:
    return str(webauthn.options_to_json(webauthn.generate_authentication_options(rp_id=domain, challenge=code.encode())))


def _ids(connection: Connection, player_id: str) -> list[bytes]:
    query = select(PASSKEYS.c.credential_id).where(PASSKEYS.c.player_id == player_id)
    return [bytes(one) for one in connection.execute(query).scalars()]


def _read_label(text: str) -> str:
    label = text.strip()
    if len(label.encode()) not in LABEL_BYTES or not label.isprintable():
        raise malformed("label", "the name of a passkey has 1 to 40 bytes of printable text")
    return label


def _full() -> Refused:
    message = f"a player has {MAX_PASSKEYS} passkeys at most"
    return Refused(errors_pb2.REASON_FULL, message, details={"bound": "passkeys"})


def _no_passkey() -> Refused:
    return Refused(errors_pb2.REASON_UNKNOWN, "there is no such passkey", details={"what": "no_passkey"}, field="id")


def _proves_nobody() -> Refused:
    message = "this passkey proves nobody here"
    return Refused(errors_pb2.REASON_UNKNOWN, message, details={"what": "passkey"}, field="passkey")
