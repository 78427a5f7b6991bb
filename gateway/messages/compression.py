"""Compressed answers for clients that can read them (RFC 9110 section 12.5.3).

No secret can be guessed from sizes (BREACH): a page of another origin has no token that the browser would send along by itself.
"""

import gzip

WORTH_BYTES = 1000
"""Shorter answers are sent uncompressed."""
_AT_ONCE = 4
"""The level of what is compressed for one answer: half the time of the usual one, for hardly more bytes."""
_KEPT = 9
"""The level of what is compressed once and sent to many: a twentieth fewer bytes than at the other."""


def accepts(accepted: str, encoding: str) -> bool:
    """Return whether an Accept-Encoding header names this encoding, and does not forbid it."""
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def gzipped(body: bytes) -> bytes:
    """Return the body compressed by gzip, always in the same bytes."""
    return gzip.compress(body, _AT_ONCE, mtime=0)


def gzipped_to_keep(body: bytes) -> bytes:
    """Return the same in as few bytes as can be, which takes twice as long."""
    return gzip.compress(body, _KEPT, mtime=0)
