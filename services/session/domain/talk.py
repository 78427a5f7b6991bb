"""The talk at a table: who hears it, who may speak to whom, and how much of it is kept.

Talk is separate from the log: no version, record, export, history or view contains it. Watchers are kept apart from players
during a game that is competitive or hides anything: they see what a player overlooks, and must not tell. Private talk is between
two people, wherever they sit; nothing that others receive shows that it happened, and it uses up no bound that others share.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from brettwerk.internal.v1 import session_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredTalkLine
from brettwerk.v1 import errors_pb2, talk_pb2
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.seats import seat_in
from services.session.domain.commands import access
from services.session.domain.state import State

UNSPECIFIED = talk_pb2.TalkLine.ROOM_UNSPECIFIED
TABLE = talk_pb2.TalkLine.ROOM_TABLE
WATCHERS = talk_pb2.TalkLine.ROOM_WATCHERS
PRIVATE = talk_pb2.TalkLine.ROOM_PRIVATE

LINES = {TABLE: 100, WATCHERS: 100, PRIVATE: 30}
"""How many lines are kept: of the table, of the watchers, and of each pair of seats. Older ones make room."""


class Listener(NamedTuple):
    """A listener: the seat whose token they have shown, and the player they are; None and empty if there is none."""

    seat: int | None
    player_id: str


def is_apart(state: State, *, hidden: bool) -> bool:
    """Return whether the players cannot hear the watchers, given whether the game hides anything."""
    return not state.is_over and (hidden or state.created.competitive)


def room_for(state: State, listener: Listener, *, hidden: bool) -> talk_pb2.TalkLine.Room.ValueType:
    """Return the room that somebody speaks to by default; UNSPECIFIED for those who cannot speak.

    Players here speak only from their seat, and watchers need to have an identity.
    """
    if listener.seat is not None:
        return TABLE
    if not listener.player_id or listener.player_id in state.players:
        return UNSPECIFIED
    return WATCHERS if is_apart(state, hidden=hidden) else TABLE


def hears(state: State, stored: StoredTalkLine, listener: Listener, *, hidden: bool) -> bool:
    """Return whether somebody hears a line."""
    person = listener.player_id if listener.seat is None else state.seats[listener.seat].player_id
    if person in stored.unheard_by:
        return False
    match stored.line.room:
        case talk_pb2.TalkLine.ROOM_TABLE:
            return True
        case talk_pb2.TalkLine.ROOM_WATCHERS:
            plays = listener.seat is not None or listener.player_id in state.players
            return not plays or not is_apart(state, hidden=hidden)
    if listener.seat is None:
        return False
    return bool(person) and person in (stored.line.player_id, stored.to_player_id)


def audible_lines(state: State, lines: Iterable[StoredTalkLine], listener: Listener, *, hidden: bool) -> list[talk_pb2.TalkLine]:
    """Return what somebody can hear of everything that is kept."""
    return [stored.line for stored in lines if hears(state, stored, listener, hidden=hidden)]


def addressee(state: State, seat: int, listener_seat: int) -> str:
    """Return the player in another seat, to whom somebody in a seat wants to speak alone.

    Raises Refused: UNKNOWN if there is no such seat, MALFORMED if no other person sits there.
    """
    if listener_seat >= len(state.seats):
        raise unknown("seat", "listener_seat", listener_seat, range(len(state.seats)))
    person = state.seats[listener_seat].player_id
    if not person or person == state.seats[seat].player_id:
        raise malformed("listener_seat", "no other person sits there")
    return person


def speaker(state: State, seat_token: str, caller: session_pb2.Caller) -> Listener:
    """Return who is speaking. Raises Refused: NO_TOKEN for nobody, NOT_YOUR_SEAT for a player here who shows no seat's token."""
    if seat_token:
        seat = access.holder(state, seat_token)
        return Listener(seat, state.seats[seat].player_id)
    if access.player(caller) in state.players:
        raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "a player speaks from their seat: its token is needed")
    return Listener(None, caller.player_id)


def lines_to_drop(lines: Sequence[StoredTalkLine], new: StoredTalkLine) -> list[StoredTalkLine]:
    """Return the lines that are dropped when a new one comes: the oldest of those that share its bound."""
    alike = [stored for stored in lines if share_bound(stored.line, new.line)]
    return alike[: max(0, len(alike) + 1 - LINES[new.line.room])]


def repeated(lines: Iterable[StoredTalkLine], request: bytes, digest: bytes) -> StoredTalkLine | None:
    """Return what a request has said before, or None. Raises Refused (REQUEST_ID_REUSED) if that was a different request."""
    found = next((stored for stored in lines if stored.request == request), None)
    if found is not None and found.digest != digest:
        raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another request")
    return found


def share_bound(line: talk_pb2.TalkLine, other: talk_pb2.TalkLine) -> bool:
    """Return whether two lines belong together: in the same room or, in private talk, between the same two seats."""
    return line.room == other.room and (line.room != PRIVATE or _both(line) == _both(other))


def _both(line: talk_pb2.TalkLine) -> set[int | None]:
    return {seat_in(line, "speaker_seat"), seat_in(line, "listener_seat")}
