"""The origins of the pages at which players sign in, as the operator lists them.

A proof by a passkey or a provider is good for the page that asked for it. A page's own word on where it stands would be worth
nothing, so only listed origins count: the browser holds a page to its real one.
"""

import ipaddress
import re
from urllib.parse import urlsplit

import idna

from services.runtime.logs import logger
from services.runtime.refusal import malformed

log = logger(__name__)

_ORIGIN = re.compile(r"https?://[^/?#@\s,*]+")
_PORTS = {"http": 80, "https": 443}
"""The ports that browsers leave out of an origin."""


class OwnOrigins:
    """Knows the origins of the web client."""

    def __init__(self, listed: str, domain: str = "") -> None:
        """Take origins, divided by commas, and the domain that passkeys are for (empty: the host of each origin).

        Raises ValueError for what is no origin, and for a domain that none of them belongs to.
        """
        self._listed = origins(listed)
        self._domain = _ascii(domain.strip().rstrip("."), "BRETTWERK_PASSKEY_DOMAIN")
        if self._domain and not any(self._is_of_domain(_host(origin)) for origin in self._listed):
            raise ValueError("BRETTWERK_PASSKEY_DOMAIN: no origin of BRETTWERK_SIGN_IN_ORIGINS belongs to this domain")

    def warn(self) -> None:
        """Log which origins cannot have passkeys though they have a name."""
        for origin in self._listed:
            if not _is_secure(origin) and not _is_address(_host(origin)):
                log.warning(
                    "BRETTWERK_SIGN_IN_ORIGINS: pages of this origin cannot have passkeys, which browsers make for https and "
                    "localhost only",
                    origin=origin,
                )

    def check(self, origin: str) -> None:
        """Check that pages of an origin may sign players in. Raises Refused (MALFORMED)."""
        if not self.lists(origin):
            raise malformed("origin", "players cannot sign in on pages of this origin: BRETTWERK_SIGN_IN_ORIGINS lists others")

    def lists(self, origin: str) -> bool:
        """Return whether pages of an origin may sign players in."""
        return origin in self._listed

    def has_passkeys(self, origin: str) -> bool:
        """Return whether pages of an origin can have passkeys. Browsers make none for addresses and without TLS."""
        return self.lists(origin) and self._domain_of(origin) != ""

    def has_any_passkeys(self) -> bool:
        """Return whether any page can have passkeys."""
        return any(self._domain_of(origin) for origin in self._listed)

    def passkey_domain(self, origin: str) -> str:
        """Return the domain that the passkeys of an origin are for (WebAuthn: relying party identifier).

        Raises Refused (MALFORMED) for an origin that is not listed, or can have none.
        """
        self.check(origin)
        domain = self._domain_of(origin)
        if not domain:
            raise malformed(
                "origin", "pages of this origin cannot have passkeys: they need https, a host name, and the operator's domain"
            )
        return domain

    def _domain_of(self, origin: str) -> str:
        host = _host(origin)
        if _is_address(host) or not _is_secure(origin):
            return ""
        if self._domain:
            return self._domain if self._is_of_domain(host) else ""
        return host

    def _is_of_domain(self, host: str) -> bool:
        return host == self._domain or host.endswith(f".{self._domain}")


def first_origin(listed: str) -> str:
    """Return the first origin that players sign in at; empty for none. Raises ValueError for what is no origin."""
    return next(iter(origins(listed)), "")


def origins(listed: str) -> tuple[str, ...]:
    """Return origins that are divided by commas, each as browsers write it (RFC 6454, section 6.2).

    Raises ValueError for what is no origin.
    """
    return tuple(dict.fromkeys(_origin(one) for each in listed.split(",") if (one := each.strip().rstrip("/"))))


def _origin(written: str) -> str:
    no_origin = f"BRETTWERK_SIGN_IN_ORIGINS: {written!r} is no origin (https, host and port only)"
    try:
        parts = urlsplit(written)
        host, port = parts.hostname or "", parts.port
        if not _ORIGIN.fullmatch(written.lower()) or not host:
            raise ValueError(no_origin)
        if ":" in host:
            host = f"[{ipaddress.IPv6Address(host)}]"
    except ValueError:
        raise ValueError(no_origin) from None
    host = _ascii(host, "BRETTWERK_SIGN_IN_ORIGINS")
    return f"{parts.scheme}://{host}" + ("" if port in (None, _PORTS[parts.scheme]) else f":{port}")


def _ascii(host: str, setting: str) -> str:
    """Return a host as browsers write it: an internationalised name in its ASCII form (UTS 46). Raises ValueError."""
    if host.isascii():
        return host.lower()
    try:
        return idna.encode(host, uts46=True).decode()
    except idna.IDNAError as error:
        raise ValueError(f"{setting}: {host!r} is no host name ({error})") from None


def _is_secure(origin: str) -> bool:
    """Return whether browsers take a page for one that nobody has changed on its way (W3C Secure Contexts, section 3.1)."""
    host = _host(origin)
    return origin.startswith("https:") or host == "localhost" or host.endswith(".localhost")


def _host(origin: str) -> str:
    return (urlsplit(origin).hostname or "").rstrip(".")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
