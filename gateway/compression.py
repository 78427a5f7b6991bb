"""Compressed answers for clients that can read them (RFC 9110 section 12.5.3).

No secret can be guessed from sizes (BREACH): a page of another origin has no token that the browser would send along by itself.
"""

import gzip

WORTH_BYTES = 1000
"""Shorter answers are sent uncompressed."""
_LEVEL = 4
"""Takes half the time of the usual level, for hardly more bytes."""


def accepts(accepted: str, encoding: str) -> bool:
    """Return whether an Accept-Encoding header names this encoding, and does not forbid it."""
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def gzipped(body: bytes) -> bytes:
    """Return the body compressed by gzip, always in the same bytes."""
    return gzip.compress(body, _LEVEL, mtime=0)
