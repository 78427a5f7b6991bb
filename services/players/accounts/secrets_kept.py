"""How secrets are stored: what people remember with Argon2id, random codes with a plain hash. None of it can be reversed.

Argon2id runs with the parameters that RFC 9106 recommends where memory is scarce (64 MiB, three passes): some 100 ms of CPU time.
hash_queue.py says whose turn it is.
"""

import hashlib
import secrets
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY
from mnemonic import Mnemonic

from services.players.accounts.hash_queue import HashQueue, Rank
from services.runtime.refusal import malformed

PASSWORD_BYTES = range(8, 201)
LOGIN_BYTES = range(3, 41)
_HASHER = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
_WORDS = Mnemonic("english")
_NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$sIV9TwQ7B7w9fpM/LBDGlg$zLpjtddAVMt8ZgNZT10NxrtgKoDLlWQhO9mtAS4PKxU"
"""The hash of a secret that nobody knows, made once: to make one at each start of a process takes a tenth of the start."""


class Hashes:
    """Computes hashes outside the event loop, for callers at network addresses. Raises Refused (FULL) if too many wait."""

    def __init__(self) -> None:
        self._queue = HashQueue()

    async def make(self, secret: str, rank: Rank, address: str) -> str:
        """Return an Argon2id hash."""
        return await self._queue.run(rank, address, lambda: _HASHER.hash(secret))

    async def fits(self, kept: str | None, secret: str, rank: Rank, address: str) -> bool:
        """Return whether a hash is of a secret. For None it takes as long, and is False."""

        def check() -> bool:
            try:
                return _HASHER.verify(kept or _NOBODY, secret) and kept is not None
            except (VerificationError, InvalidHashError):
                return False

        return await self._queue.run(rank, address, check)


def new_code() -> str:
    """Return 128 random bits as text for a link."""
    return secrets.token_urlsafe(16)


def digest(code: str) -> bytes:
    """Return what is stored for a random code."""
    return hashlib.sha256(code.encode()).digest()


def new_phrase() -> str:
    """Return twelve words of 128 random bits (BIP 39)."""
    return str(_WORDS.generate(128))


def spaced_phrase(text: str) -> str:
    """Return a phrase as it was issued, however it was typed."""
    return " ".join(unicodedata.normalize("NFKD", text).lower().split())


def read_phrase(text: str) -> str:
    """Return the same. Raises Refused (MALFORMED) when it cannot be a phrase."""
    words = spaced_phrase(text)
    if len(words.split()) != 12 or not _WORDS.check(words):
        raise malformed("phrase", "these are not the twelve words of a recovery phrase")
    return words


def phrase_finder(phrase: str) -> bytes:
    """Return 64 bits that find the account of a phrase; they reveal nothing about the other half."""
    return hashlib.sha256(b"brettwerk phrase\0" + phrase.encode()).digest()[:8]


def read_login(text: str) -> str:
    """Return a login as it is compared: in one case and normal form. Raises Refused (MALFORMED) when it cannot be one."""
    shown = text.strip()
    if len(shown.encode()) not in LOGIN_BYTES or not shown.isprintable():
        raise malformed("login", "a name to sign in with has 3 to 40 bytes of printable text")
    return unicodedata.normalize("NFKC", shown).casefold()[:120]


def read_password(text: str) -> str:
    """Return a password as it is hashed: in normal form (NFC), since keyboards differ in how they type accents."""
    return unicodedata.normalize("NFC", text)


def check_password(text: str) -> str:
    """Return a new password in normal form. Raises Refused (MALFORMED) when it is too short or too long."""
    normal = read_password(text)
    if len(normal.encode()) not in PASSWORD_BYTES:
        raise malformed("password", "a password has 8 to 200 bytes")
    return normal
