"""Encrypts a push message for one browser (RFC 8291), so that its push service can read nothing but a length.

The packages that do this bring two HTTP clients (pywebpush) or come as source only (http-ece). On `cryptography`, which is here
for other things, the whole of it are these lines, and a test holds them to the example of the RFC.
"""

import os

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PADDED = 512
"""Messages have a multiple of this many bytes before they are encrypted."""
MAX_BYTES = 3 * 1024
"""The longest message: push services take records of 4,096 bytes."""
_RECORD = 4096
_LAST = b"\x02"


def encrypted(
    message: bytes, key: bytes, secret: bytes, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """Return the body of the request that brings a message to the browser with a public key and a secret.

    `own` and `salt` are recreated unless a test names them. Raises ValueError for what is no public key, or too long a message.
    """
    if len(message) > MAX_BYTES:
        raise ValueError(f"a push message of {len(message)} bytes is too long")
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    public = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key))
    keyed = HKDF(SHA256(), 32, secret, b"WebPush: info\0" + key + public).derive(shared)
    content_key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(keyed)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(keyed)
    header = salt + _RECORD.to_bytes(4) + len(public).to_bytes(1) + public
    return header + AESGCM(content_key).encrypt(nonce, message + _LAST, None)


def padded(message: bytes) -> bytes:
    """Return a message of JSON with blanks after it, so that its length does not tell what it says."""
    return message.ljust(-(-len(message) // PADDED) * PADDED)
