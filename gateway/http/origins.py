"""Pages of which other origins may use this gateway: only those that its operator lists.

Programs send no Origin and are not affected. There are no cookies here, so a page can do no more than any program with its own
tokens; but a user's browser may reach gateways that the page's author cannot.
"""

import re

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s,]+")
_ANY, _FILES = "*", "null"


class Origins:
    """Knows the origins of friends."""

    def __init__(self, listed: str) -> None:
        """Take origins, separated by commas: `https://play.example`, `null` for pages from files, or `*` for any.

        Raises ValueError for anything that is not an origin, such as an address with a path.
        """
        self._listed = {origin.strip().lower().rstrip("/") for origin in listed.split(",") if origin.strip()}
        for origin in sorted(self._listed - {_ANY, _FILES}):
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"BRETTWERK_ALLOWED_ORIGINS: {origin!r} is no origin (scheme, host and port only)")

    def lists(self, origin: str) -> bool:
        """Return whether pages of an origin, as an Origin header names it, may come in."""
        return bool(origin) and (_ANY in self._listed or origin.lower() in self._listed)
