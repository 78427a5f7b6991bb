"""Whether each of those who began a game with people stayed to its end. Pure: it reads messages, and gives marks.

A game counts when two people or more began it and it had a clock or was competitive: without either nobody has promised anything.
Games with computers and bots alone count for nobody, nor do those of the arena.

A player has departed who

- left their seat while another person was at the table, and did not come back; at a table of more than two only if somebody had
  to play for them, which is so unless they were out; or
- let the time run out without moving: the clock for the whole game, in a slow game or after so long without an action of anybody
  (`still_ms`) or without any of their own; a clock for each turn twice in a row at the end, or without any action of their own.

Whoever loses a connection and is back before that, or resigns, has finished the game. A session that was closed since nothing
happened in it counts for none of those who still sat there: the log does not say who was to act.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from brettwerk.v1 import record_pb2, sessions_pb2
from services.players.ratings.pools import DAY_MS
from services.players.results.summary import Course
from services.runtime.bots import is_bot
from services.runtime.seats import seat_in

MIN_STILL_MS, MAX_STILL_MS = 60_000, 180_000
ABSENT_TURNS = 2


class Pace(StrEnum):
    """Games are counted apart by it: who forgets a game of weeks may well stay for one of minutes."""

    LIVE = "live"
    SLOW = "slow"
    """With a clock of a day or more, or none."""


class Mark(StrEnum):
    """The conduct of a player in a game, as a character."""

    FINISHED = "+"
    LEFT = "-"
    SILENT = "~"
    """The time ran out without a move."""


def pace_of(clock: record_pb2.ClockSpec) -> Pace:
    """Return the pace of games with a clock."""
    return Pace.LIVE if clock.kind and clock.time_ms < DAY_MS else Pace.SLOW


def still_ms(clock: record_pb2.ClockSpec) -> int:
    """Return after how long without an action of anybody a player whose time runs out has gone: a fifth of it, 1 to 3 minutes.

    0 in a slow game, where any time that runs out was days.
    """
    return 0 if pace_of(clock) is Pace.SLOW else min(MAX_STILL_MS, max(MIN_STILL_MS, clock.time_ms // 5))


def marks_of(session: sessions_pb2.Session, entries: Sequence[record_pb2.Entry], course: Course) -> Mapping[str, Mark]:
    """Return the marks of players, by id; none of a game that does not count. `course` is how the session went."""
    people = {player for player in course.first if player and not is_bot(player)}
    if len(people) < 2 or session.arena or not (session.clock.kind or session.competitive):
        return {}
    is_finished = session.HasField("outcome")
    played = list(_since_start(entries))
    if not any(map(_may_tell, played)):  # as most games go
        return dict.fromkeys(sorted(people), Mark.FINISHED) if is_finished else {}
    walk = _Walk(session, course)
    for entry in played:
        walk.take(entry)
    found: dict[str, Mark] = {}
    for player in sorted(people):
        mark = walk.mark(player)
        if mark is not Mark.FINISHED or is_finished:
            found[player] = mark
    return found


def _since_start(entries: Sequence[record_pb2.Entry]) -> Iterator[record_pb2.Entry]:
    has_begun = False
    for entry in entries:
        if has_begun:
            yield entry
        elif entry.HasField("started"):
            has_begun = True
            yield entry


def _may_tell(entry: record_pb2.Entry) -> bool:
    """Return whether somebody may have departed with an entry: a seat changed hands, or time ran out."""
    match entry.WhichOneof("change"):
        case "acted":
            return entry.acted.cause == record_pb2.Acted.CAUSE_TIME
        case "seat_changed" | "seat_offered":
            return True
    return False


class _Walk:
    """How a game went, for those who began it."""

    def __init__(self, session: sessions_pb2.Session, course: Course) -> None:
        self._clock, self._seats = session.clock, len(course.first)
        self._first, self._held = course.first, list(course.first)
        self._moved_ms = 0
        """When the table last moved on."""
        self._own = [0] * self._seats
        """How often each seat's player has acted."""
        self._absent: list[set[int]] = [set() for _ in course.first]
        """The moments at which the rules have acted for a seat since its player last did."""
        self._out: set[int] = set()
        """Seats that have resigned."""
        self._left: dict[int, bool] = {}
        """Seats whose first player has left: whether somebody has played for them since."""
        self._silent: set[int] = set()

    def take(self, entry: record_pb2.Entry) -> None:
        """Take the next entry in."""
        match entry.WhichOneof("change"):
            case "acted":
                self._act(entry)
            case "seat_changed" if entry.seat_changed.seat < self._seats:
                self._change(entry.seat_changed)
            case "seat_offered" if entry.seat_offered.claimed and entry.seat_offered.seat < self._seats:
                self._left.pop(entry.seat_offered.seat, None)
                self._silent.add(entry.seat_offered.seat)
            case "started" | "undone" | "loaded" | "paused" | "credited" | "vacation_taken":
                self._moved_ms = entry.at_ms

    def mark(self, player: str) -> Mark:
        """Return a player's mark; of several seats it is the worst."""
        own = [seat for seat, first in enumerate(self._first) if first == player]
        if any(self._left.get(seat, False) or (seat in self._left and self._seats == 2) for seat in own):
            return Mark.LEFT
        if any(seat in self._silent or self._is_absent(seat) for seat in own):
            return Mark.SILENT
        return Mark.FINISHED

    def _act(self, entry: record_pb2.Entry) -> None:
        ply, by_time = entry.acted.ply, entry.acted.cause == record_pb2.Acted.CAUSE_TIME
        match ply.system_action.WhichOneof("kind"):
            case "resign":
                self._out.add(ply.system_action.resign)
            case "flag":
                self._flag(ply.system_action.flag, entry.at_ms)
        seat = seat_in(ply, "actor_seat")
        if seat is not None and seat < self._seats:
            if seat in self._left:
                self._left[seat] = True
            elif by_time:
                self._absent[seat].add(entry.at_ms)
            else:
                self._own[seat] += 1
                self._absent[seat].clear()
        self._moved_ms = entry.at_ms

    def _flag(self, seat: int, at_ms: int) -> None:
        if seat < self._seats and (not self._own[seat] or at_ms - self._moved_ms >= still_ms(self._clock)):
            self._silent.add(seat)
        self._out.add(seat)

    def _change(self, change: record_pb2.SeatChanged) -> None:
        seat, new = change.seat, change.occupant.person.player_id
        before, self._held[seat] = self._held[seat], new
        first = self._first[seat]
        if not first or before == new:
            return
        if new == first:  # back again
            self._left.pop(seat, None)
            self._silent.discard(seat)
        elif before == first and seat not in self._out and any(one not in ("", first) and not is_bot(one) for one in self._held):
            self._left[seat] = False

    def _is_absent(self, seat: int) -> bool:
        absent = len(self._absent[seat])
        return absent >= ABSENT_TURNS or (absent > 0 and not self._own[seat])
