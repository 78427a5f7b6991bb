"""The headers of HTTP responses: what a page from here may do, and that no page may frame it."""

from collections.abc import Mapping

from services.runtime.settings import Settings

POLICY = "; ".join(
    (
        "default-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
"""The content security policy. `'self'` covers the WebSocket of the same host, too (CSP level 3)."""

SECURITY: Mapping[str, str] = {
    "content-security-policy": POLICY,
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
