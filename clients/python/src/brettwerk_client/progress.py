"""How far a watch has come: passes every version on once and in order, whatever connections do.

A version that comes twice is dropped. At a gap the watch is to begin again after the last version that it has; the server
then sends what is missing, or a whole picture.
"""

from collections.abc import Iterable
from typing import TypeAlias

from brettwerk.v1 import play_pb2, sessions_pb2

Field: TypeAlias = sessions_pb2.Update.Field.ValueType
"""A part of an update that a caller can do without: sessions_pb2.Update.FIELD_ACTIONS."""
OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
"""States of a session in which nothing is played any more."""


class Hole(Exception):
    """A version is missing; the watch has to be asked for again."""


class Progress:
    """The progress of one watch."""

    def __init__(self, after_version: int = 0, after_at_ms: int = 0, leave_out: Iterable[Field] = ()) -> None:
        """Begin after a version that is known already, or with the newest picture; updates lack the parts to `leave_out`."""
        self._leave_out = tuple(leave_out)
        self.last = after_version
        """The last version that was passed on; 0 before the first."""
        self.last_at_ms = after_at_ms
        """When that was made (Update.at_ms): a server that lost it makes another one of its number."""
        self.has_lost_seat = False
        """Whether the seat has changed hands since the watch began."""
        self.has_void_token = False
        """Whether what came last is a spectator's picture though nobody has taken the seat: its token has become void."""
        self._missed = 0

    def request(self, session_id: str, seat_token: str) -> play_pb2.WatchRequest:
        """Return the request for everything from here on."""
        return play_pb2.WatchRequest(
            session_id=session_id,
            seat_token=seat_token,
            after_version=self.last,
            after_at_ms=self.last_at_ms,
            leave_out=self._leave_out,
        )

    def take(self, message: play_pb2.WatchResponse) -> sessions_pb2.Update | None:
        """Return the update in a message, if there is one that is new. Raises Hole."""
        kind = message.WhichOneof("kind")
        self.has_void_token = False
        if kind == "update":
            return self._next(message.update)
        if kind == "resync":
            return self._anew(message.resync)
        if kind == "heartbeat":
            self._compare(message.heartbeat.head_version)
        return None

    def _next(self, update: sessions_pb2.Update) -> sessions_pb2.Update | None:
        if update.version <= self.last:
            return None
        if self.last and update.version > self.last + 1:
            raise Hole
        return self._pass_on(update)

    def _anew(self, resync: play_pb2.Resync) -> sessions_pb2.Update | None:
        update = resync.update
        is_known = (update.version, update.at_ms) == (self.last, self.last_at_ms)
        # Everybody perceives that a seat changes hands, and so something newer than the last update, unless that is told later.
        is_newer = not self.last or update.at_ms > self.last_at_ms or update.session.spectator_delay > 0
        if resync.cause == play_pb2.Resync.CAUSE_SEAT:
            self.has_void_token = not is_newer
            # A table that settled may deal another seat.
            self.has_lost_seat = is_newer and not update.HasField("viewer_seat")
        # The same picture tells nothing new, unless it is what somebody else may see.
        return None if is_known and resync.cause != play_pb2.Resync.CAUSE_SEAT else self._pass_on(update)

    def _pass_on(self, update: sessions_pb2.Update) -> sessions_pb2.Update:
        self.last, self.last_at_ms = update.version, update.at_ms
        return update

    def _compare(self, head: int) -> None:
        """Find holes. A heartbeat may overtake an update that is on its way, so only the second one counts."""
        is_behind = head > self.last
        if is_behind and self._missed > self.last:
            self._missed = 0
            raise Hole
        self._missed = head if is_behind else 0
