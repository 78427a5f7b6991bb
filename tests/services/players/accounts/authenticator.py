"""An authenticator in software: makes passkeys and answers challenges as a device does (WebAuthn level 3, sections 6 and 7)."""

import hashlib
import json
import secrets
import struct
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

_PRESENT, _ATTESTED = 0x01, 0x40


@dataclass
class Key:
    """A passkey."""

    domain: str
    user: bytes
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def cose(self) -> bytes:
        """Return the public key (RFC 9053: an ES256 key on P-256)."""
        numbers = self.private.public_key().public_numbers()
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})


class Authenticator:
    """A device with its passkeys, and the browser before it, which tells the page's origin."""

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self.count = 0

    def make(self, options: str, origin: str) -> str:
        """Return the answer to a challenge for a new passkey."""
        wanted = json.loads(options)
        excluded = {base64url_to_bytes(one["id"]) for one in wanted.get("excludeCredentials", ())}
        assert not excluded & {key.id for key in self.keys}, "browsers make no second key"
        key = Key(wanted["rp"]["id"], base64url_to_bytes(wanted["user"]["id"]))
        self.keys.append(key)
        attested = bytes(16) + struct.pack(">H", len(key.id)) + key.id + key.cose()
        data = self._data(key, _PRESENT | _ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = _client_data("webauthn.create", wanted["challenge"], origin)
        return _answer(key, {"clientDataJSON": client, "attestationObject": attestation})

    def sign(self, options: str, origin: str) -> str:
        """Return the answer of the newest passkey to a challenge."""
        wanted = json.loads(options)
        key = self.keys[-1]
        self.count += 1
        data, client = self._data(key, _PRESENT), _client_data("webauthn.get", wanted["challenge"], origin)
        signature = key.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        made = {"clientDataJSON": client, "authenticatorData": data, "signature": signature, "userHandle": key.user}
        return _answer(key, made)

    def _data(self, key: Key, flags: int) -> bytes:
        return hashlib.sha256(key.domain.encode()).digest() + struct.pack(">BI", flags, self.count)


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}).encode()


def _answer(key: Key, response: dict[str, bytes]) -> str:
    id_ = bytes_to_base64url(key.id)
    spelled: dict[str, Any] = {name: bytes_to_base64url(value) for name, value in response.items()}
    return json.dumps({"id": id_, "rawId": id_, "type": "public-key", "response": spelled, "clientExtensionResults": {}})
