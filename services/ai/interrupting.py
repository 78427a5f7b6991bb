"""Interrupting a search whose time is over, and nothing else.

Celery sends the process a signal for that. While the worker waits for a broker that hangs it hears late that a request is done,
and the signal comes when its process waits for the next one: billiard's own handler would end the process there.
"""

from typing import Any

import billiard.pool
from billiard.exceptions import SoftTimeLimitExceeded
from celery import _state


def interrupt(signum: Any, frame: Any) -> None:
    """Raise SoftTimeLimitExceeded in a process of the pool that works on a request; nothing happens in one that waits."""
    if _state.get_current_task() is not None:
        raise SoftTimeLimitExceeded


def install() -> None:
    """Let all processes of pools that are started from now on by this one be interrupted so."""
    billiard.pool.soft_timeout_sighandler = interrupt
