"""The elements of a session's log as the store keeps them: entries and, with the last one of a request, its answer.

So the answer to a repeated request is where the log says what it did, and nothing else needs to be kept.
"""

from brettwerk.internal.v1 import session_state_pb2
from services.session.domain import format_versions

LoggedEntry = session_state_pb2.LoggedEntry
StoredAnswer = session_state_pb2.StoredAnswer

_FIRST = bytes((LoggedEntry.DESCRIPTOR.fields_by_name["entry"].number << 3 | 2,))
"""The first byte of an element with more than an entry; an Entry begins with a different one, that of its version."""
_PLAIN_FORMAT = 1
"""Up to this format, elements need not state it."""


def element(entry: bytes, request: bytes = b"", answer: StoredAnswer | None = None, min_reader: int = 0) -> bytes:
    """Return the element of an encoded entry, with the request that made it, and the format that is needed from there on."""
    if not request and min_reader <= _PLAIN_FORMAT:
        return entry
    needed = min_reader if min_reader > _PLAIN_FORMAT else 0
    return LoggedEntry(entry=entry, request=request, answer=answer, min_reader=needed).SerializeToString(deterministic=True)


def read(session_id: str, data: bytes) -> tuple[bytes, bytes, StoredAnswer | None]:
    """Return the encoded entry of an element, the key of its request id (empty for none), and the answer.

    Raises Refused (UNAVAILABLE, newer) if only a newer release understands the session from there on.
    """
    if data[:1] != _FIRST:
        return data, b"", None
    logged = LoggedEntry.FromString(data)
    if logged.min_reader > format_versions.FORMAT:
        raise format_versions.passed_on(session_id, f"format {logged.min_reader}")
    return logged.entry, logged.request, logged.answer if logged.HasField("answer") else None


def entry_of(data: bytes) -> bytes:
    """Return the encoded entry of an element."""
    return LoggedEntry.FromString(data).entry if data[:1] == _FIRST else data
