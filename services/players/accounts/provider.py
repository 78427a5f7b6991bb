"""An OpenID provider (OpenID Connect Core 1.0) as the operator has set it up: where to send somebody, and who comes back.

The flow is that of authorization codes with PKCE (RFC 7636), state and nonce. The provider's own description is asked for once an
hour; while it is away, what it said last counts. All that it sends is bounded.
"""

import asyncio
import base64
import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx2
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from brettwerk.v1 import errors_pb2
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.settings import Settings

ASKED_AGAIN_S = 3600.0
"""After how long the provider's own description is fetched again."""
AWAY_S = 5.0
"""How long an unreachable provider is not asked again, so that nobody waits for it."""
KEYS_AGAIN_S = 60.0
"""The minimum time between two fetches of new keys, whoever asks for them."""
ANSWER_BYTES = 256 * 1024
VALUES = 1000
"""How many values of the claim of roles are read."""
TIMEOUT_S = 4.0
LEEWAY_S = 60
"""How far the provider's clock may be from ours."""
_ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA", "RS384", "RS512", "PS384", "PS512", "ES384", "ES512")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Client:
    """The operator's settings."""

    issuer: str
    id: str
    secret: str
    name: str
    """The name of the provider for players."""
    scopes: str = "openid"
    """The scopes that it is asked for, separated by spaces."""
    role_claim: str = ""
    """The claim that says which roles a player has; empty for none."""

    @classmethod
    def of(cls, config: Settings) -> "Client | None":
        """Return what is set; None if there is no provider. Raises ValueError for impossible values."""
        issuer, id_ = config.openid_issuer.strip(), config.openid_client_id.strip()
        if not issuer and not id_:
            return None
        if not issuer or not id_:
            raise ValueError("BRETTWERK_OPENID_ISSUER and BRETTWERK_OPENID_CLIENT_ID are set together")
        if not _is_safe(issuer) or urlsplit(issuer).query or urlsplit(issuer).fragment:
            raise ValueError(f"BRETTWERK_OPENID_ISSUER: {issuer!r} is no address that begins with https://")
        name = config.openid_name.strip() or urlsplit(issuer).hostname or issuer
        secret = config.openid_client_secret.get_secret_value()
        claim = config.openid_role_claim.strip() if config.openid_moderators or config.openid_operators else ""
        scopes = " ".join(dict.fromkeys(["openid", *config.openid_scopes.split()]))
        return cls(issuer, id_, secret, name[:80], scopes, claim)


@dataclass(frozen=True, slots=True)
class Proved:
    """A player, as the provider describes them."""

    subject: str
    """The provider's own id."""
    roles: frozenset[str]
    """The values of the claim of roles."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The state of one trip to the provider and back. None of it is stored."""

    redirect: str
    """Where the provider sends the browser."""
    state: str
    nonce: str
    verifier: str


class Provider:
    """The provider."""

    def __init__(
        self, client: Client, now_s: Callable[[], float] = time.time, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        """`transport`: how it is reached, where that is not by HTTP."""
        self.client = client
        self._now_s = now_s
        self._http = httpx2.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False, transport=transport)
        self._asking = asyncio.Lock()
        self._metadata: Mapping[str, Any] = {}
        self._asked_s = self._away_s = float("-inf")
        self._keys: KeySet | None = None
        self._keys_s = float("-inf")

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def address(self, passage: Passage) -> str:
        """Return where to send the browser. Raises Refused (UNAVAILABLE) if the provider has never been reached."""
        metadata = await self._described()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(passage.verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "scope": self.client.scopes,
            "client_id": self.client.id,
            "redirect_uri": passage.redirect,
            "state": passage.state,
            "nonce": passage.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        address = metadata["authorization_endpoint"]
        return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(asked)}"

    async def proved(self, code: str, passage: Passage) -> Proved:
        """Return whom a code proves.

        Raises Refused: UNAVAILABLE while the provider is away, UNKNOWN when it proves nobody.
        """
        metadata = await self._described()
        token = await self._exchanged(metadata, code, passage)
        try:
            claims = await self._claims(metadata, token)
            registry = jwt.JWTClaimsRegistry(
                now=lambda: int(self._now_s()),
                leeway=LEEWAY_S,
                iss={"essential": True, "value": self.client.issuer},
                aud={"essential": True, "value": self.client.id},
                exp={"essential": True},
                iat={"essential": True},
                sub={"essential": True},
                nonce={"essential": True, "value": passage.nonce},
            )
            registry.validate(claims)
        except (JoseError, ValueError, KeyError, TypeError) as error:
            log.warning("the OpenID provider's token is not good", error=f"{type(error).__name__}: {error}"[:200])
            raise _proves_nobody() from None
        others = claims["aud"] if isinstance(claims["aud"], list) else []
        if claims.get("azp", self.client.id) != self.client.id or (len(others) > 1 and "azp" not in claims):
            raise _proves_nobody()
        return Proved(str(claims["sub"]), _values(claims, self.client.role_claim))

    async def _described(self) -> Mapping[str, Any]:
        async with self._asking:
            now_s = self._now_s()
            if now_s - self._asked_s > ASKED_AGAIN_S and now_s - self._away_s > AWAY_S:
                address = f"{self.client.issuer.rstrip('/')}/.well-known/openid-configuration"
                try:
                    self._metadata = self._checked(await self._get(address))
                    self._asked_s = now_s
                except Refused:
                    self._away_s = now_s
            if not self._metadata:
                raise _away()
            return self._metadata

    def _checked(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        addresses = [said.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
        if said.get("issuer") != self.client.issuer or not all(isinstance(one, str) and _is_safe(one) for one in addresses):
            log.warning("the OpenID provider is not the one that is set", issuer=str(said.get("issuer"))[:200])
            raise _away()
        return said

    async def _exchanged(self, metadata: Mapping[str, Any], code: str, passage: Passage) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": passage.redirect,
            "code_verifier": passage.verifier,
        }
        authorization: tuple[str, str] | None = None
        methods = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if not self.client.secret:
            form["client_id"] = self.client.id
        elif "client_secret_basic" in methods:
            authorization = (quote(self.client.id, safe=""), quote(self.client.secret, safe=""))  # RFC 6749 section 2.3.1
        else:
            form |= {"client_id": self.client.id, "client_secret": self.client.secret}
        status, said = await self._ask("POST", metadata["token_endpoint"], data=form, auth=authorization)
        token = said.get("id_token")
        if status != 200 or not isinstance(token, str):
            log.warning("the OpenID provider refuses a code", status=status, error=str(said.get("error"))[:100])
            raise _proves_nobody()
        return token

    async def _claims(self, metadata: Mapping[str, Any], token: str) -> dict[str, Any]:
        offered = metadata.get("id_token_signing_alg_values_supported", ["RS256"])
        algorithms = [one for one in _ALGORITHMS if one in offered]
        keys = self._keys or await self._fresh_keys(metadata)
        try:
            return jwt.decode(token, keys, algorithms=algorithms).claims
        except (JoseError, ValueError):
            # Providers replace their keys.
            if self._now_s() - self._keys_s < KEYS_AGAIN_S:
                raise
            return jwt.decode(token, await self._fresh_keys(metadata), algorithms=algorithms).claims

    async def _fresh_keys(self, metadata: Mapping[str, Any]) -> KeySet:
        said = await self._get(metadata["jwks_uri"])
        self._keys, self._keys_s = KeySet.import_key_set({"keys": list(said["keys"])}), self._now_s()
        return self._keys

    async def _get(self, address: str) -> Mapping[str, Any]:
        status, said = await self._ask("GET", address)
        if status != 200:
            log.warning("the OpenID provider does not say what it should", address=address[:200], status=status)
            raise _away()
        return said

    async def _ask(self, method: str, address: str, **options: Any) -> tuple[int, Mapping[str, Any]]:
        """Return the status and the JSON object of an answer, empty if it is none. Raises Refused (UNAVAILABLE)."""
        try:
            async with asyncio.timeout(TIMEOUT_S), self._http.stream(method, address, **options) as response:
                body = b""
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > ANSWER_BYTES:
                        raise _away()
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
            log.warning("the OpenID provider cannot be reached", error=f"{type(error).__name__}: {error}"[:200])
            raise _away() from None
        if response.status_code >= 500:
            raise _away()
        try:
            said = json.loads(body)
        except ValueError:
            said = {}
        return response.status_code, said if isinstance(said, dict) else {}


def _values(claims: Mapping[str, Any], name: str) -> frozenset[str]:
    """Return the values of a claim: of one that is a list, or one text; with dots in its name, of one within others."""
    found: Any = claims if name else None
    for part in (name,) if name in claims else name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    values = found if isinstance(found, list) else [found]
    return frozenset(value for value in values[:VALUES] if isinstance(value, str))


def _is_safe(address: str) -> bool:
    """Return whether nobody on the way can read or change requests to an address: https, or this machine."""
    parts = urlsplit(address)
    return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK))


def _away() -> Refused:
    message = "the sign-in provider cannot be reached now"
    details = {"service": "sign-in provider", "what": "provider"}
    return Refused(errors_pb2.REASON_UNAVAILABLE, message, details=details, retry_after_ms=1000)


def _proves_nobody() -> Refused:
    message = "the sign-in provider does not say who this is"
    return Refused(errors_pb2.REASON_UNKNOWN, message, details={"what": "provider"}, field="provider")
