"""When a state is stored alongside the log: often enough that readers replay little, rarely enough that little is written."""

from brettwerk.v1 import record_pb2
from services.session.domain.bounds import MAX_STATE_EVERY, STATE_EVERY
from services.session.domain.state import State

BYTES_EACH = 400
"""Bytes of a large state for each version without a stored one."""


def interval(state: State) -> int:
    """Return after how many versions a state is stored: large ones less often, or they would be most of what is written."""
    size = 0 if state.position is None else len(state.position.value)
    return min(MAX_STATE_EVERY, max(STATE_EVERY, size // BYTES_EACH))


def plies_of(entry: record_pb2.Entry, before: State | None) -> int:
    """Return roughly how many plies are replayed when an entry is added again."""
    match entry.WhichOneof("change"):
        case "settled":
            return 1 + len(entry.settled.variation)
        case "loaded":
            return 1 + len(entry.loaded.variation)
        case "started":
            return 1 + (0 if before is None else len(before.created.variation))
        case "created":
            return 1 + len(entry.created.variation)
    return 1
