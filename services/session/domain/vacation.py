"""Vacation: a seat's clock stands still for some days. Time as data, as in clocks.py; the edge brings the moments.

A game with a slow clock gives each seat some days of it. They are counted exactly: what remains of a vacation that ends early, or
is taken again, is returned. No entry marks the planned end: a vacation whose moment has passed is over.
"""

from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain.state import Seat, State, replace

DAY_MS = 86_400_000
DAYS = 14
"""Days of vacation of a slow clock that does not state them."""


def is_slow(clock: record_pb2.ClockSpec) -> bool:
    """Return whether a clock is for games that last days."""
    return bool(clock.kind) and clock.time_ms >= DAY_MS


def left_ms(state: State, seat: int) -> int:
    """Return how much vacation a seat has left for later, in milliseconds."""
    return max(0, state.created.clock.vacation_days * DAY_MS - state.seats[seat].vacation_taken_ms)


def until_ms(state: State, seat: int, days: int, now_ms: int) -> int:
    """Return until when a vacation of that many days lasts if it begins now, in milliseconds since 1970.

    A seat's last day may be incomplete. Raises Refused (NO_VACATION) for more days than it has left.
    """
    found = left_ms(state, seat) + remaining_ms(state.seats[seat], now_ms)
    if days > -(-found // DAY_MS):
        message = "there is not so much vacation left" if found else "there is no vacation left"
        if not state.created.clock.vacation_days:
            message = "this game has no vacation"
        raise Refused(errors_pb2.REASON_NO_VACATION, message, details={"left_ms": str(found)})
    return now_ms + min(days * DAY_MS, found)


def remaining_ms(seat: Seat, now_ms: int) -> int:
    """Return how long a seat will still be on vacation, in milliseconds."""
    return max(0, seat.vacation_until_ms - now_ms)


def taken(seat: Seat, until_ms: int, now_ms: int) -> Seat:
    """Return the seat that is on vacation from now until a moment; 0 for not at all."""
    former, rest = remaining_ms(seat, now_ms), max(0, until_ms - now_ms)
    return replace(seat, vacation_until_ms=until_ms, vacation_taken_ms=seat.vacation_taken_ms - former + rest)
