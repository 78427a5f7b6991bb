"""Shards: an id begins with its shard, in two hex digits, and so does the tag of each key (docs/architecture.md, Redis)."""

import re

SHARDS = 16
"""The number of the store's shards; fixed forever, because ids contain their shard."""
_SHAPE = re.compile(r"0[0-9a-f][a-z2-7]{22}")


def shard_of(id_: str) -> int:
    """Return the shard of an id. Raises ValueError where it has none."""
    return int(id_[:2], 16)


def shard_if_any(text: str) -> int | None:
    """Return the shard of an id; None if nothing can have it."""
    return shard_of(text) if _SHAPE.fullmatch(text) else None


def shard_key(shard: int, name: str) -> str:
    """Return the key of something that each shard has one of (due, lease)."""
    return f"bw:{{s{shard:02x}}}:{name}"


def lease_key(shard: int) -> str:
    """Return the key of a shard's lease."""
    return shard_key(shard, "lease")
