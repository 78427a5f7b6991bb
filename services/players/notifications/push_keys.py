"""The keys of Web Push: they say who a push message comes from (VAPID, RFC 8292), and seal what browsers subscribe with.

Both are made of one secret of the operator's. A browser's subscription is good for one public key only, so whoever replaces the
secret keeps the former one beside it until browsers have subscribed anew, which each does with its next visit.
"""

import base64
import hashlib
import hmac
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey

from services.runtime.settings import Settings

MIN_SECRET = 32
MAX_SECRETS = 2
TOKEN_S = 12 * 3600
"""How long a signed statement of ours is good; push services take 24 hours at most."""
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256."""
_NONCE = 12


@dataclass(frozen=True, slots=True)
class Subscription:
    """The subscription of a browser."""

    endpoint: str
    key: bytes
    """Its public key."""
    secret: bytes


class PushKey:
    """One secret, and what is made of it."""

    def __init__(self, secret: str) -> None:
        number = int.from_bytes(_made(secret, "signing")) % (_ORDER - 1) + 1
        private = ec.derive_private_key(number, ec.SECP256R1())
        public = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = _text(public)
        """The public key as browsers take it (applicationServerKey): 65 bytes in base64url."""
        self._signing = ECKey.import_key(private)
        self._seal = AESGCM(_made(secret, "sealing"))
        self._mark = hashlib.sha256(public).digest()[:4]

    def authorization(self, origin: str, contact: str, now_s: float) -> str:
        """Return the header that says to the push service at an origin who sends."""
        claims = {"aud": origin, "exp": int(now_s) + TOKEN_S, "sub": contact}
        return f"vapid t={jwt.encode({'alg': 'ES256', 'typ': 'JWT'}, claims, self._signing)}, k={self.public}"

    def sealed(self, subscription: Subscription) -> bytes:
        """Return a subscription as it is stored."""
        plain = json.dumps([subscription.endpoint, _text(subscription.key), _text(subscription.secret)]).encode()
        nonce = os.urandom(_NONCE)
        return self._mark + nonce + self._seal.encrypt(nonce, plain, self._mark)

    def opened(self, sealed: bytes) -> Subscription | None:
        """Return a subscription; None for one that another key has sealed."""
        mark, nonce, data = sealed[:4], sealed[4 : 4 + _NONCE], sealed[4 + _NONCE :]
        if mark != self._mark:
            return None
        try:
            endpoint, key, secret = json.loads(self._seal.decrypt(nonce, data, mark))
        except (InvalidTag, ValueError):
            return None
        return Subscription(endpoint, _bytes(key), _bytes(secret))


class PushKeys:
    """The keys of this server."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """Take the secrets: new subscriptions are made for the first, those of all are served. Raises ValueError."""
        if not 1 <= len(secrets) <= MAX_SECRETS or any(len(secret) < MIN_SECRET for secret in secrets):
            raise ValueError(f"BRETTWERK_PUSH_KEY must be one key, or two by a comma, of {MIN_SECRET} characters or more each")
        self._keys = [PushKey(secret) for secret in secrets]

    @classmethod
    def of(cls, config: Settings) -> "PushKeys | None":
        """Return the keys that are set; None where nobody gets push messages. Raises ValueError for what cannot be keys."""
        given = config.push_key.get_secret_value().strip()
        return cls([secret.strip() for secret in given.split(",")]) if given else None

    @property
    def newest(self) -> PushKey:
        """The key for new subscriptions."""
        return self._keys[0]

    def opened(self, sealed: bytes) -> tuple[Subscription, PushKey] | None:
        """Return a stored subscription and the key that it is good for; None where that key is gone."""
        for key in self._keys:
            if subscription := key.opened(sealed):
                return subscription, key
        return None


def _made(secret: str, purpose: str) -> bytes:
    return hmac.digest(secret.encode(), b"brettwerk push " + purpose.encode(), hashlib.sha256)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
