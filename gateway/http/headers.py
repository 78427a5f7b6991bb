"""The headers of HTTP responses: what a page from here may do, and that no page may frame it but boards where that is allowed."""

import re
from collections.abc import Mapping

from services.runtime.settings import Settings

POLICY = "content-security-policy"
"""The name of the header with what a page may do."""
_ANCESTOR = re.compile(r"https?://(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*(:[0-9]{1,5})?")


def policy(ancestors: str = "'none'") -> str:
    """Return the content security policy of what these origins may frame.

    `'self'` covers the WebSocket of the same host, too (CSP level 3).
    """
    return "; ".join(
        (
            "default-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            f"frame-ancestors {ancestors}",
            "base-uri 'none'",
            "form-action 'self'",
        )
    )


def ancestors(listed: str) -> str:
    """Return the origins of a setting, separated by commas, as a policy names them: `'none'` where none is listed.

    Raises ValueError for anything that is neither an origin (`https://club.example`, `https://*.club.example`) nor `*`.
    """
    given = [origin for origin in (each.strip().lower().rstrip("/") for each in listed.split(",")) if origin]
    for origin in given:
        if origin != "*" and not _ANCESTOR.fullmatch(origin):
            raise ValueError(f"BRETTWERK_EMBED_ANCESTORS: {origin!r} is no origin (http or https, host and port only)")
    return " ".join(given) or "'none'"


SECURITY: Mapping[str, str] = {
    POLICY: policy(),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
"""Of every response: name to value."""

OF_PAGES: Mapping[str, str] = {
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
}
"""Additional ones for pages: they matter only to documents, and the client's many files are lighter without them."""

NEVER_STORED: Mapping[str, str] = {"cache-control": "no-store"}
"""For answers, which are meant for one caller at one moment."""


def of_every_response(config: Settings) -> Mapping[str, str]:
    """Return the headers of every response: where the endpoint has TLS, also that browsers always come with it (RFC 6797)."""
    if not (config.gateway_tls and config.hsts_days):
        return SECURITY
    return {**SECURITY, "strict-transport-security": f"max-age={config.hsts_days * 86_400}"}
