"""Refusals as values."""

from collections.abc import Callable

from services.runtime.refusal import Refused


def refusal_of(act: Callable[[], object]) -> Refused | None:
    """Return what an act was refused with, or None when it was done."""
    try:
        act()
    except Refused as refused:
        return refused
    return None
