"""Conditional moves in memory and in the store (domain/conditional.py). Whoever owns the session's shard writes them."""

from brettwerk.v1 import session_state_pb2
from services.runtime.refusal import moved, unknown
from services.session.domain import conditional
from services.session.domain.ids import shard_of
from services.session.domain.newer import read_entries
from services.session.live.memory import Memory
from services.session.store.store import Store, Stored


async def read_conditional(store: Store, session_id: str, stored: Stored) -> conditional.Kept:
    """Return what is left of the conditional moves of a session as it is stored. Raises Refused (UNAVAILABLE)."""
    if not stored.conditional:
        return ()
    found = session_state_pb2.StoredConditionalMoves.FromString(stored.conditional)
    first = min((one.version for one in found.seats), default=stored.version)
    log = await store.log(session_id, first, stored.version) if first < stored.version else []
    return conditional.read(found, stored.version, read_entries(session_id, log))


async def keep_conditional(store: Store, session_id: str, version: int, kept: conditional.Kept, memory: Memory) -> None:
    """Keep conditional moves that begin at a version. Raises Refused: UNKNOWN without the session, UNAVAILABLE (moved)."""
    data = conditional.write(kept, version).SerializeToString(deterministic=True) if kept else b""
    match await store.keep_conditional(session_id, data):
        case "moved":
            raise moved(shard_of(session_id))
        case "gone":
            raise unknown("session")
    memory.conditional = kept
