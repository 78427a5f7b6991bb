"""Player tokens: JSON Web Tokens (RFC 7519), signed with HMAC-SHA256 under a key that the token names.

Keys can be replaced while people play: the first of the ring signs, and all are accepted. A token contains the id (`sub`), the
name, the generation (`gen`) and the expiry (`exp`); it proves nothing else and is never logged.

An API token is one, too, behind a prefix by which people and scanners recognise it. It has an id of its own (`jti`) and scopes
(`scp`), and names its player elsewhere (`act`), so that whoever does not know of API tokens takes it for nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, OctKey

from services.runtime.settings import Settings

DERIVED = "0"
"""The id of the key derived from the secret key, which also reads tokens issued before there were key ids."""
API_PREFIX = "bwa_"
"""Begins every API token."""
MAX_KEYS = 8
MIN_KEY = 32
_ALGORITHM = "HS256"


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a token."""

    player_id: str
    name: str
    generation: int
    expires_s: int
    token_id: str = ""
    """Of an API token; empty for a player's own."""
    scopes: int = 0
    """Of an API token: the bit 1 << s for each Scope s."""


class KeyRing:
    """The keys of player tokens."""

    def __init__(self, keys: Sequence[tuple[str, bytes]]) -> None:
        """Take keys with their ids; the first signs. Raises ValueError if there are none, or two have the same id."""
        if not 1 <= len(keys) <= MAX_KEYS or len({kid for kid, _ in keys}) != len(keys):
            raise ValueError(f"there must be 1 to {MAX_KEYS} keys of player tokens, each with an id of its own")
        self._keys = {kid: OctKey.import_key(key, {"kid": kid, "use": "sig", "alg": _ALGORITHM}) for kid, key in keys}
        self._set = KeySet(list(self._keys.values()))
        self._signs = keys[0][0]
        self.has_derived = DERIVED in self._keys
        """Whether the key derived from the secret key is accepted."""

    @classmethod
    def of(cls, config: Settings) -> "KeyRing":
        """Return the ring of the settings: `id:key`, separated by commas, or the key derived from the secret key.

        Raises ValueError for invalid keys.
        """
        derived = config.key("player")
        parts = [part.strip() for part in config.player_keys.get_secret_value().split(",") if part.strip()]
        if not parts:
            return cls([(DERIVED, derived)])
        keys = [(kid, derived if kid == DERIVED else key.encode()) for kid, _, key in (part.partition(":") for part in parts)]
        if any(not kid.isalnum() or len(kid) > 16 or len(key) < MIN_KEY for kid, key in keys):
            raise ValueError(
                f"BRETTWERK_PLAYER_KEYS has an id that is not 1 to 16 letters and digits, or a key below {MIN_KEY} bytes"
            )
        return cls(keys)

    def sign(self, claims: Claims) -> str:
        """Return a token."""
        said: dict[str, str | int] = {"name": claims.name, "gen": claims.generation, "exp": claims.expires_s}
        if claims.token_id:
            said |= {"act": claims.player_id, "jti": claims.token_id, "scp": claims.scopes}
        else:
            said["sub"] = claims.player_id
        signed = jwt.encode({"alg": _ALGORITHM, "kid": self._signs}, said, self._keys[self._signs], algorithms=[_ALGORITHM])
        return API_PREFIX + signed if claims.token_id else signed

    def read(self, token: str) -> Claims | None:
        """Return what a token says, expired or not; None if none of these keys signed it."""
        is_api = token.startswith(API_PREFIX)
        try:
            said = jwt.decode(token.removeprefix(API_PREFIX), self._set, algorithms=[_ALGORITHM]).claims
            names = ("act" if is_api else "sub", "name", "gen", "exp")
            player_id, name, generation, expires_s = (said.get(name) for name in names)
            token_id, scopes = (said.get("jti"), said.get("scp")) if is_api else ("", 0)
        except (JoseError, ValueError, KeyError, TypeError, AttributeError):
            return None
        if not (
            isinstance(player_id, str) and isinstance(name, str) and isinstance(generation, int) and isinstance(expires_s, int)
        ):
            return None
        if not isinstance(token_id, str) or not isinstance(scopes, int) or is_api != bool(token_id):
            return None
        return Claims(player_id, name, generation, expires_s, token_id, scopes)
