"""The origins of the pages at which players sign in, as the operator lists them.

What a passkey or a provider proves is good for the page that asked for it. A page's own word on where it stands would be worth
nothing, so only listed origins count: the browser holds a page to its real one.
"""

import ipaddress
import re
from urllib.parse import urlsplit

from services.runtime.refusal import malformed

_ORIGIN = re.compile(r"https?://[^/?#@\s,*]+")


class OwnOrigins:
    """Knows the origins of the web client."""

    def __init__(self, listed: str, domain: str = "") -> None:
        """Take origins, divided by commas, and the domain that passkeys are for (empty: the host of each origin).

        Raises ValueError for what is no origin, and for a domain that none of them belongs to.
        """
        self._listed = {origin.strip().lower().rstrip("/") for origin in listed.split(",") if origin.strip()}
        for origin in sorted(self._listed):
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"BRETTWERK_SIGN_IN_ORIGINS: {origin!r} is no origin (https, host and port only)")
        self._domain = domain.strip().lower().rstrip(".")
        if self._domain and not any(self._is_of_domain(_host(origin)) for origin in self._listed):
            raise ValueError("BRETTWERK_PASSKEY_DOMAIN: no origin of BRETTWERK_SIGN_IN_ORIGINS belongs to this domain")

    def check(self, origin: str) -> None:
        """Check that pages of an origin may sign players in. Raises Refused (MALFORMED)."""
        if not self.lists(origin):
            raise malformed("origin", "players cannot sign in on pages of this origin: BRETTWERK_SIGN_IN_ORIGINS lists others")

    def lists(self, origin: str) -> bool:
        """Return whether pages of an origin may sign players in."""
        return origin in self._listed

    def has_passkeys(self, origin: str) -> bool:
        """Return whether pages of an origin can have passkeys. Browsers make none for addresses, which are nobody's for long."""
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
                "origin", "pages of this origin cannot have passkeys: they need a host name, and the operator's domain"
            )
        return domain

    def _domain_of(self, origin: str) -> str:
        host = _host(origin)
        if _is_address(host):
            return ""
        if self._domain:
            return self._domain if self._is_of_domain(host) else ""
        return host

    def _is_of_domain(self, host: str) -> bool:
        return host == self._domain or host.endswith(f".{self._domain}")


def _host(origin: str) -> str:
    return (urlsplit(origin).hostname or "").rstrip(".")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
