"""Hours in which a seat's player rests, nights and weekends in their own time zone: how much of a time they leave. Pure.

A clock uses the time between two instants without them, and runs out at the first instant by which that is all it has. A night is
meant by the clock on the wall: in the night in which that is set forward it is an hour shorter, and an hour longer in the other
one. A moment that the wall clock skips counts as it would without the change, and one that it shows twice is the first of them.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo

from brettwerk.v1 import rest_hours_pb2
from services.runtime.refusal import malformed
from services.runtime.time_zones import zone_of

LONGEST_NIGHT = 12 * 60
"""In minutes, so that half of each working day counts: time always runs out."""
KEPT_MS = 7 * 86_400_000
"""For how long hours are set once the game has begun, so that nobody takes their zone around the world after the night."""
_DAY = 24 * 60
_SATURDAY = 5
_BEFORE = timedelta(days=2)
"""Zones have skipped a whole day (Pacific/Apia), so that what a day leaves depends on the one before."""


def checked(hours: rest_hours_pb2.RestHours) -> rest_hours_pb2.RestHours:
    """Return hours that are possible. Raises Refused (MALFORMED)."""
    if zone_of(hours.time_zone) is None:
        raise malformed("hours.time_zone", f'there is no time zone "{hours.time_zone[:60]}"; they have names like Europe/Berlin')
    if (hours.night_until - hours.night_from) % _DAY > LONGEST_NIGHT:
        raise malformed("hours.night_until", f"a night has at most {LONGEST_NIGHT // 60} hours")
    return hours


def used_ms(hours: rest_hours_pb2.RestHours | None, from_ms: int, until_ms: int) -> int:
    """Return how much time a clock uses between two instants, in milliseconds; all of it without rest hours."""
    if hours is None:
        return max(0, until_ms - from_ms)
    used = 0
    for begin, end in _counted(hours, from_ms):
        if begin >= until_ms:
            break
        used += max(0, min(end, until_ms) - max(begin, from_ms))
    return used


def runs_out_ms(hours: rest_hours_pb2.RestHours | None, from_ms: int, left_ms: int) -> int:
    """Return the first instant by which a clock has used all that it has left, in milliseconds since 1970."""
    if hours is None or left_ms <= 0:
        return from_ms + max(0, left_ms)
    spans = _counted(hours, from_ms)
    while True:
        begin, end = next(spans)
        first = max(begin, from_ms)
        if left_ms <= end - first:
            return first + left_ms
        left_ms -= max(0, end - first)


def _counted(hours: rest_hours_pb2.RestHours, from_ms: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of time that count from an instant on, and those of some days before it: in order, each once."""
    zone = zone_of(hours.time_zone) or UTC
    day = datetime.fromtimestamp(from_ms / 1000, zone).date() - _BEFORE
    reached = 0
    while True:
        for begin, end in _wakes(hours, day):
            first, last = (_instant_ms(day, minute, zone) for minute in (begin, end))
            # Where the wall clock skips the end of one span and the beginning of the next, they would overlap.
            if last > max(first, reached):
                yield max(first, reached), last
                reached = last
        day += timedelta(days=1)


def _wakes(hours: rest_hours_pb2.RestHours, day: date) -> tuple[tuple[int, int], ...]:
    """Return the spans of a day that count, in minutes after midnight."""
    if hours.weekends and day.weekday() >= _SATURDAY:
        return ()
    begin, end = hours.night_from, hours.night_until
    if begin == end:
        return ((0, _DAY),)
    return ((end, begin),) if end < begin else ((0, begin), (end, _DAY))


def _instant_ms(day: date, minute: int, zone: tzinfo) -> int:
    days, rest = divmod(minute, _DAY)
    at = day + timedelta(days=days)
    return round(datetime(at.year, at.month, at.day, rest // 60, rest % 60, tzinfo=zone).timestamp() * 1000)
