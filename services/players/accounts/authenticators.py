"""The options sent to authenticators, and checks of their answers (WebAuthn level 3): py_webauthn does both.

A module that needs this one imports it where it is used: with the libraries below it takes 5 MB, which a server has no use for as
long as nobody has a passkey.
"""

from collections.abc import Sequence

import webauthn
from webauthn.helpers import parse_authentication_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)
from webauthn.registration.verify_registration_response import VerifiedRegistration

_NAME = "Brettwerk"
_FAULTS = (WebAuthnException, ValueError, KeyError, TypeError)
"""The exceptions of py_webauthn for an invalid answer, and those of the libraries below that it lets through."""


def options_to_add(domain: str, code: str, player_id: str, name: str, mine: Sequence[bytes]) -> str:
    """Return what a browser's `navigator.credentials.create` takes, as JSON: for a key that is none of the player's own."""
    options = webauthn.generate_registration_options(
        rp_id=domain,
        rp_name=_NAME,
        user_id=player_id.encode(),
        user_name=name,
        challenge=code.encode(),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=one) for one in mine],
    )
    return str(webauthn.options_to_json(options))


def options_to_sign_in(domain: str, code: str, mine: Sequence[bytes] = ()) -> str:
    """Return what a browser's `navigator.credentials.get` takes, as JSON: for one of these keys, or any where there are none."""
    options = webauthn.generate_authentication_options(
        rp_id=domain, challenge=code.encode(), allow_credentials=[PublicKeyCredentialDescriptor(id=one) for one in mine]
    )
    return str(webauthn.options_to_json(options))


def added(credential: str, code: str, origin: str, domain: str) -> VerifiedRegistration:
    """Return the new key that has answered a challenge for pages of an origin. Raises ValueError for no good answer."""
    try:
        return webauthn.verify_registration_response(
            credential=credential, expected_challenge=code.encode(), expected_origin=origin, expected_rp_id=domain
        )
    except _FAULTS as error:
        raise ValueError(str(error)) from error


def answer_of(credential: str) -> AuthenticationCredential:
    """Return an answer as it is read, unchecked. Raises ValueError for what is none."""
    try:
        return parse_authentication_credential_json(credential)
    except _FAULTS as error:
        raise ValueError(str(error)) from error


def new_count(answer: AuthenticationCredential, code: str, origin: str, domain: str, public_key: bytes, count: int) -> int:
    """Return how often a key has signed, as it says, when it has answered a challenge for pages of an origin.

    `count`: as it said before. Raises ValueError for no good answer.
    """
    try:
        proved = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=code.encode(),
            expected_origin=origin,
            expected_rp_id=domain,
            credential_public_key=public_key,
            credential_current_sign_count=count,
        )
    except _FAULTS as error:
        raise ValueError(str(error)) from error
    return proved.new_sign_count
