"""Interrupting a search whose time is over: by an alarm clock in its own process, which rings once and only while it searches."""

import signal
from collections.abc import Callable
from typing import Any, TypeVar

from brettwerk_games.players.interface import OutOfTime

_T = TypeVar("_T")
_set = False


def install() -> None:
    """Hear the alarm from now on; to be called in the main thread of a process."""
    signal.signal(signal.SIGALRM, _ring)


def within(limit_s: float, search: Callable[[], _T]) -> _T:
    """Return what `search` returns. After `limit_s` seconds OutOfTime is raised into it, once.

    Raises what it raises, OutOfTime where it did not catch that.
    """
    global _set
    _set = True
    signal.setitimer(signal.ITIMER_REAL, max(0.001, limit_s))
    try:
        return search()
    finally:
        _set = False
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(_signal: int, _frame: Any) -> None:
    global _set
    if _set:
        _set = False
        raise OutOfTime
