"""Which shard a session is in: its id begins with the number, in two hex digits (docs/architecture.md, Redis).

Calls and watches of a session go to the session process that owns its shard.
"""

from services.runtime.link import Metadata, metadata_for_shard

SHARDS = 16
"""How many there are."""
_ID_LETTERS = 24
_SHARDS = {f"{shard:02x}": shard for shard in range(SHARDS)}
_METADATA = {digits: metadata_for_shard(shard) for digits, shard in _SHARDS.items()}


def shard_of(session_id: str) -> int | None:
    """Return the shard of a session; None if no session can have this id."""
    return _SHARDS.get(session_id[:2]) if len(session_id) == _ID_LETTERS else None


def metadata_of(session_id: str) -> Metadata | None:
    """Return what names the session's shard to a link, if it can have one."""
    return _METADATA.get(session_id[:2]) if len(session_id) == _ID_LETTERS else None
