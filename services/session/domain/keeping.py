"""When a state is kept beside the log: often enough that a reader plays little again, seldom enough that little is written."""

from brettwerk.v1 import record_pb2
from services.session.domain.bounds import MAX_STATE_EVERY, STATE_EVERY
from services.session.domain.state import State

BYTES_EACH = 400
"""Bytes of a state for each version that is not kept, where it is a large one."""


def interval(state: State) -> int:
    """Return after how many versions a state is kept: large ones less often, or they were most of what is written."""
    size = 0 if state.position is None else len(state.position.value)
    return min(MAX_STATE_EVERY, max(STATE_EVERY, size // BYTES_EACH))


def plies_of(entry: record_pb2.Entry, before: State | None) -> int:
    """Return how many plies are played when an entry is added again, about."""
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
