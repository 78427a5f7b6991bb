"""The clocks that there are pools for, and what a pool is called in the tables. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from brettwerk.v1 import record_pb2

_S, _MIN = 1000, 60_000


def _total(minutes: int, increment_s: int) -> record_pb2.ClockSpec:
    return record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=minutes * _MIN, increment_ms=increment_s * _S)


CLOCKS: Sequence[record_pb2.ClockSpec] = (
    _total(3, 2),
    _total(5, 3),
    _total(10, 5),
    _total(20, 10),
    record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=_MIN),
)
"""The clocks; without one there is a pool, too, for games that count for nothing."""


class PoolName(NamedTuple):
    """The common settings of those who are paired."""

    game: str
    clock: str
    """KIND:time:increment in milliseconds; `none` for no clock."""
    competitive: bool

    def __str__(self) -> str:
        return f"{self.game}/{self.clock}/{'competitive' if self.competitive else 'casual'}"

    @classmethod
    def read(cls, text: str) -> "PoolName":
        """Return the name that a text of __str__ is."""
        game, clock, kind = text.split("/")
        return cls(game, clock, kind == "competitive")


def names(game: str) -> list[PoolName]:
    """Return the pools of a game, the fastest clocks first."""
    timed = [PoolName(game, clock_text(clock), competitive) for clock in CLOCKS for competitive in (False, True)]
    return [*timed, PoolName(game, clock_text(record_pb2.ClockSpec()), competitive=False)]


def clock_text(clock: record_pb2.ClockSpec) -> str:
    """Return a clock as a pool's name has it."""
    return f"{clock.kind}:{clock.time_ms}:{clock.increment_ms}" if clock.kind else "none"


def clock_of(text: str) -> record_pb2.ClockSpec | None:
    """Return the clock of such a text; None for no clock."""
    if text == "none":
        return None
    kind, time_ms, increment_ms = map(int, text.split(":"))
    return record_pb2.ClockSpec(kind=record_pb2.ClockSpec.Kind.ValueType(kind), time_ms=time_ms, increment_ms=increment_ms)
