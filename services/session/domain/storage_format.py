"""The format of stored sessions: elements of the log, and what a newer release has written.

While releases run side by side, a session is written by processes of both, one after the other. An unknown field does not affect
this release, so it is kept (value_codec.py) and stored again. An unknown entry, kind or state does: then this process must
neither write nor show the session. It refuses (UNAVAILABLE, with `newer` in the details), and the session's shard goes to a
process of the newer release, once there is one (shards.py). A release that adds something of that kind increments FORMAT and
says in `_SINCE` with which entry a session begins to need it; sessions contain that number as `min_reader`.

An element of the log is an entry and, with the last one of a request, its answer: so the answer to a repeated request is where
the log says what it did, and nothing else needs to be kept.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import record_pb2, sessions_pb2
from brettwerk_games.protobuf_wire.fields import tag
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, newer

log = logger(__name__)

FORMAT = 7
"""The format of stored sessions that this release knows; 0 is that of 0.1.0, which ignores formats."""

_SINCE: Mapping[str, int] = {
    "chance_renewed": 1,
    "vacation_taken": 3,
    "help_agreed": 4,
    "hinted": 4,
    "rest_hours_set": 5,
    "nudged": 5,
    "seat_offered": 6,
    "substitute_asked": 6,
    "substitute_answered": 6,
    "arbiter_named": 7,
    "arbiter_acted": 7,
}
"""The entries added after format 0, and the format that a session with one of them needs."""

LoggedEntry = session_state_pb2.LoggedEntry
StoredAnswer = session_state_pb2.StoredAnswer

_FIRST = tag(LoggedEntry, "entry")
"""The first byte of an element with more than an entry; an Entry begins with a different one, that of its version."""
_PLAIN_FORMAT = 1
"""Up to this format, elements need not state it."""
_MAX_REMEMBERED = 1000
_said: OrderedDict[str, None] = OrderedDict()
"""The last sessions that have already been logged as passed on."""


def first_format(created: record_pb2.Created) -> int:
    """Return the format that a session needs from its creation on.

    Earlier releases know neither that each audience has its own numbers (2), nor a clock like this, nor that spectators are told
    later (5), nor arbiters (7).
    """
    if created.arbiters:
        return 7
    clock = created.clock
    if clock.cap_ms or clock.rest_hours or clock.automatic_vacation or clock.claims or created.spectator_delay:
        return 5
    return 2 if created.counts_perceived else 0


def format_after(state_format: int, change: str | None) -> int:
    """Return the format that a session of a format needs after an entry. An entry that a log holds once stays in it."""
    return max(state_format, _SINCE.get(change or "", 0))


def newer_release(session_id: str, what: str) -> Refused:
    """Return the refusal of a session that only a newer release understands. It is counted, and logged once for each session."""
    metrics.SESSIONS_PASSED_ON.inc()
    if session_id not in _said:
        log.warning("passed on to a newer release", session=session_id, newer=what)
        _said[session_id] = None
        if len(_said) > _MAX_REMEMBERED:
            _said.popitem(last=False)
    return newer(what)


def check_state(stored: session_state_pb2.StoredState) -> None:
    """Return when all that decides what may be done with a session is known here. Raises Refused (UNAVAILABLE, newer).

    Plies of a variation are not checked: the rules refuse what they do not know.
    """
    if stored.min_reader > FORMAT:
        raise newer_release(stored.id, f"format {stored.min_reader}")
    if stored.status not in _STATUSES:
        raise newer_release(stored.id, "state")
    if stored.created.HasField("clock") and stored.created.clock.kind not in _CLOCKS:
        raise newer_release(stored.id, "clock")
    for seat in stored.seats:
        if seat.HasField("occupant") and _is_empty(seat.occupant):
            raise newer_release(stored.id, "occupant")
    if any(map(_is_empty, stored.proposals)) or (stored.HasField("agreed") and _is_empty(stored.agreed)):
        raise newer_release(stored.id, "proposal")


def read_entries(session_id: str, lines: Iterable[bytes]) -> list[record_pb2.Entry]:
    """Return the entries of a session's log. Raises Refused (UNAVAILABLE, newer) if one is unknown here."""
    entries = [record_pb2.Entry.FromString(line) for line in lines]
    check_entries(session_id, entries)
    return entries


def check_entries(session_id: str, entries: Iterable[record_pb2.Entry]) -> None:
    """Return if all entries of a session are known here. Raises Refused (UNAVAILABLE, newer)."""
    for entry in entries:
        what = _unknown_in(entry)
        if what:
            raise newer_release(session_id, what)


def _unknown_in(entry: record_pb2.Entry) -> str:
    """Return what is unknown here in an entry, if anything."""
    match entry.WhichOneof("change"):
        case None:
            return "entry"
        case "created":
            return "clock" if entry.created.clock.kind not in _CLOCKS else ""
        case "seat_changed":
            change = entry.seat_changed
            return "occupant" if change.HasField("occupant") and _is_empty(change.occupant) else ""
        case "acted":
            ply = entry.acted.ply
            return "ply" if _is_empty(ply) or (ply.WhichOneof("kind") == "system_action" and _is_empty(ply.system_action)) else ""
        case "arbiter_acted":
            return "ruling" if _is_empty(entry.arbiter_acted.ruling) else ""
        case "proposed":
            return "proposal" if _is_empty(entry.proposed.proposal) else ""
    return ""


def _is_empty(message: Message) -> bool:
    """Return whether a message that has one of several kinds has an unknown one."""
    return message.WhichOneof("kind") is None


_STATUSES = frozenset(sessions_pb2.Session.State.values())
_CLOCKS = frozenset(record_pb2.ClockSpec.Kind.values())


def log_element(entry: bytes, request: bytes = b"", answer: StoredAnswer | None = None, min_reader: int = 0) -> bytes:
    """Return the element of an encoded entry, with the request that made it, and the format that is needed from there on."""
    if not request and min_reader <= _PLAIN_FORMAT:
        return entry
    needed = min_reader if min_reader > _PLAIN_FORMAT else 0
    return LoggedEntry(entry=entry, request=request, answer=answer, min_reader=needed).SerializeToString(deterministic=True)


def read_element(session_id: str, data: bytes) -> tuple[bytes, bytes, StoredAnswer | None]:
    """Return the encoded entry of an element, the key of its request id (empty for none), and the answer.

    Raises Refused (UNAVAILABLE, newer) if only a newer release understands the session from there on.
    """
    if data[:1] != _FIRST:
        return data, b"", None
    logged = LoggedEntry.FromString(data)
    if logged.min_reader > FORMAT:
        raise newer_release(session_id, f"format {logged.min_reader}")
    return logged.entry, logged.request, logged.answer if logged.HasField("answer") else None


def entry_of(data: bytes) -> bytes:
    """Return the encoded entry of an element."""
    return LoggedEntry.FromString(data).entry if data[:1] == _FIRST else data
